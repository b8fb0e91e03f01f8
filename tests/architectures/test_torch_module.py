"""A module is counted only where torch is installed, and what torch cannot count is one line."""

import sys

import pytest

from pipeline.architectures.counting import Count, CountError, as_text, count
from pipeline.architectures.network import Lengths
from pipeline.formulas.totals import Totals
from tests.builders import estimate_json


@pytest.mark.parametrize(
    ("lengths", "reason"), [(Lengths(), "torch is not installed"), (Lengths(None, 3), "has no use for --target-length")]
)
def test_a_module_that_cannot_be_counted_is_one_line(monkeypatch, lengths, reason):
    monkeypatch.setitem(sys.modules, "torch", None)
    with pytest.raises(CountError, match=reason):
        count("torch:torchvision.models:resnet50", lengths)


def test_the_printed_command_estimates_a_whole_training_of_a_module():
    """A step of 4 images takes 2.8e10 + 5e10 FLOP, so a million images 90 times take 22.5e6 steps."""
    counted = Count("torch:own.py:f", Totals(9, 9, 28e9, 28e9, 0, 50e9), {}, 4, {"image_size": 224}, [])
    (command,) = (line for line in as_text(counted) if "flopledger estimate" in line)
    answer = estimate_json(*command.partition("flopledger estimate ")[2].split())
    assert answer["operation_count_flop"] == pytest.approx(90e6 / 4 * 78e9)
