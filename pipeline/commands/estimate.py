"""`flopledger estimate`: a user's own model, a model with changed inputs, or every row of another catalogue."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from pipeline.base.paths import replace_file
from pipeline.base.text import progress
from pipeline.commands import ledger, output
from pipeline.commands.options import Json
from pipeline.commands.problems import reported, stop

CATALOGUE_STAGES = ("reading the ledger's records and headlines", "reading the table", "estimating the rows")
SUPPOSED = ("utilization", "precision", "epochs", "hardware")  # what of a model that exists can be supposed
NO_FIGURES = ("file", "json", "from_", "out", "save")  # of the options; the others are those of records.own.Inputs


class CatalogueName(StrEnum):
    """Other people's tables of models that can be read."""

    EPOCH = "epoch"


def estimate(
    context: typer.Context,
    file: Annotated[
        Path | None,
        typer.Argument(
            metavar="FILE|MODEL",
            help="A model record (YAML), a model of the ledger, or a catalogue; none with --parameters and the like.",
        ),
    ] = None,
    parameters: Annotated[str | None, typer.Option(help="Parameters, such as 7B.")] = None,
    active_parameters: Annotated[
        str | None, typer.Option(help="Of a mixture of experts: those that one token uses.")
    ] = None,
    tokens: Annotated[
        str | None, typer.Option(help="Tokens seen in training, such as 2T; with --epochs those of the data set.")
    ] = None,
    images: Annotated[str | None, typer.Option(help="Images of the data set, seen --epochs times.")] = None,
    epochs: Annotated[
        str | None, typer.Option(help="Passes over the data; with FILE or MODEL: in place of the recorded value")
    ] = None,
    steps: Annotated[str | None, typer.Option(help="Updates, each of one --batch.")] = None,
    batch: Annotated[
        str | None, typer.Option(help="Batch of a step: sequences with --sequence-length, else tokens, or images.")
    ] = None,
    sequence_length: Annotated[str | None, typer.Option(help="Tokens of a sequence.")] = None,
    chips: Annotated[str | None, typer.Option(help="Number of chips.")] = None,
    hardware: Annotated[
        str | None, typer.Option(help="The chips, such as H100; with FILE or MODEL: in place of the recorded value")
    ] = None,
    days: Annotated[str | None, typer.Option(help="Days that the chips ran.")] = None,
    chip_hours: Annotated[str | None, typer.Option(help="Hours of all chips together, in place of --days.")] = None,
    precision: Annotated[
        str | None,
        typer.Option(help="Format of the products, such as bf16; with FILE or MODEL: in place of the recorded value"),
    ] = None,
    utilization: Annotated[
        str | None,
        typer.Option(
            help="Share of the peak reached (MFU), such as 0.4; with FILE or MODEL: in place of the recorded value"
        ),
    ] = None,
    config: Annotated[
        str | None,
        typer.Option(help="The network: a config.json, a record or layers in YAML, or a name such as resnet50."),
    ] = None,
    image_size: Annotated[int | None, typer.Option(min=1, max=10**6, help="Side of its square images.")] = None,
    prediction_depth: Annotated[
        int | None, typer.Option(min=0, max=100, help="Its modules that predict further tokens, in training.")
    ] = None,
    base_model: Annotated[str | None, typer.Option(help="The model of the ledger that was trained further.")] = None,
    domain: Annotated[str | None, typer.Option(help="Such as language or vision.")] = None,
    published: Annotated[str | None, typer.Option(help="Such as 2024-05 or 2024; else this year.")] = None,
    trained_in: Annotated[
        str | None, typer.Option(help="The country where it is trained, whose grid is taken; else the world's mean.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="What the model is called.")] = None,
    save: Annotated[Path | None, typer.Option(help="Write the record of these figures here (YAML).")] = None,
    json: Json = False,
    from_: Annotated[
        CatalogueName | None, typer.Option("--from", help="Read FILE as this catalogue (CSV), all its rows.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Where the estimates of a catalogue go (CSV).")] = None,
) -> None:
    """Estimate the training compute of a model of your own, or of a catalogue, through the same code as the published set.

    Figures as people write them: 7B, 2T, 1.5e12, 350k, or a range 5..6.

    Operations follow from --parameters or --config, and the examples: --tokens or --images (with --epochs), or --steps
    and --batch. GPU time follows from --hardware and --chip-hours, or --chips and --days. Either is enough. Your
    figures count as exact, but for the width of a range; the answer lists what was filled in and how, and what would
    narrow its interval most. Figures by which the chips would do more than their peak are refused.

    Of parameters, tokens, chips and days one may be left out (with --hardware): it is forecast, with chip-hours,
    energy, cost and CO2, at the utilization of whole runs like it, each with a 90 % interval.

    With --from, --out has every row that can be read, with source_row (1 is the first after the header), an estimate
    or the reason why there is none, and the rules used; the others go to a file beside it, OUT.quarantine.csv. A cell
    that cannot be read is left out, and the rest of its row is used. What the catalogue collected is used, never the compute that it
    worked out. A row whose model has a record has the record's number. Where passes over the data come from a rule, or
    the base model is not known, there is no point estimate. A table of more than 64 MB is
    refused, since all its rows are held in memory.
    """
    given = {key: value for key, value in context.params.items() if value is not None and key not in NO_FIGURES}
    if refusal := _refusal(file, given, save, json, from_, out):
        raise typer.BadParameter(refusal)
    if file is None:
        estimate_own(given, json, save)
    elif out:
        estimate_catalogue(file, out)
    elif given:
        estimate_supposed(file, json, **given)
    else:
        estimate_model(file, json)


def _refusal(
    file: Path | None,
    given: dict[str, Any],
    save: Path | None,
    json: bool,
    from_: CatalogueName | None,
    out: Path | None,
) -> str | None:
    """Why these words do not go together; None where they do."""
    if file is None:
        if from_ or out:
            return "--from and --out need FILE: the catalogue"
        return None if given else "state FILE or MODEL, or figures, such as --parameters 7B --tokens 2T"
    of_own_models = [*(key for key in given if key not in SUPPOSED), *(["save"] if save else [])]
    if of_own_models:
        stated = ", ".join(f"--{key.replace('_', '-')}" for key in of_own_models)
        return f"{stated}: for a model of your own; leave out {file}, which is taken as FILE or MODEL"
    if (from_ or out) and given:
        return "--utilization, --precision, --epochs and --hardware are for one model"
    if (from_ or out) and (not (from_ and out) or json):
        return "--from and --out go together, without --json: both files are CSV"
    return None


def estimate_own(given: dict[str, Any], json: bool, save: Path | None) -> None:
    """Writes the estimate of a model of which a few figures are stated; `save` gets the record of them."""
    from pipeline.commands import forecast, own_model
    from pipeline.publishing.database import DatabaseError
    from pipeline.records import own

    inputs = own.Inputs(**given)
    try:
        identifier = own.identifier_of(save) if save else "my-model"
        with reported(DatabaseError):
            estimated = own_model.estimated(inputs, identifier)
            planned = forecast.forecast(inputs)
        if planned:  # of a run that is to come nothing else is known
            estimated = estimated._replace(
                narrowing=[each for each in estimated.narrowing if not each.is_second_method]
            )
    except own.InputError as problem:
        stop(problem.as_options())
    if save:
        text = own.text(estimated.record, save.name)
        replace_file(save, lambda beside: beside.write_text(text, encoding="utf-8"))
    if json:
        output.say(own_model.as_json(estimated, inputs, forecast.keys(planned) if planned else {}))
    else:
        output.tell(own_model.lines(estimated, forecast.lines(planned) if planned else ()))
    if save:
        output.remark(f"{save}: the record of these figures; `flopledger estimate {save}` estimates it again")


def estimate_model(file: Path, json: bool) -> None:
    """Writes the estimate of one model as recorded."""
    from pipeline.commands import account_text

    account = ledger.account_of(str(file))
    output.answer(account, account_text.screen(account), as_json=json)


def estimate_supposed(file: Path, json: bool, **supposed: str) -> None:
    """Writes what the estimate of one model would be with another utilization, precision, number of epochs or chip."""
    from pipeline.commands import what_if
    from schemas.shorthand import ShorthandError, number

    try:
        numbers = {key: number(value) for key, value in supposed.items() if key in ("utilization", "epochs")}
        changes = what_if.Changes(**{**supposed, **numbers})
        with ledger.opened_model(str(file)) as (connection, identifier, _):
            before, after = what_if.before_and_after(connection, identifier, changes)
    except (ShorthandError, what_if.SupposedError) as problem:
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
    from pipeline.catalogues.cells import CatalogueError, check_size
    from pipeline.records import params
    from pipeline.records.ledger import load_among
    from pipeline.records.yaml_text import RecordError
    from schemas.errors import ContractError

    with reported(RecordError, ContractError, CatalogueError):
        if out.resolve() == file.resolve():
            raise LookupError(f"{out} is the catalogue itself; name another file for the estimates")
        written.check(out)  # before the minutes of estimating
        check_size(file)
        with progress.stages(file.name, CATALOGUE_STAGES) as next_stage:
            next_stage()
            parameters = params.load()
            records = load_among()
            known = headlines.of_ledger(records, parameters)
            next_stage()
            catalogue = epoch.read(file, records)
            next_stage()
            done = written.write(estimates.estimate(catalogue, records, parameters, known), out)
    for remark in catalogue.remarks:
        output.remark(remark)
    output.tell([written.summary(done, out)])
