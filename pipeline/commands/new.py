"""`flopledger new`: a commented draft of a record."""

import os
from enum import StrEnum
from typing import Annotated

import typer

from pipeline.commands import output
from pipeline.commands.problems import reported
from pipeline.paths import ROOT


class RecordKind(StrEnum):
    """Kinds of records that a person adds."""

    MODEL = "model"
    ORGANIZATION = "organization"
    CHIP = "chip"
    MEASUREMENT = "measurement"
    ERRATUM = "erratum"


def new(
    kind: Annotated[RecordKind, typer.Argument(help="What to write a record of.")],
    identifier: Annotated[str, typer.Argument(metavar="ID", help="Its permanent id, such as gpt-3.")],
) -> None:
    """Write a commented draft of a record to fill in, where records of its kind stand."""
    from pipeline.records import drafts

    with reported(drafts.DraftError):
        path = drafts.write_draft(kind.value, identifier, ROOT)
    near = os.path.relpath(path)
    output.tell([f"{near}: fill it in, then check it with `flopledger validate {near}`; CONTRIBUTING.md has the rules"])
