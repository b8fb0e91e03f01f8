"""`flopledger new`: a commented draft of a record."""

import os
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from pipeline.answers import output
from pipeline.answers.problems import reported
from pipeline.base.paths import ROOT


class RecordKind(StrEnum):
    """Kinds of records that people add."""

    MODEL = "model"
    ORGANIZATION = "organization"
    CHIP = "chip"
    MEASUREMENT = "measurement"
    ERRATUM = "erratum"


def new(
    kind: Annotated[RecordKind, typer.Argument(help="The kind of record.")],
    identifier: Annotated[str, typer.Argument(metavar="ID", help="Its permanent id, such as gpt-3.")],
    into_ledger: Annotated[
        bool, typer.Option("--into-ledger", help="Write a model's draft into data/records/models, to contribute it.")
    ] = False,
) -> None:
    """Write a commented draft of a record.

    A model's draft is written to the current folder, any other draft to the ledger's records.
    """
    from pipeline.records import drafts

    with reported(drafts.DraftError):
        is_own = kind == RecordKind.MODEL and not into_ledger
        path = drafts.write_draft(kind.value, identifier, ROOT, Path.cwd() if is_own else None)
        drafts.write_editor_schemas()  # the draft's first line refers to them
    near = os.path.relpath(path)
    after = f"estimate it with `flopledger estimate {near}`" if is_own else "CONTRIBUTING.md has the rules"
    output.tell([f"{near}: fill it in, then check it with `flopledger validate {near}`; {after}"])
