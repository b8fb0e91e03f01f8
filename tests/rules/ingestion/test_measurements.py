"""Rows of measurements, stated utilizations and rejected measurements, from a record of measurements."""

import dataclasses

import pytest

from pipeline.rules.ingestion import measurements
from schemas.records import Measurement
from tests.builders import miniature_defaults

PAGE = {"source": "page"}
ROW = {"architecture": "net", "network": "recurrent", "chip": "SC-1", "chips": 2, "precision": "fp32", "batch": 64}
RECORD = {
    "name": "Bench", "licence": "MIT", "run": "benchmark", "sources": {"page": {"title": "Page"}},
    "architectures": {"net": {"family": "layers", "source": "page", "input": {"shape": [4, 4]}, "layers": [{"kind": "lstm", "width": 4}]}},
    "rows": [
        {**ROW, "row": "step", "timed": "step", "step_time": {"value": "0.5 second", **PAGE}},
        {**ROW, "row": "tokens", "timed": "step", "sequence_length": 25, "throughput": {"value": "5000 token_per_second", **PAGE}},
        {**ROW, "row": "run", "timed": "run", "architecture": "a-model", "throughput": {"value": "10 image_per_second", **PAGE}},
        {**ROW, "row": "own-run", "timed": "run", "batch": None, "throughput": {"value": "10 sequence_per_second", **PAGE}},
    ],
    "reported_utilization": [{"row": "mfu", "about": "their model", "chip": "Tensor Chip", "value": 0.5, "kind": "mfu", **PAGE}],
    "rejected": [{"row": "odd", "reason": "inference", "note": "Not training."}],
}  # fmt: skip


@pytest.fixture(scope="module")
def records():
    return dataclasses.replace(miniature_defaults(), measurements={"bench": Measurement.model_validate(RECORD)})


def test_a_throughput_is_in_whole_sequences_a_second(records):
    """64 in half a second; 5000 tokens in sequences of 25."""
    rows = measurements.measurements(records)
    assert [row["examples_per_second"] for row in rows] == [128, 200, 10, 10]
    assert [row["hardware_id"] for row in rows] == ["small-chip"] * 4
    assert [row["architecture_id"] for row in rows] == ["bench/net", "bench/net/25", "bench/a-model", "bench/net"]


def test_a_whole_run_of_a_models_network_is_that_models_training(records):
    """It may be the model to estimate; a run of a network in the measurement's own record is not."""
    assert [row["is_whole_run"] for row in measurements.measurements(records)] == [False, False, True, False]


def test_what_is_stated_or_rejected_has_tables_of_its_own(records):
    (stated,) = measurements.reported_utilizations(records)
    assert (stated["hardware_id"], stated["stated_utilization_fraction"], stated["utilization_kind"]) == ("tensor-chip", 0.5, "mfu")  # fmt: skip
    assert stated["network"] is None
    assert measurements.rejected_measurements(records) == [
        {"measurement_id": "bench", "row": "odd", "rejection_reason": "inference", "note": "Not training."}
    ]
