"""`flopledger draft`: facts proposed from a publication, and a record's quotes looked up in it."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.commands import ledger, output
from pipeline.commands.problems import reported
from pipeline.paths import RECORDS, replace_file
from pipeline.text.progress import working
from schemas.spelling import LONGEST_WORD

if TYPE_CHECKING:
    from pipeline.drafting.draft import Draft
    from schemas.records import Records


def draft(
    files: Annotated[
        list[Path] | None,
        typer.Argument(metavar="FILE", help="A publication: PDF, HTML, Markdown, LaTeX, text or config.json."),
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="The model to draft, as the publication names it: OPT-175B.")
    ] = None,
    alias: Annotated[list[str] | None, typer.Option(help="Another of its names.")] = None,
    out: Annotated[Path | None, typer.Option(help="A folder for candidates.json, draft.yaml and ticks.html.")] = None,
    found_at: Annotated[
        str | None, typer.Option(help="The address at which the files were read, for found_at.")
    ] = None,
    accept: Annotated[
        Path | None, typer.Option(help="ticks.json of the page; --out is the folder of its candidates.")
    ] = None,
    family: Annotated[
        str | None, typer.Option(help="With --accept: the family of its network, such as transformer_decoder.")
    ] = None,
    fetch: Annotated[
        str | None, typer.Option(metavar="arXiv:NUMBER", help="Download the paper (HTML, else PDF) into --out first.")
    ] = None,
    check: Annotated[
        str | None, typer.Option(metavar="MODEL", help="Look up the quotes of this model's record.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="With --check: write the places found into the record.")
    ] = False,
    source: Annotated[str | None, typer.Option(help="With --check: which source of the record the file is.")] = None,
) -> None:
    """Propose facts of a model from its publications, each with its words, for a person to accept; or look up a record's quotes in them.

    Nothing enters a record without a tick. --out is a folder for ticks.html, a page that opens offline and whose
    ticks.json --accept takes; draft.yaml, a record with every candidate as a comment; and candidates.json. Each
    candidate has at most 25 words around it, their section and page, how it was derived, and the evidence for it;
    statements of the text that contradict each other are reported. --model and --alias are the names that the publication uses: without
    them, figures of the family's other sizes are the commonest mistake. Without --family, the network's numbers stay
    comments. Nothing is downloaded without --fetch. At most 1,000,000 characters and 10,000 figures are looked at, by
    a child process with limits of time and memory.

    --check says for each quote of the record whether its words stand in the publication, under which heading and on
    which page, and which figures of the text contradict the record. The source is known by its title or by the arXiv
    number in the file's name, else by --source; --write fills in places that quotes lack.
    """
    files = list(files or [])
    if accept is not None:
        if out is None or files:
            raise typer.BadParameter("--accept goes with --out, the folder of candidates.json, and without files")
        _accept(out, _json(accept), family)
        return
    if fetch is not None:
        if out is None:
            raise typer.BadParameter("--fetch goes with --out, the folder for the paper")
        path, address = _fetched(fetch, out)
        files.append(path)
        found_at = found_at or address
    if not files:
        raise typer.BadParameter("state a file: the publication, as PDF, HTML, Markdown, LaTeX, text or config.json")
    if check is not None:
        check_record(check, files, source, write)
        return
    if model is None:
        raise typer.BadParameter(
            "state --model, the model's name in the publication, or --check with a model of the ledger"
        )
    from pipeline.drafting import draft as drafting

    proposed = _draft(files, _names(model, alias or []), found_at)
    if out is None:
        output.say(drafting.commented(proposed).rstrip())
        return
    for path in drafting.write(proposed, out):
        output.say(os.path.relpath(path))


def _names(model: str, aliases: list[str]) -> list[str]:
    """The model's names. Raises BadParameter for one that cannot be."""
    for name in (model, *aliases):
        if len(name) > LONGEST_WORD or not any(sign.isalnum() for sign in name):
            raise typer.BadParameter(
                f"{name!r} is no name of a model; it has a letter or digit, and at most {LONGEST_WORD} characters"
            )
    return [model, *aliases]


def _draft(files: list[Path], names: list[str], found_at: str | None) -> Draft:
    from pipeline.drafting import draft as drafting
    from pipeline.records.yaml_text import RecordError

    with reported(RecordError):
        records = ledger.load()
    return drafting.of_json(_ask("draft", files, names, records, {"found_at": found_at}))


def _ask(work: str, files: list[Path], names: list[str], records: Records, request: dict[str, Any]) -> Any:
    """What the child process that reads strangers' files makes of these, for the model of these names."""
    from pipeline.drafting import child
    from pipeline.drafting.documents import UnreadableError
    from pipeline.drafting.names import others_of

    of_ledger = {"others": sorted(others_of(records, names[0])), "chips": records.chip_ids()}
    with reported(UnreadableError), working("reading publications"):
        return child.ask(work, {**request, **of_ledger, "names": names, "files": [*map(str, files)]})


def _json(path: Path) -> Any:
    from pipeline.drafting.draft import DraftError

    with reported(DraftError, OSError):
        try:
            return json.loads(path.read_text(encoding="utf-8"))
        except (ValueError, RecursionError):
            raise DraftError(f"{path}: is no JSON") from None


def _accept(folder: Path, ticks: Any, family: str | None) -> None:
    from pipeline.drafting import draft as drafting

    with reported(drafting.DraftError, OSError):
        text = drafting.accept(_json(folder / "candidates.json"), ticks, family)
        _write_record(text, folder, str(ticks["model"]))


def _write_record(text: str, folder: Path, model: str) -> None:
    import re

    from pipeline.drafting.draft import REQUIRED, DraftError

    name = re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")
    path = folder / f"{name}.yaml"
    if path.exists():
        raise DraftError(f"{path} exists already; move it away, or name another --out")
    replace_file(path, lambda beside: beside.write_text(text, encoding="utf-8"))
    near = os.path.relpath(path)
    output.tell([f"{near}: fill in {', '.join(REQUIRED)}, then check it with `flopledger validate {near}`"])


def _fetched(paper: str, folder: Path) -> tuple[Path, str]:
    from pipeline.drafting import fetching

    with reported(fetching.FetchError, OSError), working(f"downloading {paper}"):
        path, address = fetching.fetch(paper, folder)
    output.tell([f"{os.path.relpath(path)}: {address}"])
    return path, address


def facts_found(name: str, link: str) -> str:
    """Kinds of facts that a draft of this model proposes from the paper that a link names, or its parameters on the Hub; empty without either.

    Raises DownloadError where nothing can be downloaded.
    """
    from pipeline.updating.judged import ARXIV, HUB

    paper, hub = ARXIV.search(link), HUB.search(link)
    if not (paper or hub):
        return ""
    from pipeline.commands.hub import HubError, config_of
    from pipeline.download import DownloadError
    from pipeline.drafting import fetching

    try:
        with tempfile.TemporaryDirectory() as folder:
            if paper:
                path, address = fetching.fetch(f"arXiv:{paper[1]}", Path(folder))
                return ", ".join(_draft([path], [name], address).choices)
            with config_of(hub[1]) as config:  # type: ignore[index]
                return ", ".join(_draft([config], [name], None).choices)
    except (fetching.FetchError, HubError) as problem:
        raise DownloadError(str(problem)) from None
    except typer.Exit:  # the publication cannot be read, which has been said
        return ""


def check_record(name: str, files: list[Path], source: str | None, write: bool) -> None:
    """Looks up the quotes of a model's record in these files, and writes their places where asked to."""
    from pipeline.drafting import checking
    from pipeline.records.own import model_spellings
    from pipeline.records.yaml_text import RecordError
    from schemas.spelling import chosen

    with reported(RecordError):
        records = ledger.load()
        identifier = chosen(name, model_spellings(records), "a model of the ledger")
    record = records.models[identifier]
    path = RECORDS / "models" / f"{identifier}.yaml"
    names = [record.name, *record.aliases]
    answer = _ask("check", files, names, records, {"record": str(path), "source": source})
    output.tell(answer["lines"])
    places = answer["places"]
    if write and places:
        text = checking.with_places(path.read_text(encoding="utf-8"), places)
        replace_file(path, lambda beside: beside.write_text(text, encoding="utf-8"))
        near = os.path.relpath(path)
        output.tell([f"{near}: {len(places)} places written; check it with `flopledger validate {near}`"])
    elif places:
        output.tell([f"{len(places)} places are new; --write puts them into the record"])
