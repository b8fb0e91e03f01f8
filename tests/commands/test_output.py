"""Answers on a terminal, in a locale, and with letters that the output lacks."""

import os

import pytest

from tests.builders import on_a_terminal, process, typed


@pytest.mark.parametrize("columns", [40, 100])
def test_a_terminal_shows_a_table_that_fits_it(columns):
    for words in (
        ["query", "select domain, count(*) as models from estimates group by all"],
        ["query", "from disputes limit 3"],
        ["query", "select title, url from sources limit 5"],
        ["list", "--year", "2019"],
        ["compare", "gpt-3", "palm-540b"],
        ["hardware"],
    ):
        shown = on_a_terminal(*words, columns=columns)
        assert len(shown.splitlines()) > 3
        assert max(map(len, shown.splitlines())) <= columns, words
        assert "\t" not in shown


def test_on_a_terminal_nothing_of_an_answer_acts():
    shown = on_a_terminal("query", "select '[bold]x[/bold]' || chr(27) || '[2J' || ':smile:' as a", columns=80)
    assert "[bold]x[/bold] [2J:smile:" in shown
    assert "\x1b" not in shown


def test_a_locale_with_decimal_commas_changes_nothing():
    sql = "select 1.5 as x, reported_flop from estimates where model_id = 'gpt-3'"
    for locale in ("de_DE.UTF-8", "C", "tr_TR.UTF-8"):
        done = process("query", sql, env=os.environ | {"LC_ALL": locale, "LANG": locale})
        assert done.stdout == typed("query", sql).stdout
    assert "1.5\t3.14" in done.stdout


def test_letters_that_the_output_lacks_are_written_out():
    environment = os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0"}
    done = process("query", "select 'Université' as x", env=environment)
    assert (done.returncode, done.stdout) == (0, "x\nUniversit\\xe9\n")
