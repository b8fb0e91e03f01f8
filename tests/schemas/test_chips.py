"""Chips by the names that torch, nvidia-smi and clouds print, slices of TPUs, and parts of chips."""

import pytest

from pipeline.engines import one_model
from pipeline.publishing import database
from pipeline.records.figures import checked
from schemas.chips import chosen_chip
from schemas.errors import InputError
from schemas.spelling import UnknownNameError


@pytest.fixture(scope="module")
def records(published_database):
    with database.reading() as book:
        return one_model.ledger_records(book)


# The numbers of chips follow from Google's documentation: v2 to v4 and v5p have two cores in each chip, v5e one.
@pytest.mark.parametrize(("name", "hardware_id", "chips"), [
    ("NVIDIA A100 80GB PCIe", "nvidia-a100-pcie", None), ("Tesla V100-SXM2-32GB", "nvidia-v100-sxm2", None), ("TPU v6 lite", "google-tpu-v6e", None),
    ("NVIDIA B300 SXM6 AC", "nvidia-b300", None), ("NVIDIA GH200 480GB", "nvidia-gh200", None), ("v4-8", "google-tpu-v4", 4),
    ("NVIDIA A40 (SM86)", "nvidia-a40", None), ("NVIDIA GeForce RTX 5070 Ti (16GB VRAM)", "nvidia-rtx-5070-ti", None), ("RTX 4090 24GB", "nvidia-rtx-4090", None), ("NVIDIA_H20-3e", "nvidia-h20", None),
    ("tpu v2-32", "google-tpu-v2", 16), ("v5litepod-16", "google-tpu-v5e", 16), ("v5p-32", "google-tpu-v5p", 16), ("tpu7x-128", "google-tpu-v7", 64),
])  # fmt: skip
def test_names_that_software_and_clouds_print(records, name, hardware_id, chips):
    amounts, words = checked({"hardware": name}, records)
    assert (words["hardware"], amounts.get("chips")) == (hardware_id, None if chips is None else (chips, chips))


@pytest.mark.parametrize(("figures", "problem"), [
    ({"hardware": "v5litepod-3"}, "no slice of google-tpu-v5e has 3 cores; the nearest have 1, 4, 8, 16"),
    ({"hardware": "v4-8", "chips": 8}, "v4-8 has 4 chips"),
    ({"hardware": "MI210 GCD"}, "is not a chip in the ledger"), ({"hardware": "2.1e14"}, "only a run of your own"),
    ({"hardware": "Cerebras WSE-3"}, "we read no data sheet with its dense peak"), ({"hardware": "n300"}, "no day of release"),
    ({"hardware": "NVIDIA A100-SXM4-40GB MIG 1g.5gb"}, "is a part of a chip: state nvidia-a100-sxm4"),
    ({"hardware": "ml.p4d.24xlarge"}, "state nvidia-a100-sxm4, and count chips"), ({"hardware": "p9.2xlarge"}, "state its chip"),
    ({"hardware": "g4-standard-48"}, "state nvidia-rtx-pro-6000-server"), ({"hardware": "gpu_8x_a100"}, "state nvidia-a100-sxm4"),
    ({"hardware": "RTX 3080 12GB"}, "is not a chip in the ledger; did you mean 'nvidia-rtx-3080'"),
    ({"hardware": "NVIDIA_RTX_PRO_6000"}, "did you mean 'nvidia-rtx-pro-6000-max-q', 'nvidia-rtx-pro-6000-server' or 'nvidia-rtx-pro-6000-workstation'"),
    ({"hardware": "AMD H100"}, "did you mean 'nvidia-h100-sxm5'"),
    ({"hardware": "Н100"}, "'Н' is CYRILLIC CAPITAL LETTER EN: type Latin letters"),
])  # fmt: skip
def test_wrong_names_are_refused_with_the_way_on(records, figures, problem):
    with pytest.raises(InputError, match=problem):
        checked(figures, records)


def test_half_chips_are_counted_as_half_of_a_chip(records):
    """Each MI250X is two devices, which accounts call GPUs (AMD's data sheet: 383e12 for the module)."""
    amounts, words = checked({"hardware": "MI250X GCD", "chips": "128", "tflops_per_chip": 90}, records)
    assert (words["hardware"], amounts["chips"], amounts["tflops_per_chip"]) == ("amd-mi250x", (64, 64), (180, 180))


@pytest.mark.parametrize("name", ["", "x" * 10_000, "v4-", "-8"])
def test_empty_and_long_names_are_no_chips(records, name):
    with pytest.raises(UnknownNameError) as refused:
        chosen_chip(name, records.chip_ids())
    assert "did you mean" not in str(refused.value)
