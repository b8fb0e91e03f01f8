"""Progress of long work: a spinner on a terminal, one line per step elsewhere."""

import contextlib
import io
import sys
from unittest import mock

import pytest

from pipeline.base.text import progress


@contextlib.contextmanager
def terminal():
    """Return standard error as a terminal that keeps its input."""
    screen = io.StringIO()
    screen.isatty = lambda: True
    with mock.patch.dict("os.environ", {"TERM": "xterm", "COLUMNS": "100"}), mock.patch.object(sys, "stderr", screen):
        yield screen


def test_elsewhere_each_step_is_a_line(capsys):
    assert list(progress.track("building", [1, 2], lambda item: f"part {item}")) == [1, 2]
    with progress.status("table.csv") as show:
        show("reading")
    assert capsys.readouterr().err.splitlines() == [
        "building: part 1 (1 of 2)",
        "building: part 2 (2 of 2)",
        "table.csv: reading",
    ]


def failing():
    """Fail in the first step."""
    with progress.status("table.csv") as show:
        show("reading [1]")
        raise OSError("disk")


def test_a_step_that_fails_ends_the_display_and_is_not_swallowed():
    with terminal() as screen, pytest.raises(OSError, match="disk"):
        failing()
    _, _, shown = screen.getvalue().partition("\x1b[?25l")
    assert "table.csv: reading [1]" in shown
    assert "\x1b[?25h" in shown  # the cursor is visible again
