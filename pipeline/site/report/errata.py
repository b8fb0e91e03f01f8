"""The errata page: published figures that their own factors contradict."""

from collections.abc import Sequence

from pipeline.site.report import Row


def page(errata_by_size: Sequence[Row]) -> Row:
    """What the page shows; figures with the largest error come first."""
    return {"errata": errata_by_size}
