"""Progress of long work: a bar on a terminal, one line per stage elsewhere."""

import contextlib
import io
import sys
from unittest import mock

import pytest

from pipeline.base.text import progress


@contextlib.contextmanager
def terminal():
    """Return standard error as a terminal that keeps its input."""
    made = io.StringIO()
    made.isatty = lambda: True
    with mock.patch.dict("os.environ", {"TERM": "xterm", "COLUMNS": "100"}), mock.patch.object(sys, "stderr", made):
        yield made


def test_elsewhere_each_stage_is_a_line(capsys):
    assert list(progress.tracked("building", [1, 2], lambda item: f"part {item}")) == [1, 2]
    with progress.stages("table.csv", ["reading", "estimating", "writing"]) as next_stage:
        next_stage()
        next_stage()
    assert capsys.readouterr().err.splitlines() == [
        "building: part 1",
        "building: part 2",
        "table.csv: reading",
        "table.csv: estimating",
    ]


def test_on_a_terminal_a_bar_has_count_and_remaining_time():
    with terminal() as screen:
        assert list(progress.tracked("building", ["a", "b", "c"], str)) == ["a", "b", "c"]
    shown = screen.getvalue()
    assert "building: " in shown
    assert "/3" in shown
    assert ":" in shown.partition("/3")[2]  # the remaining time, as hours, minutes and seconds


def failing():
    """Return work that fails in its first stage."""
    with progress.stages("table.csv", ["reading", "writing"]) as next_stage:
        next_stage()
        raise OSError("disk")


def test_a_stage_that_fails_ends_the_bar_and_is_not_swallowed():
    with terminal() as screen, pytest.raises(OSError, match="disk"):
        failing()
    _, _, shown = screen.getvalue().partition("\x1b[?25l")
    assert "\x1b[?25h" in shown  # the cursor is visible again
