"""Expectations of each published table as a whole, each with its reason, in the great_expectations context `gx/`.

A suite has the name of its file, so that it can be run on the published file, or on a reader's copy of it.

A release that fails a critical expectation is not published. So its bound is not today's value, but the value beyond
which readers should not trust the data. An expectation that a few more models of one kind could fail, such as one about
the median of a domain, is only a warning.
"""

import operator
import os
import re
import shutil
import warnings
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("GX_ANALYTICS_ENABLED", "False")  # must precede the import, which reads it

import great_expectations as gx
import great_expectations.expectations as gxe
import yaml
from great_expectations.expectations.row_conditions import Column

from schemas.errors import ContractError
from schemas.plain_text import cut
from schemas.tables import TABLES, columns_of, grain

SUITES: dict[str, list[dict[str, Any]]] = yaml.safe_load(Path(__file__).with_suffix(".yml").read_text(encoding="utf-8"))
CONTEXT = "gx"
FROM_ELSEWHERE = r"https://great-expectations-web-assets[^\"']*"  # a remote logo, which could track readers
LONGEST_REASON = 200  # characters quoted from a great_expectations message
SHOWN = 5  # values shown if rows fail an expectation


class Evaluated(NamedTuple):
    """An expectation, its reason, the observed value, whether it is kept, and whether publishing requires it."""

    table: str
    expectation: str
    reason: str
    observed: str
    is_kept: bool
    is_required: bool


def evaluate(frames: Mapping[str, Any], tables: Mapping[str, str], root: Path) -> list[Evaluated]:
    """Evaluate the suite of every published table by the checkpoint `release` of a new context `gx/` in this folder.

    `frames` has the rows of each file by its name, and `tables` the name of its contract.
    """
    suites = {
        name: (frame, [*_contract_expectations(tables[name]), *_expectations(name, frame)])
        for name, frame in frames.items()
        if len(frame)
    }
    suites["estimates_by_domain"] = (frames["estimates"], [*_expectations("estimates_by_domain", frames["estimates"])])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        shutil.rmtree(root / CONTEXT, ignore_errors=True)
        return [*_validate(gx.get_context(mode="file", project_root_dir=root), suites)]


def _contract_expectations(table: str) -> Iterator[Any]:
    """Yield the expectations that a table has its contract's columns and key; `contracts` has checked the values."""
    key = grain(table)
    yield gxe.ExpectTableColumnsToMatchOrderedList(
        column_list=[*columns_of(table)],
        description="the columns are those of the data dictionary, in its order",
        notes="programs that read a file by place would take one column for another",
    )
    words = {"description": f"no two rows have the same {', '.join(key)}", "notes": TABLES[table].row}
    if len(key) == 1:
        yield gxe.ExpectColumnValuesToBeUnique(column=key[0], **words)
    else:
        yield gxe.ExpectCompoundColumnsToBeUnique(column_list=[*key], **words)


def _expectations(suite: str, frame: Any) -> Iterator[Any]:
    """Yield the expectations in SUITES, for each domain if they name it, if their columns have enough values."""
    for declaration in SUITES.get(suite, ()):
        for domain in sorted(set(frame["domain"])) if "{domain}" in declaration["description"] else [""]:
            settings = {
                **declaration,
                "description": declaration["description"].format(domain=domain.replace("_", " ")),
            }
            kind, fewest, column = settings.pop("kind"), settings.pop("fewest", 0), settings.pop("of", None)
            if "row_condition" in settings:
                name, comparison, value = settings["row_condition"]
                settings["row_condition"] = getattr(operator, comparison)(Column(name), domain if domain else value)
            rows = frame[frame["domain"] == domain] if domain else frame
            if column is None or rows[column].notna().sum() >= fewest:
                yield getattr(gxe, f"Expect{kind}")(**settings)


def _validate(context: Any, suites: Mapping[str, tuple[Any, Sequence[Any]]]) -> Iterator[Evaluated]:
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
            yield Evaluated(table, words, expectation.notes, _observation(result), bool(result.success), is_required)


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


def _observation(result: Any) -> str:
    """Return the observed value of a result, otherwise how many values fail the expectation and the first of them."""
    outcome = result.result
    if "observed_value" in outcome:
        value = outcome["observed_value"]
        return f"{float(value):.4g}" if isinstance(value, float) else f"{len(value)} columns" if value else "nothing"
    if outcome.get("unexpected_count") == 0:
        return "no row fails it"
    if "unexpected_count" not in outcome:
        return "it could not be evaluated"
    if "mostly" in result.expectation_config.kwargs:
        return f"{outcome['unexpected_percent_nonmissing']:.3g} %"
    named = ", ".join(str(value) for value in outcome["partial_unexpected_list"][:SHOWN])
    return f"{outcome['unexpected_count']} fail it: {named}"


def failures(outcomes: Sequence[Evaluated]) -> list[str]:
    """Return one line for each required expectation that the release does not meet."""
    return [
        f"{outcome.table}: expected that {outcome.expectation}; found {outcome.observed}; {outcome.reason}"
        for outcome in outcomes
        if outcome.is_required and not outcome.is_kept
    ]
