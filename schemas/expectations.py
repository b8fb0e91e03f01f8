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
import yaml

from schemas.errors import ContractError
from schemas.plain_text import cut
from schemas.vocabulary import HeadlineMethod

SUITES: dict[str, list[dict[str, Any]]] = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
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
    models_before = {name for name, was_retired in release.ids_before if name.startswith("models/") and not was_retired}
    # A release may have fewer models only if the others are retired.
    computed = {
        "least_models": max(1, len(models_before - retired)),
        "headline_methods": [word.value for word in HeadlineMethod],
        "ids": [name for name, _ in release.ids],
    }
    frames = {
        "estimates": _with_shares(release.estimates, release.looked_for),
        "identifiers": pd.DataFrame({"record": [name for name, _ in release.ids_before]}, dtype=str),
        "changes": pd.DataFrame({"lost": release.lost}, dtype=str),
        **{table: pd.DataFrame({"ratio": ratios}) for table, ratios in release.sums.items() if len(ratios)},
    }
    suites = {table: (frame, [*_expectations(table, frame, computed)]) for table, frame in frames.items()}
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


def _expectations(table: str, frame: pd.DataFrame, computed: Mapping[str, Any]) -> Iterator[Any]:
    """Yield the expectations of a table whose columns have enough values. `computed` maps words in SUITES to values."""
    for declaration in SUITES[table]:
        for domain in sorted(set(frame["domain"])) if "{domain}" in declaration["description"] else [""]:
            settings = {
                key: computed.get(value, value.replace("{domain}", domain)) if isinstance(value, str) else value
                for key, value in declaration.items()
            }
            settings["description"] = declaration["description"].replace("{domain}", domain.replace("_", " "))
            kind, fewest, column = settings.pop("kind"), settings.pop("fewest", 0), settings.pop("of", None)
            if column is None or frame[column].notna().sum() >= fewest:
                yield getattr(gxe, f"Expect{kind}")(**settings)


def _validated(context: Any, suites: Mapping[str, tuple[Any, Sequence[Any]]]) -> Iterator[Evaluated]:
    """Run all suites in one checkpoint and yield the result of each expectation, in the order of our suites."""
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
    """Return the observed value of a result, otherwise how many values fail the expectation and the first of them."""
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
