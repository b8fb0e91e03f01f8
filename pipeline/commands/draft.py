"""`flopledger draft`: facts proposed from a publication, and a record's quotes looked up in it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pipeline.commands import ledger, output
from pipeline.commands.problems import reported
from pipeline.commands.progress import working
from pipeline.paths import RECORDS

if TYPE_CHECKING:
    from pipeline.drafting.checking import Checked
    from pipeline.drafting.documents import Document
    from schemas.records import Model, Records


def draft(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="A publication: PDF, HTML, Markdown, LaTeX, text or config.json."),
    ] = None,
    check: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Look up the quotes of this model's record.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="With --check: write the places found into the record.")
    ] = False,
    source: Annotated[str | None, typer.Option(help="With --check: which source of the record the file is.")] = None,
) -> None:
    """Look up a record's quotes in its publications: which stand there and where, which do not."""
    if not files:
        raise typer.BadParameter("state a file: the publication, as PDF, HTML, Markdown, LaTeX, text or config.json")
    if check is None:
        raise typer.BadParameter("state --check with a model")
    check_record(check, files, source, write)


def check_record(name: str, files: list[Path], source: str | None, write: bool) -> None:
    """Looks up the quotes of a model's record in these files, and writes their places where asked to."""
    from pipeline.commands import account
    from pipeline.drafting import checking
    from pipeline.drafting.documents import UnreadableError
    from pipeline.records.loading import RecordError

    with reported(RecordError, UnreadableError):
        records = ledger.load()
        identifier = account.find(name, records)
        record = records.models[identifier]
        documents = [_read(file) for file in files]
        found = [(document, checking.source_of(record, document, source)) for document in documents]
        checked: list[Checked] = []
        for document, key in found:
            own = checking.check(record, document, key)
            output.say(
                f"{identifier}: {len(own)} quotes of {key} in {os.path.relpath(document.name)} ({document.form})"
            )
            checked += own
            output.say("\n".join(map(_line, own)))
            for line in _contradictions(identifier, record, key, document, records):
                output.say(line)
    standing, total = checking.share_standing(checked)
    output.say(f"{standing} of {total} quotes stand there")
    places = {
        each.quote: each.location.passage.where for each in reversed(checked) if each.is_new and each.location.passage
    }
    if write and places:
        path = RECORDS / "models" / f"{identifier}.yaml"
        from pipeline.paths import replace_file

        text = checking.with_places(path.read_text(encoding="utf-8"), places)
        replace_file(path, lambda beside: beside.write_text(text, encoding="utf-8"))
        output.say(
            f"{os.path.relpath(path)}: {len(places)} places written; `flopledger validate {os.path.relpath(path)}` checks it"
        )
    elif places:
        output.say(f"{len(places)} places are new; --write puts them into the record")


def _read(file: Path) -> Document:
    from pipeline.drafting import reading

    with working(f"reading {file}"):
        return reading.read(file)


def _line(each: Checked) -> str:
    found = each.location
    where = found.passage.where if found.passage else ""
    said = [found.match.value, each.quote, where]
    if found.others:
        said.append(f"also {', '.join(found.others[:3])}")
    if found.differing:
        said.append(f"not there: {' '.join(found.differing[:8])}")
    if each.differs:
        said.append(f"the record says {each.stated}")
    return "  " + "\t".join(part for part in said if part)


def _contradictions(identifier: str, record: Model, source: str, document: Document, records: Records) -> list[str]:
    from pipeline.drafting import contradictions

    return [f"  {line}" for line in contradictions.of_record(identifier, record, source, document, records)]
