"""Everything behind a number. tests/golden/accounts holds the texts themselves."""

import functools
import re

from tests.builders import typed


@functools.cache
def lines_of(model):
    """Return the output of `explain`, called once per model."""
    done = typed("explain", model)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_formulas_come_first_then_facts_in_groups_and_statistics_last():
    headings = [
        "operations",
        "GPU time",
        "facts: data",
        "facts: machine",
        "facts: network",
        "facts: other",
        "statistics",
    ]
    assert [line for line in lines_of("palm-540b") if line in headings] == headings


def test_a_number_leads_to_the_words_it_came_from():
    lines = lines_of("PaLM 540B")
    assert any("chips 2: 3072" in line for line in lines)
    assert any("2.75e14 FLOP/s x 0.3 (default) = 3.066e23 FLOP" in line for line in lines)
    assert any("feed forward width: 73,728 = 4 * 18432 [" in line for line in lines)
    assert "one sequence of 2,048 tokens takes 2.225e15 FLOP forward" in "\n".join(lines)


def test_no_text_shows_paths_of_keys_ids_of_rules_or_copies():
    for model in ("gpt-3", "alexnet", "flan-palm-540b", "seq2seq"):
        for line in [*lines_of(model), *typed("show", model).stdout.splitlines()]:
            assert not re.search(r"training\[|hardware\[|architecture\.|only_format|github-copy:\d+(?! )", line), line


def test_a_stated_utilization_that_is_not_used_says_why():
    (line,) = [line for line in lines_of("lamda-137b") if line.startswith("  utilization: 0.565 ")]
    assert "Not used: it counts recomputed activations (HFU). 123 TFLOP/s is" in line
    assert "Not used" not in "\n".join(lines_of("gpt-1"))  # a judgement is used


def test_layers_are_a_number_and_their_kinds_and_stand_once():
    (line,) = [line for line in lines_of("alexnet") if line.startswith("  layers: ")]
    # five convolutions and three fully connected layers, as the paper says
    assert line.startswith("  layers: 23 layers: 5 conv2d, ")
    assert "3 linear [" in line
