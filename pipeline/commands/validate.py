"""`flopledger validate`: list every problem in records, with file and line."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.answers import ledger, output
from pipeline.answers.problems import reported
from pipeline.base.paths import RECORDS, replace_file

if TYPE_CHECKING:
    from pipeline.base.text.numerals import Amount
    from pipeline.models.sql import Row
    from pipeline.records.yaml_text import Mistake
    from schemas.facts import Fact
    from schemas.records import Records

# A folder with these subfolders is a complete ledger. Records in other folders are checked together with ours.
WHOLE_LEDGER = ("defaults", "hardware", "models")


def validate(
    paths: Annotated[list[Path], typer.Argument(help="Records (YAML) or folders of records.")],
    against: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="A publication that the record quotes: PDF, HTML, Markdown, LaTeX, text, config.json. Repeatable.",
        ),
    ] = None,
    source: Annotated[
        str | None, typer.Option(help="With --against: the source in the record that the files belong to.")
    ] = None,
    write: Annotated[
        bool,
        typer.Option("--write", help="With --against: write the place of each quote without `where` into the record."),
    ] = False,
    summary: Annotated[
        bool, typer.Option("--summary", help="Print the words around each number, and the quote's other numbers.")
    ] = False,
) -> None:
    """Check records and list every problem with its file and line.

    Each problem has one line: the file and line, the key, what is wrong, and the nearest valid value.

    --against also looks up each quote of the record in its publication, and prints how much of it is there, with the
    page of a PDF or the heading above it; --write writes these places into the record. A quote that is not there is a
    problem, unless each of its numbers is in the file. A quote with a number that the file lacks is a problem. The
    source is recognized by its title or by the arXiv number in the file's name; otherwise, state --source. Several
    files of one source (a paper's LaTeX) are read as one. Nothing is downloaded, and time and memory are limited.

    --summary is for whoever reviews a record: the number may be right and its meaning wrong.
    """
    from pipeline.publishing import verification
    from pipeline.records.yaml_text import RecordError
    from schemas.errors import ContractError

    if (source or write) and not against:
        raise typer.BadParameter("--source and --write go with --against, which names the publication")
    if against and (len(paths) != 1 or not paths[0].is_file()):
        raise typer.BadParameter("--against goes with one record")
    with reported(RecordError, ContractError):
        remarks = check(paths)
    if any(ledger_of(path) == RECORDS for path in paths):
        remarks += verification.changed_snapshots()
    for remark in remarks:
        output.remark(f"remark: {remark}")
    number = len(set(_files(paths)))
    kind = "s, which are not problems" if len(remarks) > 1 else ", which is not a problem"
    beside = f"; {len(remarks)} remark{kind}" if remarks else ""
    output.tell([f"{number} record{'s' if number > 1 else ''} read; no problems{beside}"])
    if summary:
        output.tell(numbers_in_quotes(_files(paths)))
    if against:
        look_up(paths[0], against, source, write)
    if sys.stdout.isatty():
        output.tell(next_steps(paths))


def numbers_in_quotes(paths: Iterable[Path]) -> Iterator[str]:
    """Yield a line per quoted number of these records, with the words around it and the quote's other numbers."""
    from pipeline.base.text import numerals
    from pipeline.records.loading import read
    from schemas import records
    from schemas.facts import Fact

    for record in (read(path)[0].record for path in paths):
        for key, fact in records.facts(record):
            for quote in record.quotes_of(fact) if isinstance(fact, Fact) else ():
                words = _words(fact, numerals.plain_text(quote.text), numerals.amounts(quote.text))
                yield f"{key}: {_stated_text(fact)}: {words}"


def _stated_text(fact: Fact) -> str:
    numbers = " to ".join(f"{number:g}" if isinstance(number, float) else str(number) for number in fact.stated)
    return f"{numbers} = {fact.derived}" if fact.derived else numbers


def _words(fact: Fact, text: str, amounts: Sequence[Amount]) -> str:
    """Return the words around a fact's number, or the whole text if it is derived, and the text's other numbers."""
    worths = {*fact.numbers, *fact.bounds}
    found = [amount for amount in amounts if worths & amount.worths]
    others = [text[other.start : other.end] for other in amounts if other not in found]
    start, end = (max(found[0].start - 40, 0), found[0].end + 25) if found else (0, len(text))
    words = f"{'…' if start else ''}{text[start:end]}{'…' if end < len(text) else ''}"
    return f"“{words}”; other numbers: {', '.join(filter(re.compile('[0-9]').search, others)) or 'none'}"


def look_up(path: Path, files: list[Path], given: str | None, is_written: bool = False) -> None:
    """Look up the quotes of a record's source in these files, and write their places. Exit with 1 if one is missing."""
    from pipeline.base.text.progress import status
    from pipeline.records.loading import read
    from pipeline.tools import quotes

    record = read(path)[0].record
    with reported(quotes.UnreadableError), status("reading publications"):
        source = quotes.source_of(record, files, given)
        texts = {name: quote.text for name, quote in record.quotes.items() if quote.source == source}
        found = quotes.look_up(texts, files)
    output.tell(f"{place.match}  {name}{f'  {place.place}' if place.place else ''}" for name, place in found.items())
    places = {name: place.place for name, place in found.items() if place.place and not record.quotes[name].where}
    if places and is_written:
        replace_file(path, quotes.with_places(path.read_text(encoding="utf-8"), places))
    if places:
        written = f"written to {path}" if is_written else "--write adds them to the record"
        output.tell([f"{len(places)} places are new; {written}"])
    absent = sum(place.match in ("absent", "other numbers") for place in found.values())
    output.tell([f"{len(found) - absent} of {len(found)} quotes of {source} were found"])
    if absent:
        raise typer.Exit(1)


def next_steps(paths: Iterable[Path]) -> Iterator[str]:
    """Yield what to do next with valid records: look at a model's estimate, then rebuild the ledger."""
    from pipeline.records.loading import kind_of

    for path in paths:
        if path.is_file() and kind_of(path) == "models":
            yield f"next: `flopledger estimate {path}` shows its estimate"
    if any(path.resolve().is_relative_to(RECORDS.resolve()) for path in paths):
        yield "next: `make repro` adds the records; `flopledger diff` then shows what changed; commit data and dvc.lock"


def check(paths: Iterable[Path]) -> list[str]:
    """Check these records, and return remarks that are not problems; show both methods of a single model.

    If there are problems, raise RecordError, which lists all of them.
    """
    from pipeline.records import params
    from pipeline.records.refusals import mistake_at
    from pipeline.records.yaml_text import RecordError
    from pipeline.rules import plausibility

    ratio = params.load().reconcile.dispute_ratio
    by_ledger: dict[Path, list[Path]] = {}
    for path in paths:
        by_ledger.setdefault(ledger_of(path), []).append(path)
    mistakes: list[Mistake] = []
    remarks: list[str] = []
    for folder, paths_there in by_ledger.items():
        try:
            records = ledger.load(paths_there, folder)
            models, rows = method_rows(paths_there, records)
            above = plausibility.runs_above_peak(rows)
            mistakes += [mistake_at(models[name], "training", message) for name, message in above.items()]
            remarks += records.remarks
            for row in rows:
                message = plausibility.two_methods(row)
                if message and len(rows) == 1:
                    output.tell([message])
                if message and plausibility.are_far_apart(row, ratio) and not records.models[row["model_id"]].dispute:
                    remarks.append(
                        str(mistake_at(models[row["model_id"]], "training", f"{message}; {plausibility.FAR_APART}"))
                    )
        except RecordError as problem:
            mistakes += problem.mistakes
    if mistakes:
        raise RecordError(mistakes)
    return remarks


def _files(paths: Iterable[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.rglob("*.yaml")) if path.is_dir() else [path]


def method_rows(paths: Iterable[Path], records: Records) -> tuple[dict[str, Path], list[Row]]:
    """Return the file of each model in these files and folders, and rows with both totals of its own training."""
    from pipeline.engines import in_memory
    from pipeline.models import sql
    from pipeline.records import params
    from pipeline.records.loading import kind_of
    from pipeline.records.refusals import in_records
    from schemas.errors import ContractError

    models = {file.stem: file for file in _files(paths) if kind_of(file) == "models" and file.stem in records.models}
    if not models:
        return {}, []
    # The check does not depend on base models or on utilizations predicted from measurements.
    own_training = {name: records.models[name].model_copy(update={"base_model": []}) for name in models}
    without_others = replace(records, models=own_training, measurements={}, errata={}, gold_runs={})
    try:
        rows = sql.rows(in_memory.make(["reconciliations"], without_others, params.load())["reconciliations"])
    except ContractError as problem:
        raise in_records(problem, models) from None
    return models, rows


def ledger_of(path: Path) -> Path:
    """Return the root folder of the ledger that a record belongs to.

    Records in another checkout refer to each other. If we checked them together with ours, every id would be a
    duplicate.
    """
    for folder in (path, *path.absolute().parents):
        is_whole = all((folder / kind).is_dir() for kind in WHOLE_LEDGER)
        if is_whole and folder.resolve() != RECORDS.resolve():
            return folder
    return RECORDS
