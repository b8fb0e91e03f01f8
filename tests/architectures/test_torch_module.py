"""A module is counted only where torch is installed, and what torch cannot count is one line."""

import sys

import pytest

from pipeline.architectures.counting import CountError, count
from pipeline.architectures.network import Lengths


@pytest.mark.parametrize(
    ("lengths", "reason"), [(Lengths(), "torch is not installed"), (Lengths(None, 3), "has no use for --target-length")]
)
def test_a_module_that_cannot_be_counted_is_one_line(monkeypatch, lengths, reason):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(CountError, match=reason):
        count("torch:torchvision.models:resnet50", lengths)
