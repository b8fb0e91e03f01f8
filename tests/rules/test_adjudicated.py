"""Values of a table after adjudication."""

import pytest

from pipeline.rules.adjudicated import by_cell, judged, judged_via

ROWS = [
    {"snapshot": "epoch_models_2025", "name": "CLUE", "published_flop": 3.456e18, "corrected_flop": 3.897e20},
    {"snapshot": "epoch_models_2025", "name": "CLUE", "published_flop": 4.87141e19, "corrected_flop": 3.89696e20},
    {
        "snapshot": "epoch_notable_2026",
        "name": "ALLaM\u00a0adapted 70B",
        "published_flop": 1.062e24,
        "corrected_flop": 1.062e24,
    },
    {"snapshot": "epoch_models_2025", "name": "FLAN, 137B", "published_flop": 2e24, "corrected_flop": None},
]


@pytest.mark.parametrize(
    ("via", "flop", "corrected"),
    [
        ("epoch_models_2025: CLUE, Training compute (FLOP)", 3.456e18, 3.897e20),
        ("epoch_models_2025: CLUE, Training compute notes", 4.871411549952e19, 3.89696e20),
        ("epoch_notable_2026: ALLaM adapted 70B, Training compute (FLOP)", 1.062e24, 1.062e24),  # no-break space
        ("epoch_models_2025: FLAN, 137B, Training compute (FLOP)", 2.0001e24, None),  # dropped; a comma in the name
    ],
)
def test_a_value_is_found_by_its_cell(via, flop, corrected):
    assert judged_via(by_cell(ROWS), via, flop)["corrected_flop"] == corrected


@pytest.mark.parametrize(
    ("via", "flop"),
    [
        ("epoch_models_2025: CLUE, Training compute (FLOP)", 5e18),  # the cell has changed since
        ("epoch_notable_2026: CLUE, Training compute (FLOP)", 3.456e18),
        ("epoch_models_2025: CLUEless, Training compute (FLOP)", 3.456e18),
        ("table 3", 3.456e18),
        (None, 3.456e18),
    ],
)
def test_another_value_was_not_adjudicated(via, flop):
    assert judged_via(by_cell(ROWS), via, flop) is None


@pytest.mark.parametrize(("share", "is_same"), [(0.99, True), (1.01, False)])
def test_a_cell_is_that_of_its_value_within_a_thousandth(share, is_same):
    cells = by_cell([{"snapshot": "t", "name": "A", "published_flop": 1e20, "corrected_flop": 1e21}])
    assert (judged(cells, "t", "A", 1e20 * (1 - share * 1e-3)) is not None) == is_same
