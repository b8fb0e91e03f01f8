"""CONTRIBUTING.md: its example is a valid record, and it is short."""

import re

import pytest

from pipeline.engines import in_memory
from pipeline.models import sql
from pipeline.records import loading, params
from pipeline.stages import flow

TEXT = (flow.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_its_example_is_a_sound_record(tmp_path):
    (example,) = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    (tmp_path / "example.yaml").write_text(example)
    folder = flow.ROOT / "data/records"
    found = loading.load([tmp_path / "example.yaml"], among=[folder / "hardware", folder / "defaults"])
    assert found.remarks == []
    (row,) = sql.rows(in_memory.make(["estimates"], found, params.load())["estimates"])
    width, feed_forward, vocabulary, length, layers = 4096, 14336, 128_000, 8192, 32
    block = 2 * width * width + 2 * width * (width // 4) + 3 * width * feed_forward  # 8 of 32 heads for keys and values
    scores = 2 * width * (length + 1) / 2  # a causal position sees half of the sequence; queries by keys, and by values
    forward = 2 * (layers * (block + scores) + width * vocabulary)
    assert row["operation_count_flop"] == pytest.approx(3 * forward * 1.2e12, rel=1e-6)
    assert row["gpu_time_flop"] == pytest.approx(256 * 30 * 86400 * 312e12 * 0.3)


def test_it_is_short():
    assert len(TEXT.splitlines()) <= 200
