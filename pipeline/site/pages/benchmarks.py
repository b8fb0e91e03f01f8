"""The atlas of MLPerf: the utilization of submissions by benchmark, chip and format, and why others have none."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from math import expm1
from statistics import median, quantiles

from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site

TASKS = {
    "bert": "BERT Large",
    "gpt3": "GPT-3 175B",
    "llama2_70b_lora": "Llama 2 70B, LoRA",
    "llama31_405b": "Llama 3.1 405B",
    "llama31_8b": "Llama 3.1 8B",
    "resnet": "ResNet-50",
    "stable_diffusion": "Stable Diffusion 2",
}
REASONS = {
    "not_counted": "the network is none that the ledger counts",
    "precision_not_stated": "no script of the implementation chooses the number format, or several disagree",
    "chip_not_known": "the chip has no record, or there is none",
    "open_division": "open division: network and target may be the submitter's own",
    "chips_not_stated": "the system's description does not say how many chips",
    "samples_not_logged": "the log does not say how many samples were seen",
    "no_peak": "the chip has no peak in this format",
    "above_peak": "more operations than the peak of the chips",
}


def write(site: Site, ledger: Ledger) -> None:
    """Writes benchmarks.html."""
    chips = {row["hardware_id"]: row["name"] for row in ledger.rows("hardware")}
    runs = ledger.rows("rated_runs")
    rated = [row for row in runs if row["left_out_reason"] is None]
    reasons = [row["left_out_reason"] for row in runs if row["left_out_reason"]]
    spreads = [row["repeats_log_sd"] for row in rated if row["repeats_log_sd"] is not None]
    site.page(
        "benchmarks.html",
        "benchmarks.html",
        runs=runs,
        rated=rated,
        cells=list(_cells(rated, chips)),
        reasons=[(words, reasons.count(reason)) for reason, words in REASONS.items() if reason in reasons],
        submitters=len({row["submitter"] for row in runs}),
        repeats=expm1(median(spreads)) if spreads else None,
    )


def _cells(rated: Sequence[Row], chips: dict[str, str]) -> Iterator[Row]:
    """Submissions of one benchmark on one chip in one format: how many, the middle and the best."""

    def cell(row: Row) -> tuple[str, str, str]:
        return TASKS.get(row["task"], row["task"]), chips[row["hardware_id"]], row["precision"]

    for (task, chip, precision), group in groupby(sorted(rated, key=lambda row: (*cell(row), row["row"])), key=cell):
        members = list(group)
        reached = [row["measured_utilization_fraction"] for row in members]
        best = max(members, key=lambda row: row["measured_utilization_fraction"])
        tenths = quantiles(reached, n=10, method="inclusive") if len(reached) > 1 else [reached[0]] * 9
        yield {
            "task": task,
            "chip": chip,
            "hardware_id": best["hardware_id"],
            "precision": precision,
            "runs": len(members),
            "submitters": len({row["submitter"] for row in members}),
            "fewest_chips": min(row["chips"] for row in members),
            "most_chips": max(row["chips"] for row in members),
            "low": tenths[0],
            "median": median(reached),
            "high": tenths[8],
            "best": best,
            "log": _address(best["place"]),
        }


def _address(place: str) -> str:
    """The page on GitHub of a file at its commit."""
    repository, _, path = place.removeprefix("github:").partition(":")
    name, _, commit = repository.partition("@")
    return f"https://github.com/{name}/blob/{commit}/{path.replace(' ', '%20')}"
