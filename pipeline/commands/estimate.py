"""`flopledger estimate`: a user's own model, a model with changed inputs, or every row of another catalogue."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline import progress
from pipeline.commands import ledger, output
from pipeline.commands.options import Json
from pipeline.commands.problems import reported
from pipeline.commands.progress import working

if TYPE_CHECKING:
    from schemas.records import Records


CATALOGUE_STAGES = (
    "reading the ledger's records",
    "reading the table",
    "headlines of models that have a record",
    "estimating the rows",
    "writing",
)


class CatalogueName(StrEnum):
    """Other people's tables of models that can be read."""

    EPOCH = "epoch"


def estimate(
    file: Annotated[
        Path, typer.Argument(metavar="FILE|MODEL", help="A model record (YAML), a model of the ledger, or a catalogue.")
    ],
    json: Json = False,
    from_: Annotated[
        CatalogueName | None, typer.Option("--from", help="Read FILE as this catalogue (CSV), all its rows.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where the estimates of a catalogue go (CSV).")] = None,
    utilization: Annotated[float | None, typer.Option(help="What if it reached this share of the peak?")] = None,
    precision: Annotated[str | None, typer.Option(help="What if it multiplied in this format, such as bf16?")] = None,
    epochs: Annotated[float | None, typer.Option(help="What if it saw its data this many times?")] = None,
    hardware: Annotated[str | None, typer.Option(help="What if its chips were these?")] = None,
) -> None:
    """Estimate the training compute of a model of your own, or of a catalogue, through the same code as the published set."""
    supposed = (utilization, precision, epochs, hardware)
    is_what_if = any(each is not None for each in supposed)
    if from_ or out:
        if is_what_if:
            raise typer.BadParameter("--utilization, --precision, --epochs and --hardware are for one model")
        if not (from_ and out) or json:
            raise typer.BadParameter("--from and --out go together, without --json: both files are CSV")
        estimate_catalogue(file, out)
    elif is_what_if:
        estimate_supposed(file, json, *supposed)
    else:
        estimate_model(file, json)


def estimate_model(file: Path, json: bool) -> None:
    """Writes the estimate of one model as recorded."""
    from pipeline.commands import account, explanation
    from pipeline.records.loading import RecordError
    from schemas.table import ContractError

    with reported(RecordError, ContractError):
        identifier, everything, is_published = find(file)
        with working("running the stages"):
            tables = account.published(identifier) if is_published else None
            tables = tables or account.account(identifier, everything)
    if json:
        output.say(account.as_json(tables, identifier))
    else:
        output.tell(explanation.summary(tables, identifier))


def find(file: Path) -> tuple[str, Records, bool]:
    """The id and records of a file or of a model of the ledger, and whether it is of the ledger.

    Raises LookupError or RecordError.
    """
    from pipeline.commands import account

    if not file.exists() and len(file.parts) == 1 and file.suffix not in (".yaml", ".yml", ".csv"):
        everything = ledger.load()
        return account.find(str(file), everything), everything, True
    if file.suffix.lower() == ".csv":
        raise LookupError(
            f"{file} is a table and no record; to estimate its rows say whose it is, and where the estimates go:"
            f" flopledger estimate --from epoch {file} --out estimates.csv"
        )
    own = None if file.is_dir() else ledger.load([file], without_model=file.stem)
    if own is None or file.stem not in own.models:
        raise LookupError(f"{file} is not the record of a model; `validate` checks the others")
    return file.stem, own, False


def estimate_supposed(file: Path, json: bool, *supposed: Any) -> None:
    """Writes what the estimate of one model would be with another utilization, precision, number of epochs or chip."""
    from pipeline.commands import what_if
    from pipeline.records.loading import RecordError
    from schemas.table import ContractError

    changes = what_if.Changes(*supposed)
    with reported(RecordError, ContractError):
        identifier, everything, _ = find(file)
        try:
            with working("running the stages"):
                before, after = what_if.before_and_after(identifier, changes, everything)
        except what_if.SupposedError as problem:
            raise typer.BadParameter(str(problem)) from None
    if json:
        output.say(what_if.as_json(changes, before, after))
        return
    output.write(["quantity", "before", "after", "factor"], what_if.lines(before, after), digits=4)
    for remark in what_if.remarks(changes, before, after):
        output.remark(remark)


def estimate_catalogue(file: Path, out: Path) -> None:
    """Writes estimates of all rows of a catalogue, and prints how many rows have one."""
    from pipeline.catalogues import epoch, estimates, headlines, written
    from pipeline.catalogues.cells import CatalogueError
    from pipeline.records import params
    from pipeline.records.loading import RecordError
    from schemas.table import ContractError

    with reported(RecordError, ContractError, CatalogueError):
        if out.resolve() == file.resolve():
            raise LookupError(f"{out} is the catalogue itself; name another file for the estimates")
        written.check(out)  # before the minutes of estimating
        with progress.stages(file.name, CATALOGUE_STAGES) as next_stage:
            next_stage()
            known = ledger.load()
            next_stage()
            catalogue = epoch.read(file, known)
            parameters = params.load()
            next_stage()
            of_records = headlines.of_ledger(known, parameters)
            next_stage()
            estimated = estimates.estimate(catalogue, known, parameters, of_records)
            next_stage()
            quarantine = written.write(estimated, out)
    for remark in catalogue.remarks:
        output.remark(remark)
    output.tell([written.told(estimated, out, quarantine)])
