"""Columns, tables and values that earlier releases published and later ones do not: what readers of old files meet."""

from collections.abc import Iterator
from typing import NamedTuple

TITLE = "Ended columns, tables and values"
UNRELEASED = "Unreleased"  # the heading of CHANGELOG.md, renamed with it


class Ended(NamedTuple):
    """What ended: its name as it was published (a value as `column = word`), what it was, and what to use instead."""

    name: str
    was: str
    instead: str


ENDED: dict[str, tuple[Ended, ...]] = {  # by the first release without it, the newest first
    UNRELEASED: (
        Ended("headline_method = combined", "The inverse-variance mean of the logarithms of both methods.", "`mixture`"),
        Ended("headline_method = either", "Both methods, one of which must be wrong: they imply an impossible utilization, or one below 0.01.", "`mixture`"),
        Ended("utilization_basis = measured", "Predicted from measurements of like cases.", "`calibrated`"),
        Ended("log_spread, *_log_spread", "Standard deviation of a natural logarithm.", "`log_sd`, `*_log_sd`"),
        Ended("informed_log_spread", "That of the GPU time estimate.", "`gpu_time_informed_log_sd`"),
        Ended("counted_examples_per_example", "Passes of the network for one example.", "`architecture_passes_per_example`"),
        Ended("has_one_use_parameters", "Whether each parameter is used once for an example.", "`allows_2n_rule`"),
        Ended("models.has_shared_input", "Whether both methods use one fact.", "`models.shared_input`, the path of the fact"),
        Ended("facts.read, facts_of_models.read", "The copy that was read.", "`found_at`"),
        Ended("triage", "Table: which input would narrow an estimate most.", "`input_priorities`"),
        Ended("triage.wanted_input", "That input.", "`input_priorities.most_informative_input`"),
        Ended("statements", "Table: training compute stated by someone else.", "`external_estimates`"),
        Ended("statements.statement", "A place in the record.", "`external_estimates.external_estimate_id`, which stays"),
        Ended("report/*.html", "Pages of the report.", "The site's reports; `report/` has their figures"),
    ),
}  # fmt: skip


def section() -> Iterator[str]:
    """The lines of the data dictionary."""
    yield from (f"## {TITLE}", "", "By the first release without them, for readers of older files.", "")
    for release, things in ENDED.items():
        yield from (f"### {release}", "", "| Name | Was | Instead |", "|---|---|---|")
        yield from (f"| `{ended.name}` | {ended.was} | {ended.instead} |" for ended in things)
        yield ""
