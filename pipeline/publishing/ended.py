"""Columns, tables and values that exist only in earlier releases, for readers of old files."""

from collections.abc import Iterator
from typing import NamedTuple

TITLE = "Ended columns, tables and values"


class Ended(NamedTuple):
    """A removed column, table or value: its published name (for a value, `column = word`), its meaning, and its replacement."""

    name: str
    was: str
    instead: str


ENDED: dict[str, tuple[Ended, ...]] = {  # by the first release without it, newest first
    "Unreleased": (
        Ended("note_findings.csv", "Rows of Epoch's table whose note on training compute contradicts the row.", "None; the eight rows are in `data/records/catalogue_findings.csv`"),
    ),
    "2026-11-26.2": (
        Ended("report/executed_flop.csv", "Table of the report.", "`executed_flop.csv`, whose `pass_kind` was `pass`"),
        Ended("estimates_with_methods", "View: `estimates` with the year, and the width of the interval.", "`estimates`"),
        Ended("compute_by_year_and_domain", "View: number of models and their compute by year and domain.", "`group by` on `estimates`"),
        Ended("main.<name>", "Every other table and view of `ledger.duckdb` that is not in its main schema now ([the list](#the-database)).", "`work.<name>`"),
    ),
    "2026-11-26": (  # dated by `make version`
        Ended("headline_method = combined", "The inverse-variance mean of the logarithms of both estimates.", "`operation_count`"),
        Ended("headline_method = either", "Both methods, one of which must be wrong: they imply an impossible utilization, or one below 0.01.", "`operation_count` with `named_second`"),
        Ended("utilization_basis = measured", "Predicted from measurements of similar cases.", "`calibrated`"),
        Ended("log_spread, *_log_spread", "Standard deviation of a natural logarithm.", "`log_sd`, `*_log_sd`"),
        Ended("informed_log_spread", "Standard deviation of the logarithm of the GPU time estimate.", "`gpu_time_informed_log_sd`"),
        Ended("counted_examples_per_example", "Passes of the network for one example.", "`architecture_passes_per_example`"),
        Ended("has_one_use_parameters", "Whether each parameter is used once for an example.", "`allows_2n_rule`"),
        Ended("models.has_shared_input", "Whether both methods use one fact.", "`models.shared_input`, the path of the fact"),
        Ended("models.has_unread_data", "Whether a fact about data or epochs was not read in the source itself.", "`evidence` in `facts`"),
        Ended("facts.read, facts_of_models.read", "The copy that was read.", "`found_at`"),
        Ended("triage", "Table: which input would narrow an estimate most.", "`reconciliations.weak_reason`"),
        Ended("statements", "Table: training compute stated by someone else.", "`external_estimates`"),
        Ended("statements.statement", "A place in the record.", "`external_estimates.external_estimate_id`, which stays"),
        Ended("estimates.dispute_causes", "Every cause of a dispute that the data support.", "`dispute_cause`, one cause; its sentence in table `sentences`"),
        Ended("estimates.widest_input, widest_class", "The input that contributes most to a headline's variance, and how well it is known.", "`evidence_class`, `reconciliations.weak_reason`"),
        *(
            Ended(f"dispute_cause = {word}", "A cause by its likelihood.", 'The causes under "Why two methods differ"')
            for word in (
                "impossible_utilization", "scope_mismatch", "precision", "multiply_add", "epochs_or_passes", "chip_vs_core",
                "imputed_hardware", "utilization", "parameters_shared",
            )
        ),
        Ended("*_log_sd of reconciliations, *_weight_fraction, variance_*, shared_variance, gpu_time_used, utilization_class, other_format_*", "Terms of the former mixture.", "`evidence_class`, `up_log`, `down_log`, `named_second`, `gap_ratio`"),
        Ended("reconciliations.reported_unused_reason = far_from_both", "A total that neither method supports.", "`named_second = reported`"),
        Ended("headline_components, input_priorities", "Tables: components of the mixture; which input would narrow it most.", "`reconciliations`"),
        Ended("accuracy.whose, accuracy.explanation", "In `report/accuracy.csv`: whose number is wrong according to a rule, and why.", "None; see the row's note in Epoch's table"),
        Ended("imputation_backtests.place", "The place of the hidden fact in the record.", "`hidden_place`"),
        Ended("imputation_backtests.log_sd", "Standard deviation of an imputed value.", "`filled_low`, `filled_high`"),
        Ended("completed_runs.is_bound, completed_allocations.is_bound, operation_estimates.is_bound, gpu_time_estimates.is_bound", "Whether only one end is stated.", "`examples_bound`, `chip_seconds_bound`: which end"),
        Ended("data/tables/*.parquet", "Tables of the stages.", "`data/tables/<stage>/*.parquet`"),
        Ended("report/*.html", "Pages of the report.", "The site's reports; `report/` has their figures"),
    ),
}  # fmt: skip


def section() -> Iterator[str]:
    """Yield the lines of this section of the data dictionary."""
    yield from (f"## {TITLE}", "", "For readers of older files, by the first release without them.", "")
    for release, things in ENDED.items():
        yield from (f"### {release}", "", "| Name | Meaning | Replacement |", "|---|---|---|")
        yield from (f"| `{ended.name}` | {ended.was} | {ended.instead} |" for ended in things)
        yield ""
