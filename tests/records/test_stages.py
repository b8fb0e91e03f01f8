"""Stages that a record's quotes name and its single phase lacks."""

import pytest

from pipeline.records import loading
from tests.records.conftest import World

NAME = "models/text.yaml"


@pytest.mark.parametrize(
    ("words", "remarks"),
    [
        ("In the second stage we train on 2T tokens at 32,768", 1),
        ("Phase 2 continues on 500B tokens of higher quality", 1),
        ("the context length is then extended from 8K to 32K", 1),
        ("followed by mid-training on 100B tokens", 1),
        ("we train on 25T tokens with a sequence length of 8192", 0),
        ("at the last step the loss is 2.1", 0),
    ],
)
def test_a_stage_that_one_phase_does_not_have_is_remarked(world: World, words: str, remarks: int) -> None:
    _quote(world, words)
    assert _remarks(world) == remarks


@pytest.mark.parametrize(("fact", "remarks"), [("examples", 0), ("batch", 1)])
def test_what_the_record_says_that_it_lacks_is_not_remarked(world: World, fact: str, remarks: int) -> None:
    _quote(world, "In the second stage we train on 3B more tokens")
    world.change(NAME, "training:", f"missing: [{{fact: {fact}, looked_in: [paper]}}]\ntraining:")
    assert _remarks(world) == remarks


# Tokens that are the stages' sum, a length whose note describes the others, and a phase that is itself the second
# stage.
@pytest.mark.parametrize(("before", "after"), [
    ("value: 3e9, source: paper", "value: 3e9, quote: stages, derived: '2e9 + 1e9'"),
    ("value: 16, quote: stages", "value: 16, quote: stages, note: 'Then 32.'"),
    ("training:\n  - phase: pretraining", "base_model: {value: Other text model, source: paper}\ntraining:\n  - phase: mid_training\n    accounting: continued"),
])  # fmt: skip
def test_stages_that_are_entered_are_not_remarked(world: World, before: str, after: str) -> None:
    _quote(world, "2e9 tokens, then 1e9 in the second stage")
    world.change(NAME, before, after)
    assert _remarks(world) == 0


def _quote(world: World, words: str) -> None:
    quotes = f"quotes: {{stages: {{source: paper, text: '{words}; 16', found_at: page 1}}}}"
    world.change(NAME, "architecture:", f"{quotes}\narchitecture:")
    world.change(NAME, "value: 16, source: paper", "value: 16, quote: stages")


def _remarks(world: World) -> int:
    return sum("second stage or sequence length" in remark for remark in loading.load([world.folder]).remarks)
