"""The calibration page: what identifies the numbers of the error, and how often intervals hold."""

from pipeline.site.report import Row
from pipeline.site.report.accuracy import held

WORDS = {
    "confirmed": "Error of a count that the authors' own total confirms",
    "stated": "Error of a count whose network and data are stated",
    "weak": "Error of any other count",
    "whole_run": "What whole runs reach of the utilization of single steps",
    "gpu_time_up": "Error of GPU time to above",
    "gpu_time_down": "Error of GPU time to below",
}
STATEMENTS = {
    "all": "all",
    "not same_time": "all but those of the ledger's time",
    "own": "of their own inputs",
    "same_count": "the ledger's count",
    "same_time": "the ledger's time",
    "same_both": "the ledger's count and time",
    "unknown": "inputs not known",
}


def page(calibration: Row | None) -> Row:
    """What the page shows, from the summary that `make fit-uncertainty` keeps; None where this release has none."""
    if calibration is None:
        return {"numbers": None}
    by_name = {row["name"]: row for row in calibration["coverage"]}
    marks = [
        {"promised": int(level) / 100, "inside": own["held"] / own["number"], "kind": STATEMENTS[name]}
        for name in ("not same_time", "same_count", "own") if name in by_name
        for level, own in by_name[name]["adjudicated"].items() if own["number"]
    ]  # fmt: skip
    drawn = held(marks) if marks else None
    return {**calibration, "words": WORDS, "kinds": STATEMENTS, "drawn": drawn}
