"""`flopledger convert`: records of the former form into the present one."""

from pathlib import Path
from typing import Annotated

import typer

from pipeline.commands import output
from pipeline.commands.problems import reported


def convert(paths: Annotated[list[Path], typer.Argument(help="Records (YAML) or folders of records.")]) -> None:
    """Rewrite records in which every fact repeats its words (text, read) into the present form, in place."""
    from pipeline.records.convert import convert_files
    from pipeline.records.yaml_text import RecordError

    with reported(RecordError):
        rewritten, number = convert_files(paths)
    output.tell(
        [f"{rewritten} of {number} record{'s' if number > 1 else ''} rewritten; the others are in the present form"]
    )
