"""The utilization page: measured utilization, and networks for which the default is wrong."""

from collections import Counter
from collections.abc import Sequence
from statistics import median

from pipeline.site.numbers import times
from pipeline.site.report import Row, p100_study, utilization_charts
from pipeline.site.report import utilization_facts as facts

REASONS = {
    "unknown_architecture": "the network is not described well enough to count it",
    "contradictory": "its own figures contradict each other",
    "unknown_chip": "the chip, or its peak, is not known",
    "circular": "derived from the utilization that it would test",
    "unknown_precision": "the format of the numbers is not known",
    "input_bound": "limited by data loading, not by the network",
    "hardware_flop": "includes an unknown number of recomputed operations",
    "above_peak": "more operations than the peak of the chip",
    "inference": "not training",
    "sparse_peak": "a share of the sparse peak",
}
ABBREVIATED = {"tpu", "cdna"}
KINDS = {"mfu": "model FLOP (MFU)", "hfu": "hardware FLOP (HFU)", "judgement": "judgement"}


def page(
    checks: Sequence[Row], defaults: Sequence[Row], hardware: Sequence[Row], measurements: Sequence[Row],
    rejected_measurements: Sequence[Row], reported_utilizations: Sequence[Row], utilization_backtests: Sequence[Row],
    utilization_cells: Sequence[Row], near_ratio: float,
) -> Row:  # fmt: skip
    """What the page shows, from rows of the tables that its arguments are named after and the factor within which a value is near another."""
    rows = facts.measured(checks, measurements, hardware)
    values = sorted({row["default_value"] for row in defaults if row["quantity"] == "utilization"})
    cells = facts.answers(utilization_cells, rows, values, near_ratio)
    tested = facts.backtests(utilization_backtests, near_ratio)
    study = p100_study.stated(reported_utilizations)
    names = {row["hardware_id"]: row["name"] for row in hardware}
    return {
        "numbers": numbers(rows, cells),
        "values": values,
        "near_ratio": near_ratio,
        "near": times(near_ratio),
        "generation": generation,
        "cells": [{"family": words, "rows": [cell for cell in cells if cell["network"] == name]} for name, words in facts.FAMILIES.items()],
        "tested": tested,
        "spread": utilization_charts.spread(rows, near_ratio) if rows else None,
        "errors": utilization_charts.errors(tested) if tested else None,
        "study": study_numbers(study, rows) if study else None,
        "reported": [
            {**row, "chip": names.get(row["hardware_id"], ""), "kind": KINDS[row["utilization_kind"]], "family": facts.FAMILIES.get(row["network"], "")}
            for row in reported_utilizations if row["measurement_id"] != p100_study.STUDY
        ],
        "rejected": rejections(rejected_measurements),
    }  # fmt: skip


def numbers(rows: Sequence[Row], cells: Sequence[Row]) -> Row:
    """The numbers of the page's prose, computed from the rows."""
    families = {name: facts.summary([row for row in rows if row["network"] == name]) for name in facts.FAMILIES}
    dense = [row for row in rows if row["network"] == "dense_convolution"]
    pairs, over = facts.faster_formats(rows), facts.above_peak(rows)
    against = facts.depthwise_against_dense(rows)
    solid = [cell for cell in cells if cell["sources_number"] > 1]
    return {
        "all": facts.summary(rows),
        "families": {name: {**summary, "name": facts.FAMILIES[name]} for name, summary in families.items() if summary["rows"]},
        "depthwise": families["depthwise_convolution"],
        "depthwise_names": sorted({row["architecture"] for row in rows if row["network"] == "depthwise_convolution"}),
        "depthwise_pairs": len(against),
        "depthwise_of_dense": median(against) if against else None,
        "full": facts.summary([row for row in dense if row["precision"] == facts.FULL_PRECISION]),
        "fast": facts.summary([row for row in dense if row["precision"] != facts.FULL_PRECISION]),
        "pairs": len(pairs),
        **{f"pair_{key}": median(pair[key] for pair in pairs) if pairs else None for key in ("speed", "peak", "full", "fast")},
        "over": over,
        "over_names": sorted({row["architecture"] for row in over}),
        "over_outside": sum((row["network"], row["precision"]) != ("dense_convolution", facts.FULL_PRECISION) for row in over),
        "verdicts": [_places(word, [cell for cell in solid if cell["verdict"] == word]) for word in sorted({cell["verdict"] for cell in solid})],
        "solid": len(solid),
    }  # fmt: skip


def study_numbers(study: Sequence[Row], rows: Sequence[Row]) -> Row:
    """The P100 study's chart, and its values compared with measurements of the same networks."""
    compared = p100_study.beside(study, rows)
    ratios = {family: p100_study.against(compared, family) for family in ("dense_convolution", "depthwise_convolution")}
    return {
        "chart": p100_study.chart(study, rows),
        "networks": len(compared),
        "compared": compared,
        "ratios": [{"family": facts.FAMILIES[family], "networks": len(own), "ratio": median(own)} for family, own in ratios.items() if own],
    }  # fmt: skip


def rejections(rejected: Sequence[Row]) -> list[Row]:
    """Rejected measurements by reason, the most common first."""
    counted = Counter(row["rejection_reason"] for row in rejected)
    return [
        {"reason": reason.replace("_", " "), "meaning": REASONS[reason], "number": number,
         "rows": [row for row in rejected if row["rejection_reason"] == reason]}
        for reason, number in sorted(counted.items(), key=lambda each: (-each[1], each[0]))
    ]  # fmt: skip


def generation(name: str) -> str:
    """A generation of chips in its maker's spelling.

    >>> generation("ampere"), generation("tpu")
    ('Ampere', 'TPU')
    """
    return name.upper() if name in ABBREVIATED else name.capitalize()


def _places(verdict: str, cells: Sequence[Row]) -> Row:
    families: dict[str, list[str]] = {}
    for cell in cells:
        place = f"{cell['precision'].upper()} on {generation(cell['generation'])}"
        families.setdefault(facts.FAMILIES[cell["network"]], []).append(place)
    return {"verdict": verdict, "number": len(cells), "families": families}
