"""Adjudicated values on their page."""

import re

from tests.site.report.builders import HOSTILE, drawn, read


def row(name, published, corrected, reason=None, stratum="far", **changed):
    return {
        "snapshot": "t", "name": name, "published_flop": published, "corrected_flop": corrected, "reason": reason, "certainty": "clear",
        "factors": "2 * 3", "note": "said", "stratum": stratum, "sampling_weight": 3.5 if stratum == "near" else 1.0, "record_id": "t",
        "path": f"rows[{name}]", **changed,
    }  # fmt: skip


ROWS = [
    row("small", 1.0, 1.5, "data", "near"), row("large", 1e3, 1.0, "unit"), row("other", 1.0, None, "other_model"),
    row("doubt", 1.0, 1.0, "chips", certainty="open"), row("fine", 1.0, 1.0, stratum="near"), row("slip", 8.0, 1.0, "unit"),
]  # fmt: skip


def test_counts_by_stratum_and_reason():
    shown = drawn("adjudications", adjudications=ROWS)
    read(shown)
    body = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", shown))
    # drawn, corrected, of another model, suspected, nothing found wrong, corrected by more than 2x
    assert "further than 2× 4 of 4 2 1 1 0 2" in body
    assert "within 2× 2 of 7 1 0 0 1 0" in body
    numbers = re.findall(r"<li>(\w+ \w+).*?: (\d+)</li>", shown)
    assert [number for _, number in numbers] == ["2", "1", "1"]
    assert body.index(" large t 1,000") < body.index(" slip t 8") < body.index(" small t 1 1.5 ×1.5")


def test_text_of_records_cannot_run_in_a_browser():
    hostile = row(HOSTILE, 1.0, 2.0, "data", note=HOSTILE, factors=HOSTILE)
    place = {"record_kind": "adjudications", "record_id": "t", "source": "paper"}
    shown = drawn(
        "adjudications",
        adjudications=[hostile],
        fact_quotes=[{**place, "path": hostile["path"], "quote_index": 0, "text": HOSTILE, "locator": HOSTILE}],
        sources=[{**place, "title": HOSTILE}],
    )
    assert HOSTILE not in shown
    assert shown.count("&lt;script&gt;") == 6
    read(shown)
