"""Impossible gold runs: no such model, no time, faster than the chip. A matrix of 1000 x 1000: 4e6 FLOP per image."""

import pytest

from tests.records.conftest import GROUP, World

FILE, RUN = "gold_runs/group.yaml", "runs[0]"


@pytest.fixture
def gold(world: World) -> World:
    world.write(FILE, GROUP)
    return world


def test_a_sound_group_has_no_mistakes(gold: World) -> None:
    assert gold.mistakes() == []


@pytest.mark.parametrize(("old", "new", "field", "message"), [
    ("model: images, phase: pretraining", "model: imges, phase: pretraining", "runs[1].model", "'imges' is not a model; did you mean 'images'?"),
    ("model: images, phase: pretraining", "model: images, phase: pretrain", "runs[1].phase", "'pretrain' is not a phase of images; did you mean 'pretraining'?"),
    ("model: images, phase: pretraining", "model: images", "runs[1]", "a run has either model and phase, or name, published, architecture and training"),
    ("run: second", "run: first", "runs[1].run", "'first' is already the name of run 0"),
    ("architecture: matrix", "architecture: matrx", f"{RUN}.architecture", "'matrx' is not an architecture; did you mean 'matrix'?"),
    ("value: nvidia-gtx-580", "value: nvidia-gtx-590", RUN, "needs a known chip, one for the whole run"),
    ("      batch: {value: 100, source: log}\n", "", RUN, "needs examples and epochs, or steps and batch; tokens need a sequence_length"),
    ("          duration: {value: 1 second, source: log}\n", "", RUN, "needs a time of its own on its chips, not derived from operations"),
    ("licence: MIT", "licence: MIT\nmeasured_by: [rate]", "measured_by[0]", "'rate' is not a record of measurements; did you mean 'rates'?"),
    # 4e6 x 1e3 x 1e3 FLOP in a second, of 1.581e12: a convolution's 1.75 is the most
    ("batch: {value: 100,", "batch: {value: 1000,", RUN, "is 2.53 of the fp32 peak of GTX 580, which is impossible; check data, time and precision, or move the run to rejected: above_peak"),
])  # fmt: skip
def test_each_mistake_is_named_where_it_stands(gold: World, old: str, new: str, field: str, message: str) -> None:
    gold.change(FILE, old, new)
    assert [(mistake[2], mistake[3]) for mistake in gold.mistakes()] == [(field, message)]
