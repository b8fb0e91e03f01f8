"""Estimates of a user's own model, and of a model of the ledger."""

import csv
import json

import pytest

from pipeline.base.paths import PUBLISHED
from pipeline.stages import flow
from tests.builders import typed


def published():
    with (PUBLISHED / "estimates.csv").open(newline="") as file:
        return {row["model_id"]: row for row in csv.DictReader(file)}


def test_a_model_of_ones_own(tmp_path):
    record = (
        (flow.ROOT / "data/records/models/alexnet.yaml")
        .read_text()
        .replace("value: 90,", "value: 180, derived: 2 * 90,")
    )
    (tmp_path / "my-net.yaml").write_text(record)
    done = typed("estimate", "my-net.yaml", "--json", folder=tmp_path)
    assert done.stderr == ""
    answer = json.loads(done.stdout)
    assert answer["operation_count_flop"] == pytest.approx(2 * float(published()["alexnet"]["operation_count_flop"]))
    assert answer["model_id"] == "my-net"


def test_a_model_of_ones_own_may_be_stated_without_sources(tmp_path):
    """6 x 1e9 parameters x 20e9 tokens = 1.2e20; by time 64 A100 x 1 day x 312e12 FLOP/s x 0.3 = 5.2e20."""
    record = (
        "name: Mine\nstated_by_user: true\norganization: O\norganization_kind: industry\npublished: 2024\ndomain: language\nscope: single\n"
        "network: decoder_only\nparameters: {value: 1e9}\ntraining:\n  - phase: pretraining\n    example_unit: token\n"
        "    examples: {value: 20e9}\n    epochs: {value: 1}\n    precision: {value: bf16}\n"
        "    hardware: [{chip: {value: nvidia-a100-sxm4}, chips: {value: 64}, duration: {value: 1 day}}]\n"
    )
    (tmp_path / "mine.yaml").write_text(record)
    done = typed("estimate", "mine.yaml", "--json", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    answer = json.loads(done.stdout)
    assert answer["operation_count_flop"] == pytest.approx(1.2e20)
    assert answer["gpu_time_flop"] == pytest.approx(64 * 86_400 * 312e12 * 0.3)
    assert (answer["training_evidence"], answer["network_evidence"]) == ("stated_by_user", "stated_by_user")
    assert "training compute: " in typed("estimate", "mine.yaml", folder=tmp_path).stdout


def test_an_estimate_that_cannot_be_made_says_what_is_missing():
    done = typed("estimate", flow.ROOT / "tests/miniature/data/records/models/silent-net.yaml")
    assert done.returncode == 1
    assert "tensor-chip" in done.stderr


def test_estimate_says_what_is_missing(tmp_path):
    record = "name: Bare\norganization: O\norganization_kind: academia\npublished: 2020\ndomain: other\nscope: single\nsources: {paper: {kind: authors, title: P}}\n"
    (tmp_path / "bare.yaml").write_text(record)
    done = typed("estimate", "bare.yaml", folder=tmp_path)
    assert done.returncode == 0
    assert "we lack the size of the network and the size of the data for a count, and chips with" in done.stdout


def test_a_batch_in_another_unit_is_noticed(tmp_path):
    phase = "{phase: one, example_unit: token, examples: {value: 1e12, source: p}, steps: {value: 250000, source: p}, batch: {value: 2048, source: p}}"
    record = (
        "name: Mine\norganization: O\norganization_kind: academia\npublished: 2020\ndomain: language\nscope: single\nsources: {p: {kind: authors, title: P}}\n"
        f"network: decoder_only\nparameters: {{value: 7e9, source: p}}\ntraining: [{phase}]\n"
    )
    (tmp_path / "mine.yaml").write_text(record)
    assert "Is batch in the unit of the examples?" in typed("estimate", "mine.yaml", folder=tmp_path).stdout


def test_explain_and_estimate_say_what_is_published():
    rows = published()
    for model in ("deepseek-v3", "alexnet", "flan-palm-540b"):
        answer = json.loads(typed("estimate", model, "--json").stdout)
        assert answer["model_id"] == model
        for name in ("training_flop", "training_flop_low", "gpu_time_informed_flop", "utilization_fraction"):
            assert answer[name] == pytest.approx(float(rows[model][name]), rel=1e-5), (model, name)
