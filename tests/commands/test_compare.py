"""Models side by side."""

import json

import pytest

from tests.builders import records_of, typed


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
