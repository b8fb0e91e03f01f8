"""The errata page: published figures that their own factors contradict."""

from collections.abc import Sequence

from pipeline.site.report import Row


def page(errata: Sequence[Row]) -> Row:
    """What the page shows; figures with the largest error come first."""
    rows = [
        {**row, "off": max(row["published_figure"], row["corrected_figure"]) / min(row["published_figure"], row["corrected_figure"])}
        for row in errata
    ]  # fmt: skip
    return {"errata": sorted(rows, key=lambda row: (-row["off"], row["erratum_id"]))}
