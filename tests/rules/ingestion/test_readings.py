"""Rows of a file of blind second readings, with numbers and words separate."""

import dataclasses

from pipeline.rules.ingestion import readings
from schemas.records import SecondReadings
from tests.builders import miniature_defaults

FILE = {
    "seed": "s", "drawn": "all", "read_on": "2026-11-23", "saw_estimates": False,
    "models": {
        "net": {
            "opened": ["page"],
            "facts": [
                {"path": "parameters", "low": 4e6, "high": 9e6, "unit": "parameter", "words": ["four to", "nine"], "place": ["page"]},
                {"path": "examples_seen", "at_least": 15e12, "unit": "token", "words": ["15T+"], "place": ["page"],
                 "settled": {"decision": "ledger_wrong", "ledger_had": 2e12, "reason": "A slip.", "words": ["more than"], "place": "card"}},
                {"path": "precision", "value": "bf16", "words": ["bfloat16"], "place": ["page"]},
                {"path": "chip_hours", "not_found": True},
            ],
        }
    },
}  # fmt: skip


def test_a_reading_is_a_number_a_word_or_nothing():
    given = dataclasses.replace(miniature_defaults(), second_readings={"r": SecondReadings.model_validate(FILE)})
    size, data, precision, time = readings.second_readings(given)
    assert (size["written"], size["amount"], size["bound"], size["words"]) == (
        "4000000 to 9000000",
        6e6,
        None,
        "four to | nine",
    )
    assert (data["amount"], data["bound"], data["settlement"], data["ledger_had"]) == (
        15e12,
        "at_least",
        "ledger_wrong",
        "2000000000000.0",
    )
    assert (data["settlement_words"], data["settlement_place"]) == ("more than", "card")
    assert (precision["written"], precision["amount"], precision["unit"]) == ("bf16", None, None)
    assert (time["written"], time["is_not_found"], time["reader"], time["saw_estimates"]) == (None, True, "r", False)
