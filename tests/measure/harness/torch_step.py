"""A training step: weights change, and layout and precision are as the options say."""

import pytest
import torch

from pipeline.measure.harness.step import UnsupportedError, arithmetic, prepare
from tests.measure.harness.builders import SUBJECTS


def test_a_step_changes_the_weights_and_inference_does_not():
    step = prepare(SUBJECTS["quick_gpt"], 2, "fp32", "channels_first", "eager", "cpu")
    before = [each.detach().clone() for each in step.module.parameters()]
    step.infer()
    assert all(map(torch.equal, before, step.module.parameters()))
    step.whole()
    assert not all(map(torch.equal, before, step.module.parameters()))


def test_channels_last_reaches_the_weights():
    step = prepare(SUBJECTS["quick_convolutions"], 2, "fp32", "channels_last", "eager", "cpu")
    weight = next(step.module.parameters())
    assert weight.is_contiguous(memory_format=torch.channels_last)
    assert step.input.is_contiguous(memory_format=torch.channels_last)


def test_fp32_is_not_tf32():
    # torch's default lets convolutions of float32 run in TF32.
    with arithmetic("fp32"):
        assert torch.backends.cudnn.conv.fp32_precision == torch.backends.cuda.matmul.fp32_precision == "ieee"
    with arithmetic("tf32"):
        assert torch.backends.cudnn.conv.fp32_precision == torch.backends.cuda.matmul.fp32_precision == "tf32"
    with pytest.raises(UnsupportedError):
        prepare(SUBJECTS["quick_gpt"], 1, "tf32", "channels_first", "eager", "cpu")
