"""Expectations of a whole release, each with its reason, in the great_expectations context `gx/`.

A release that fails a critical expectation is not published. So its bound is not today's value, but the value beyond
which readers should not trust the data. An expectation that a few more models of one kind could fail, such as one about
the median of a domain, is only a warning.
"""

import os
import re
import shutil
import warnings
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("GX_ANALYTICS_ENABLED", "False")  # must precede the import, which reads it

import great_expectations as gx
import great_expectations.expectations as gxe
import pandas as pd

from schemas.errors import ContractError
from schemas.plain_text import cut
from schemas.vocabulary import HeadlineMethod

FEWEST_PAIRS = 5  # a domain's median is tested only if this many models have both methods
FEWEST_DISPUTES = 20  # shares of disputes are tested only if there are this many
CONTEXT = "gx"
FROM_ELSEWHERE = r"https://great-expectations-web-assets[^\"']*"  # a remote logo, which could track readers
LONGEST_REASON = 200  # characters quoted from a great_expectations message
SHOWN = 5  # values shown if rows fail an expectation
Id = tuple[str, bool]  # kind and id of a record, such as models/alexnet, and whether it is retired


class Release(NamedTuple):
    """The input to the expectations: rows of estimates.csv, ratios of components to totals by table, old and new ids.

    `looked_for` lists the models with a missing fact that was looked for in named sources; `lost` lists the models that
    lost their number without a reason.
    """

    estimates: Any
    looked_for: Collection[str]
    lost: Sequence[str]
    sums: Mapping[str, Sequence[float]]
    ids_before: Sequence[Id]
    ids: Sequence[Id]


class Evaluated(NamedTuple):
    """An expectation, its reason, the observed value, whether the release meets it, and whether publishing requires it."""

    table: str
    expectation: str
    reason: str
    observed: str
    is_kept: bool
    is_required: bool


def evaluated(release: Release, root: Path) -> list[Evaluated]:
    """Evaluate every expectation on this release, using the checkpoint `release` of a new context `gx/` in this folder."""
    retired = {name for name, is_retired in release.ids if is_retired}
    before = [name for name, _ in release.ids_before]
    models_before = [name for name, was_retired in release.ids_before if name.startswith("models/") and not was_retired]
    estimates = _with_shares(release.estimates, release.looked_for)
    suites = {
        "estimates": (estimates, [*_estimates(len(set(models_before) - retired)), *_methods(estimates)]),
        "identifiers": (pd.DataFrame({"record": pd.Series(before, dtype=str)}), list(_ids([name for name, _ in release.ids]))),
        "changes": (pd.DataFrame({"lost": pd.Series(release.lost, dtype=str)}), list(_lost())),
        **{
            table: (pd.DataFrame({"ratio": ratios}), list(_sum_of(*SUMS[table])))
            for table, ratios in release.sums.items()
            if len(ratios)
        },
    }  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shutil.rmtree(root / CONTEXT, ignore_errors=True)
        return [*_validated(gx.get_context(mode="file", project_root_dir=root), suites)]


def _with_shares(estimates: Any, looked_for: Collection[str]) -> Any:
    """Return the estimates with extra columns: a column of 0 and 1 per share, and a method_ratio column per domain."""
    has_both_methods, has_gpu_time = estimates["method_ratio"].notna(), estimates["gpu_time_flop"].notna()
    disputed = estimates["is_disputed"].fillna(False).astype(bool)
    imputed = estimates["imputed_inputs"].fillna("")
    has_number = estimates["training_flop"].notna()
    columns = {
        "share_known": has_number.where(has_number | ~estimates["model_id"].isin(looked_for)),
        "share_disputed": disputed.where(has_both_methods),
        "share_unexplained": estimates["dispute_cause"].isin(["unexplained", "slow_unlike_others"]).where(disputed),
        "share_hardware_imputed": imputed.str.contains("hardware").where(has_gpu_time),
        "share_precision_imputed": imputed.str.contains("precision").where(has_gpu_time),
        "training_flop_since_1980": estimates["training_flop"].where(estimates["published"] >= "1980"),
        **{
            f"method_ratio_{domain}": estimates["method_ratio"].where(estimates["domain"] == domain)
            for domain in sorted(set(estimates["domain"]))
        },
    }
    return estimates.assign(**{name: column.astype(float) for name, column in columns.items()})


def _estimates(least_models: int) -> Iterator[Any]:
    yield _expect(
        gxe.ExpectTableRowCountToBeBetween,
        "no fewer models than in the last release, except those retired since",
        "citations of a published model must stay valid",
        min_value=max(1, least_models),
    )
    yield _expect(gxe.ExpectColumnValuesToBeUnique, "model_id is unique", "one row per model", column="model_id")
    yield _expect(
        gxe.ExpectColumnMeanToBeBetween,
        "training_flop is known for at least 98 % of the models whose inputs were not looked for in vain",
        "a record that lists its missing facts needs no number; if another record has none, an input was lost",
        column="share_known",
        min_value=0.98,
    )
    yield _expect(
        gxe.ExpectColumnMinToBeBetween,
        "training_flop is 1e3 or more",
        "the first learning machines needed a few thousand FLOP",
        column="training_flop",
        min_value=1e3,
    )
    yield _expect(
        gxe.ExpectColumnMinToBeBetween,
        "training_flop is 1e6 or more since 1980",
        "backpropagation on the smallest tasks needs millions; less means a missing factor",
        column="training_flop_since_1980",
        min_value=1e6,
    )
    yield _expect(
        gxe.ExpectColumnMaxToBeBetween,
        "training_flop is 1e28 or less",
        "no training run is near it: such a value means a wrong unit",
        column="training_flop",
        max_value=1e28,
    )
    for high, low, words in (
        ("training_flop_high", "training_flop", "the upper bound is above the median"),
        ("training_flop", "training_flop_low", "the lower bound is below the median"),
    ):
        yield _expect(
            gxe.ExpectColumnPairValuesAToBeGreaterThanB, words, "an interval contains its median",
            column_A=high, column_B=low, ignore_row_if="either_value_is_missing",
        )  # fmt: skip
    yield _expect(
        gxe.ExpectColumnValuesToBeInSet,
        "headline_method is one of the words of the vocabulary",
        "readers filter by these words",
        column="headline_method",
        value_set=[word.value for word in HeadlineMethod],
    )
    yield _expect(
        gxe.ExpectColumnValueLengthsToBeBetween,
        "sources has at least one address",
        "every number can be traced back",
        column="sources",
        min_value=8,
    )


def _methods(estimates: Any) -> Iterator[Any]:
    pairs = {
        column.removeprefix("method_ratio_"): int(estimates[column].notna().sum())
        for column in estimates
        if column.startswith("method_ratio_")
    }
    if sum(pairs.values()):
        yield _expect(
            gxe.ExpectColumnMedianToBeBetween,
            "the median of method_ratio is between 1/2 and 2",
            "the methods may differ for single models, not all in one direction: that would mean a wrong constant",
            column="method_ratio",
            min_value=0.5,
            max_value=2,
        )
        yield _share(
            "share_disputed", 0.5, "disputed models are half or fewer of those with both methods",
            "of 24 pairs that publications calculated by hand, half agree within 2x (methods, section 4); fewer would mean a mistake",
        )  # fmt: skip
        yield _share(
            "share_hardware_imputed", 0.2, "a year's default peak replaces an unknown chip in a fifth or fewer of the GPU times",
            "a year's peak is within 2x for only 70 % of models (methods, section 3): GPU times should use known chips",
        )  # fmt: skip
        yield _share(
            "share_precision_imputed", 0.5, "the precision is inferred in half or fewer of the GPU times",
            "an A100 is 16 times as fast at one precision as at another: inferred precisions should not determine most GPU times",
        )  # fmt: skip
    for domain, number in pairs.items():
        if number >= FEWEST_PAIRS:
            yield _expect(
                gxe.ExpectColumnMedianToBeBetween,
                f"the median of method_ratio in {domain.replace('_', ' ')} is between 1/3 and 3",
                f"published pairs have a geometric standard deviation of 2.95, so the median of {FEWEST_PAIRS} is within about 3 unless a default fails in the domain; "
                "one new model can bring a domain to that number, so this does not stop a release",
                severity="warning",
                column=f"method_ratio_{domain}",
                min_value=1 / 3,
                max_value=3,
            )
    if estimates["share_unexplained"].notna().sum() >= FEWEST_DISPUTES:
        yield _share(
            "share_unexplained", 0.5, "half or fewer of the disputes are unexplained: no one input makes their ratio 3 times more likely",
            "a dispute is normal; the ledger exists to explain it",
        )  # fmt: skip


def _share(column: str, most: float, words: str, reason: str) -> Any:
    return _expect(gxe.ExpectColumnMeanToBeBetween, words, reason, column=column, min_value=0, max_value=most)


def _lost() -> Iterator[Any]:
    yield _expect(
        gxe.ExpectColumnValuesToBeNull,
        "no model loses the number of the last release without a reason",
        "a changed fact of its record, or of its base model's, is the reason; if there is none, a rule or a default lost the number",
        column="lost",
    )


def _ids(known: Sequence[str]) -> Iterator[Any]:
    yield _expect(
        gxe.ExpectColumnValuesToBeInSet,
        "every id of the last release is a record or retired",
        "ids are permanent: bring the record back, or add data/records/retired/<id>.yaml",
        column="record",
        value_set=list(known),
    )


EQUAL = (1 - 1e-9, 1 + 1e-9)
SUMS = {
    "operation_estimates": (
        *EQUAL,
        "the phases of a model sum to its operation_count_flop",
        "no phase is lost or counted twice; except fine-tuned models, whose sum includes the base model",
    ),
    "operation_counts_by_kind": (
        *EQUAL,
        "the kinds of layers of a network sum to its forward_flop",
        "a layer of no kind would be counted but not listed",
    ),
    "utilization_cells": (
        *EQUAL,
        "the rows of utilization.csv sum to the measurements on chips of a known generation",
        "medians must cover all rows",
    ),
    "lineages": (
        1.0,
        None,
        "the total of a fine-tuned model is at least that of its base",
        "its total includes the base model's training",
    ),
}


def _sum_of(low: float, high: float | None, words: str, reason: str) -> Iterator[Any]:
    yield _expect(gxe.ExpectColumnMinToBeBetween, f"{words}: lowest ratio", reason, column="ratio", min_value=low)
    if high:
        yield _expect(gxe.ExpectColumnMaxToBeBetween, f"{words}: highest ratio", reason, column="ratio", max_value=high)


def _expect(kind: Any, words: str, reason: str, **settings: Any) -> Any:
    return kind(description=words, notes=reason, **settings)


def _validated(context: Any, suites: Mapping[str, tuple[Any, Sequence[Any]]]) -> Iterator[Evaluated]:
    context.enable_analytics(False)
    context.variables.progress_bars = {"globally": False}
    frames = Path(context.root_directory) / "frames"
    frames.mkdir()
    source = context.data_sources.add_pandas_filesystem("release", base_directory=frames)
    definitions = []
    for table, (frame, expectations) in suites.items():
        frame.to_parquet(frames / f"{table}.parquet")
        batch = source.add_parquet_asset(table).add_batch_definition_path("all", f"{table}.parquet")
        suite = context.suites.add(gx.ExpectationSuite(name=table, expectations=list(expectations)))
        definition = gx.ValidationDefinition(name=table, data=batch, suite=suite)
        definitions.append(context.validation_definitions.add(definition))
    outcome = context.checkpoints.add(gx.Checkpoint(name="release", validation_definitions=definitions)).run()
    for (table, (_, expectations)), validated in zip(suites.items(), outcome.run_results.values(), strict=True):
        results = {result.expectation_config.description: result for result in validated.results}
        for expectation in expectations:  # in our order; great_expectations orders results by column
            words, result = expectation.description, results[expectation.description]
            is_required = expectation.severity == "critical"
            yield Evaluated(table, words, expectation.notes, _observed(result), bool(result.success), is_required)


def data_docs(root: Path) -> dict[str, str]:
    """Return the text of each page and style sheet in the data docs of this folder's context, by path.

    Raise ContractError if there is no context, or if one of its files cannot be read.
    """
    if not (root / CONTEXT / "great_expectations.yml").is_file():
        raise ContractError(f"{CONTEXT}/ is missing; `python -m pipeline publish` makes it")
    try:
        context: Any = gx.get_context(mode="file", context_root_dir=root / CONTEXT)
        context.build_data_docs()
    except Exception as problem:
        why = cut(str(problem), LONGEST_REASON)
        raise ContractError(f"{CONTEXT}/ cannot be read: {why}; `python -m pipeline publish` makes it again") from None
    folder = Path(context.root_directory) / "uncommitted/data_docs/local_site"
    files = [path for path in sorted(folder.rglob("*")) if path.suffix in (".html", ".css")]
    texts = {path: re.sub(FROM_ELSEWHERE, "", path.read_text(encoding="utf-8")) for path in files}
    return {path.relative_to(folder).as_posix(): text.replace(f"{root.resolve()}/", "") for path, text in texts.items()}


def _observed(result: Any) -> str:
    outcome = result.result
    if "observed_value" in outcome:
        value = outcome["observed_value"]
        return "nothing" if value is None else str(value) if isinstance(value, int) else f"{float(value):.4g}"
    if result.success:
        return "no row fails it"
    if "unexpected_count" not in outcome:
        return "it could not be evaluated"
    named = ", ".join(str(value) for value in outcome["partial_unexpected_list"][:SHOWN])
    return f"{outcome['unexpected_count']} fail it: {named}"


def broken(outcomes: Sequence[Evaluated]) -> list[str]:
    """Return one line for each required expectation that the release does not meet."""
    return [
        f"{outcome.table}: expected that {outcome.expectation}; found {outcome.observed}; {outcome.reason}"
        for outcome in outcomes
        if outcome.is_required and not outcome.is_kept
    ]
