"""Compare our readers of configs with Hugging Face's classes, built without weights and counted by torch.

This runs only if torch and transformers are installed; the project itself needs neither.
"""

import pytest

from pipeline.architectures.configs import READERS
from pipeline.architectures.configs.vocabulary import KEYS
from tests.architectures.in_torch.config_networks import ALL, HEADS, MAMBA_MORE, built, compared


@pytest.mark.parametrize(
    ("name", "architecture"), [*((name, None) for name in ALL), *HEADS], ids=lambda word: (word or "").replace(" ", "-")
)
def test_config_counts_as_torch_does(name, architecture):
    model, written = built(name, ALL[name], architecture)
    ours, parameters, forward_flop = compared(model, written)
    ratio = ours.forward_flop_full_attention / forward_flop
    print(f"{name:<20}{architecture or '':<36}{ratio:.5f}  {ours.parameters:,} {parameters:,}")
    assert ours.parameters == parameters
    if name == "longt5":  # its program multiplies each block of positions with three
        return
    if name == "mamba":
        assert ours.forward_flop_full_attention + MAMBA_MORE == forward_flop
    else:
        assert ratio == pytest.approx(1, rel=0.005)


def test_every_reader_is_compared():
    assert {name.split()[0] for name in ALL} >= set(READERS) - set(KEYS["diffusers"])
