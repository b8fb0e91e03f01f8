"""Published errors on their page."""

from pipeline.site.report import errata
from tests.site.report.builders import drawn


def test_text_of_records_cannot_run_in_a_browser():
    hostile = "<script>alert(1)</script>"
    row = {
        "erratum_id": "x", "model_id": None, "figure": hostile, "published_figure": 1.0, "corrected_figure": 2.0,
        "factors": "1 * 2", "explanation": hostile,
    }  # fmt: skip
    shown = drawn(errata, [row])
    assert hostile not in shown
    assert shown.count("&lt;script&gt;") == 2
