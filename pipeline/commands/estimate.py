"""`flopledger estimate`: a user's own model, a model with changed inputs, or every row of another catalogue."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from pipeline.answers import ledger, networks, output
from pipeline.answers.options import Json, with_figures
from pipeline.answers.problems import reported
from pipeline.base.paths import replace_file
from pipeline.base.text.progress import status
from pipeline.records import run_files
from schemas.errors import InputError
from schemas.figures import Figures, declarations, stated_figures


@with_figures()
def estimate(
    file: Annotated[
        str | None,
        typer.Argument(
            metavar="FILE|MODEL",
            help="A model record (YAML), a model in the ledger, a catalogue, or the folder, a file or a log of a run;"
            " leave it out if you state figures, such as --parameters.",
        ),
    ] = None,
    save: Annotated[Path | None, typer.Option(help="Write the record of these figures here (YAML).")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Print everything behind the number.")] = False,
    json: Json = False,
    from_: Annotated[
        Literal["epoch"] | None, typer.Option("--from", help="Read all rows of FILE, which is this catalogue (CSV).")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Write a catalogue's estimates to this file (CSV).")] = None,
    **figures: Any,
) -> None:
    """Estimate the training compute of your own model.

    The published estimates are made by the same code. The command also estimates a model in the ledger under another
    assumption, or every row of a catalogue. Write figures as 7B, 2T, 1.5e12, 350k, or a range such as 5..6.

    Operations follow from --parameters or --config, and from the examples: --tokens or --images (with --epochs), or
    --steps and --batch. GPU time follows from --hardware and either --chip-hours or --chips and --days. Either is
    enough. Your figures are exact, except for the width of a range; those above the chips' peak are refused.

    With --hardware, you may leave out one of parameters, tokens, chips and days: it is forecast at the utilization of
    similar whole runs, with chip-hours, energy, cost and CO2.

    With --from, every readable row is written to --out, with source_row (1 is the first after the header), an estimate
    or the reason why there is none, and the rules used. Unreadable rows go to a file next to it, OUT.quarantine.csv.
    We use the catalogue's inputs, never the compute that it states, and a record's number if the row's model has one.
    """
    own_figures = stated_figures(figures)
    if file is not None and not from_ and run_files.is_of_run(file):
        estimate_own(own_figures, json, save, explain=explain, files=Path(file))
        return
    if refusal := _refusal(file, own_figures, save, json, from_, out):
        raise typer.BadParameter(refusal)
    if file is None:
        estimate_own(own_figures, json, save, explain=explain)
        return
    if out:
        estimate_catalogue(Path(file), out)
        return
    if Path(file).is_dir():
        output.remark(f"remark: {file} is taken for the name of a model, because the folder has no file of a run")
    if own_figures:
        estimate_supposed(file, json, own_figures)
    else:
        answer_model(ledger.account_of(file), json, explain=explain)


def _refusal(
    file: str | None,
    own_figures: Figures,
    save: Path | None,
    json: bool,
    from_: Literal["epoch"] | None,
    out: Path | None,
) -> str | None:
    """Return why these arguments cannot be combined, or None if they can."""
    if file is None:
        if from_ or out:
            return "--from and --out need FILE: the catalogue"
        return None if own_figures else "state FILE or MODEL, or figures, such as --parameters 7B --tokens 2T"
    of_own_models = [
        *(key for key in own_figures if not declarations()[key][1].is_supposable),
        *(["save"] if save else []),
    ]
    if of_own_models:
        options = ", ".join(f"--{key.replace('_', '-')}" for key in of_own_models)
        return f"{options}: for a model of your own; leave out {file}, or state --config {file} if it is a network"
    if (from_ or out) and own_figures:
        return "--utilization, --precision, --epochs and --hardware are for one model"
    if (from_ or out) and (not (from_ and out) or json):
        return "--from and --out go together, without --json: both files are CSV"
    return None


def estimate_own(figures: Figures, json: bool, save: Path | None, *, explain: bool, files: Path | None = None) -> None:
    """Write the estimate of a run from a few figures and, if `files` is given, from the files that it left behind.

    If `save` is given, write a record of the figures to that file.
    """
    from pipeline.answers import own_run
    from pipeline.publishing.database import DatabaseError
    from pipeline.records import run_record

    with (
        reported(DatabaseError, InputError),
        ledger.own_connection() as connection,
        networks.local_network(figures.get("config", "")) as config,
    ):
        complete: Figures = {**figures, "config": config} if config else figures
        identifier = run_record.identifier_of(save) if save else "my-model"
        run = own_run.run(connection, complete, identifier, files)
    if save:
        text = run_record.text(run["record"], save.name)
        replace_file(save, text)
    answer_model(run, json, explain=explain)
    if save:
        output.remark(f"{save}: the record of these figures; `flopledger estimate {save}` estimates it again")


def answer_model(account: Any, json: bool, *, explain: bool) -> None:
    """Write the estimate of one model."""
    from pipeline.answers import own_run_text

    lines = own_run_text.explanation if explain else own_run_text.screen
    output.answer(account, lines(account), as_json=json)


def estimate_catalogue(file: Path, out: Path) -> None:
    """Write estimates for all rows of a catalogue, and print how many rows have one."""
    from pipeline.catalogues import epoch, estimates, output_files
    from pipeline.catalogues.record_lookup import headlines
    from pipeline.catalogues.sheets import CatalogueError
    from pipeline.records import params
    from pipeline.records.ledger import load_among
    from pipeline.records.yaml_text import RecordError
    from schemas.errors import ContractError

    with reported(RecordError, ContractError, CatalogueError):
        if out.resolve() == file.resolve():
            raise LookupError(f"{out} is the catalogue itself; name another file for the estimates")
        output_files.check(out)  # check now, because estimation takes minutes
        with status(file.name) as show:
            show("reading the ledger's records and headlines")
            parameters = params.load()
            records = load_among()
            known = headlines(records, parameters)
            show("reading the table")
            catalogue = epoch.read(file, records)
            show("estimating the rows")
            done = output_files.write(estimates.estimate(catalogue, records, parameters, known), out)
    for remark in catalogue.remarks:
        output.remark(remark)
    output.tell([output_files.summary(done, out)])


def estimate_supposed(file: str, json: bool, figures: Figures) -> None:
    """Write what the estimate of one model would be with another utilization, precision, number of epochs or chip."""
    from pipeline.answers import what_if

    with ledger.model_tables(file) as (connection, identifier, _):
        changes, before, after = what_if.before_and_after(connection, identifier, figures)
    if json:
        output.say(output.as_json({"supposed": changes, "before": before, "after": after}))
        return
    output.write(["quantity", "before", "after", "factor"], what_if.lines(before, after), digits=4)
    for remark in what_if.remarks(changes, before, after):
        output.remark(remark)
