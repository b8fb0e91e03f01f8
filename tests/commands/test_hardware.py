"""Chips with their peaks."""

import re

import pytest

import pipeline
from tests.builders import records_of, typed


def test_a_chip_has_peaks_with_evidence_and_models(records):
    done = typed("hardware", "A100 80GB")
    assert "  bf16: 3.12e14 FLOP/s (quoted)" in done.stdout
    assert "memory bandwidth: 1555 GB/s" in done.stdout
    assert re.search(r"^models trained on it: .*bloom-176b", done.stdout, re.MULTILINE)
    assert "latest rent of one for an hour: $" in done.stdout
    assert "latest rent of one for an hour: the ledger has none" in typed("hardware", "B200").stdout
    names, *rows = records_of(typed("hardware"))
    assert len(rows) == len(records.hardware)
    assert names[0] == "hardware_id"


def test_dense_peaks_are_those_of_exactly_this_name():
    answer = pipeline.dense_peak("NVIDIA H100 80GB HBM3", "bf16")
    assert (answer["hardware_id"], answer["peak_flop_per_second"]) == ("nvidia-h100-sxm5", {"bf16": 989.4e12})
    assert "989.4" in answer["words"]["bf16"]["words"]
    die = pipeline.dense_peak("AMD Instinct MI250X", "bf16")
    assert die["peak_flop_per_second"]["bf16"] == pytest.approx(
        191.5e12
    )  # AMD's data sheet gives 383e12 for the module
    assert die["module_peak_flop_per_second"] == {"bf16": 383e12}
    assert pipeline.dense_peak("p5.48xlarge", "bf16")["hardware_id"] == "nvidia-h100-sxm5"  # per chip, of eight
    assert pipeline.dense_peak("Standard_NC40ads_H100_v5", "bf16")["hardware_id"] == "nvidia-h100-nvl"
    assert pipeline.dense_peak("TPU v3", "bf16")["peak_flop_per_second"] == {"bf16": 61.5e12}
    assert (
        pipeline.dense_peak("TPU v2", "bf16")["peak_flop_per_second"] == {}
    )  # nobody read what JAX shows for its two cores


@pytest.mark.parametrize(
    "name",
    [
        "NVIDIA GeForce RTX 3060 Laptop GPU",
        "Tesla V100-SXM2-16GB",  # it has no BF16
        "NVIDIA GB10",  # neither GB200 nor B100
        "nvidia-h100-80gb",  # a cloud's name for H100 in either form
    ],
)
def test_no_peak_is_that_of_a_neighbour(name):
    assert pipeline.dense_peak(name, "bf16") is None
