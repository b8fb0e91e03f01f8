"""Rows of a file of adjudications, with the number of values that each represents."""

import dataclasses

from pipeline.rules.ingestion import external, facts
from schemas.records import Adjudications
from tests.builders import miniature_defaults

ROW = {
    "name": "Net", "snapshot": "table_2025", "stratum": "near", "published_flop": 8e15, "corrected_flop": None, "reason": "other_model",
    "certainty": "likely", "note": "Another's.", "quote": "time",
}  # fmt: skip
FILE = {
    "drawn": {"how": "all", "far": {"drawn": 1, "of": 1}, "near": {"drawn": 40, "of": 143}},
    "sources": {"paper": {"title": "A paper", "url": "https://example.org"}},
    "quotes": {"time": {"source": "paper", "text": "ten hours", "found_at": "https://example.org"}},
    "rows": [{**ROW, "stratum": "far", "corrected_flop": 8e15, "reason": None, "factors": "8 * 1e15"}, ROW],
}


def test_each_row_stands_for_as_many_as_its_stratum_was_drawn_from():
    given = dataclasses.replace(miniature_defaults(), adjudications={"table_2025": Adjudications.model_validate(FILE)})
    kept, dropped = external.adjudications(given)
    assert (kept["corrected_flop"], kept["reason"], kept["sampling_weight"]) == (8e15, None, 1.0)
    assert (dropped["corrected_flop"], dropped["reason"], dropped["sampling_weight"]) == (None, "other_model", 3.575)
    assert (dropped["path"], dropped["record_id"], dropped["evidence"]) == ("rows[1]", "table_2025", "quoted")
    stated = {row["path"]: row["written"] for row in facts.facts(given) if row["record_id"] == "table_2025"}
    assert stated == {"rows[0]": "8e+15 flop -> 8e+15 flop", "rows[1]": "8e+15 flop -> another artefact"}
    quote_texts = [row["text"] for row in facts.fact_quotes(given) if row["path"] == "rows[1]"]
    assert quote_texts == ["ten hours"]
