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


def test_no_text_shows_paths_of_keys_ids_of_rules_or_copies():
    for model in ("gpt-3", "alexnet", "flan-palm-540b", "seq2seq"):
        for line in [*lines_of(model), *typed("show", model).stdout.splitlines()]:
            assert not re.search(r"training\[|hardware\[|architecture\.|only_format|github-copy:\d+(?! )", line), line


def test_a_stated_utilization_that_is_not_used_says_why():
    (line,) = [line for line in lines_of("lamda-137b") if line.startswith("  utilization: 0.565 ")]
    assert "Not used: it counts recomputed activations (HFU). 123 TFLOP/s is" in line
