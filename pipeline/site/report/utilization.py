"""The report on utilization: measured utilization, and the networks for which the default is wrong."""

from collections.abc import Sequence

from pipeline.rules.utilization import batch
from pipeline.site.report import Row, utilization_charts
from pipeline.site.report.words import network
from schemas.vocabulary import Network

ABBREVIATED = {"tpu", "cdna"}
DENSE, DEPTHWISE = Network.DENSE_CONVOLUTION, Network.DEPTHWISE_CONVOLUTION
UNMEASURED = {"rows": 0, "sources": 0, "near": 0, "median": None, "default": None}


def page(
    measured_rows: Sequence[Row], measured_summaries: Sequence[Row],
    utilization_traits: Sequence[Row], defaults: Sequence[Row], depthwise_to_dense: Sequence[Row],
    faster_formats: Sequence[Row],
    utilization_verdicts: Sequence[Row], near_ratio: float, batch_pairs: Sequence[Row],
) -> Row:  # fmt: skip
    """Return the page's values from the tables and views that its arguments name. Factors up to `near_ratio` count as near."""
    (pairs,), (formats,) = depthwise_to_dense, faster_formats
    summaries = {(row["network"], row["precision"], row["is_full"]): row for row in measured_summaries}
    traits = [
        {**row, "value": generation(row["value"])} if row["trait"] == "generation" else row
        for row in utilization_traits
    ]
    over = [row for row in measured_rows if row["measured_utilization_fraction"] > 1]
    return {
        "all": summaries.get((None, None, None), UNMEASURED),
        "families": {name: summary for name in Network if (summary := summaries.get((name, None, None)))},
        "depthwise": summaries.get((DEPTHWISE, None, None), UNMEASURED),
        "depthwise_names": sorted({row["architecture"] for row in measured_rows if row["network"] == DEPTHWISE}),
        "depthwise_to_dense": pairs,
        "full": summaries.get((DENSE, None, True), UNMEASURED),
        "fast": summaries.get((DENSE, None, False), UNMEASURED),
        "formats": formats,
        "over": sorted(over, key=lambda row: -row["measured_utilization_fraction"]),
        "over_outside": any((row["network"], row["precision"]) != (DENSE, "fp32") for row in over),
        "solid": [row for row in utilization_verdicts if row["sources_number"] > 1],
        "values": sorted({row["default_value"] for row in defaults if row["quantity"] == "utilization"}),
        "near_ratio": near_ratio,
        "network": network,
        "spread": utilization_charts.spread(measured_rows, measured_summaries, near_ratio) if measured_rows else None,
        "traits": utilization_charts.traits(traits) if traits else None,
        "batch": batch.sentence(batch_pairs),
        "batch_chart": utilization_charts.batches(batch_pairs) if batch_pairs else None,
        "batch_study": [row for row in batch_pairs if row["way"] == "theory"],
    }


def generation(name: str) -> str:
    """Return a chip generation in its maker's spelling.

    >>> generation("ampere"), generation("tpu")
    ('Ampere', 'TPU')
    """
    return name.upper() if name in ABBREVIATED else name.capitalize()
