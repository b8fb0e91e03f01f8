"""Given cases and what was measured, rows of predictions."""

from dataclasses import asdict, replace

import pytest

from pipeline.rules.utilization import gaussian_process, predictions
from pipeline.rules.utilization.gaussian_process import Case, Measured
from schemas.params import Calibrate

SIZES = Calibrate(**(dict.fromkeys(Calibrate.model_fields, 0.0) | {"network_sd": 0.6, "residual_sd": 0.3}))
CASE = Case("dense_convolution", "fp16", "volta", "chip", 1e14, 1.0, "script", 0.4)
OTHER = replace(CASE, network="recurrent", default_utilization_fraction=0.3)


def test_allocations_of_one_case_have_one_prediction():
    rows = [{"model_id": name, "phase": "p", "allocation": 0, **asdict(CASE)} for name in "ab"]
    found = list(predictions.of_allocations(rows, [Measured(CASE, "source", 0.1)], SIZES))
    (band,) = gaussian_process.bands([Measured(CASE, "source", 0.1)], [CASE], SIZES)
    points = dict(
        zip(
            ("utilization_low_fraction", "utilization_middle_fraction", "utilization_high_fraction"),
            band.bounds,
            strict=True,
        )
    )
    assert found == [
        {
            "model_id": name,
            "phase": "p",
            "allocation": 0,
            "network": "dense_convolution",
            **points,
            "utilization_log_sd": band.log_sd,
        }
        for name in "ab"
    ]


def test_a_source_never_predicts_itself():
    """Two sources of one family predict each other; the family that one source alone measured keeps its default."""
    measured = [Measured(CASE, "one", 0.1), Measured(CASE, "two", 0.2), Measured(OTHER, "three", 0.05)]
    rows = [
        {"measurement_id": each.source, "measurement_source": each.source, "row": "r", **asdict(each.case), "measured_utilization_fraction": each.utilization_fraction}
        for each in measured
    ]  # fmt: skip
    found = {row["measurement_id"]: row for row in predictions.of_sources_left_out(rows, SIZES)}
    # a weight of 0.36 / (0.36 + 0.09) = 0.8 on the other source's logarithm
    assert found["one"]["utilization_middle_fraction"] == pytest.approx(0.4 * (0.2 / 0.4) ** 0.8)
    assert found["two"]["utilization_middle_fraction"] == pytest.approx(0.4 * (0.1 / 0.4) ** 0.8)
    assert found["three"]["utilization_middle_fraction"] == pytest.approx(0.3)
    assert found["three"]["default_utilization_fraction"] == 0.3
    assert "chips" not in found["one"]
