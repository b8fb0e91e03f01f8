"""CONTRIBUTING.md: its examples are sound records."""

import re

import pytest
import yaml

from pipeline.engines import in_memory
from pipeline.models import sql
from pipeline.records import loading, params
from pipeline.stages import flow

TEXT = (flow.ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")


def test_its_example_is_a_sound_record(tmp_path):
    small, example = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
    assert yaml.safe_load(example)["name"] == "TwinNet"
    (tmp_path / "example.yaml").write_text(example)
    folder = flow.ROOT / "data/records"
    found = loading.load([tmp_path / "example.yaml"], among=[folder / "hardware", folder / "defaults"])
    (row,) = sql.rows(in_memory.make(["estimates"], found, params.load())["estimates"])
    convolution, linear = 2 * 55 * 55 * 96 * 11 * 11 * 3, 2 * 55 * 55 * 96 * 1000
    assert row["operation_count_flop"] == (2 * convolution + 3 * linear) * 1.2e6 * 90  # no gradient of the raw image
    assert row["gpu_time_flop"] is not None
    (tmp_path / "example.yaml").write_text(small)
    found = loading.load([tmp_path / "example.yaml"], among=[folder / "hardware", folder / "defaults"])
    (row,) = sql.rows(in_memory.make(["estimates"], found, params.load())["estimates"])
    assert row["operation_count_flop"] == pytest.approx(6 * 7.5e9 * 1.2e12)
    assert row["gpu_time_flop"] == pytest.approx(256 * 30 * 86400 * 312e12 * 0.3)
