"""Models side by side."""

import json
import re

import pytest

from tests.builders import on_a_terminal, records_of, typed


def test_compare_sets_models_side_by_side():
    names, *rows = records_of(typed("compare", "palm-540b", "LLaMA 65B", "llama-65b"))
    assert names == ["quantity", "palm-540b", "llama-65b"]
    table = {row[0]: row[1:] for row in rows}
    assert table["organization"] == ["Google", "Meta"]
    both = json.loads(typed("compare", "palm-540b", "llama-65b", "--json").stdout)
    assert [row["model_id"] for row in both] == ["palm-540b", "llama-65b"]
    assert float(table["training_flop"][0]) == pytest.approx(both[0]["training_flop"], rel=1e-3)
    assert [float(cell) for cell in table["training_flop_to_first_ratio"]] == [
        1,
        pytest.approx(both[1]["training_flop"] / both[0]["training_flop"], rel=1e-3),
    ]


def test_a_terminal_shows_counts_and_probabilities_as_people_read_them_and_a_pipe_the_numbers():
    shown = on_a_terminal("compare", "gpt-3", "palm-540b", columns=100)
    assert re.search(r"^parameters +175B +540B", shown, re.MULTILINE)
    assert re.search(r"^probability_above_1e26_fraction +less than 0\.1 % +less than 0\.1 %", shown, re.MULTILINE)
    assert "parameters\t1.75e+11\t5.404e+11\n" in typed("compare", "gpt-3", "palm-540b").stdout
