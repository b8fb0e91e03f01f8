"""`flopledger update`: read watched sources again, and list the work that follows."""

from __future__ import annotations

import os
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pipeline.answers import output
from pipeline.answers.options import Json
from pipeline.answers.problems import IN_THE_DATA, reported, stop
from pipeline.base.paths import IS_RELEASE, LEDGER, RECORDS, alone_in, snapshots
from pipeline.base.text.progress import status
from pipeline.catalogues.sheets import CatalogueError, read_sheet, sheet_of

if TYPE_CHECKING:
    from pipeline.tools.updating.raw_files import Raw
    from pipeline.tools.updating.verdicts import Found, Tables
    from schemas.params import Params
    from schemas.records import Records, WatchedSource

WORK_IS_THERE = 3
MOST_LINES = 20
UPDATES = LEDGER / "data" / "updates"
COLUMNS = ("rank", "kind", "name", "is_new", "reason", "next")
ON_REQUEST = ("addresses",)  # these are on a thousand servers, which we do not query each week


def update(
    source: Annotated[
        str | None, typer.Option(help="One watched source: the name of its file in data/records/sources.")
    ] = None,
    snapshot: Annotated[Path | None, typer.Option(help="A local file in place of the download.")] = None,
    check: Annotated[bool, typer.Option("--check", help="Change nothing; exit with code 3 if there is work.")] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Accept a table even if it has far fewer rows than before.")
    ] = False,
    json: Json = False,
) -> None:
    """Read watched sources again, and list what changed.

    Also list what disagrees and what to do, and rebuild the ledger without changing records. A table is downloaded if
    its entity tag has changed, and compared with the snapshot by names, spellings and addresses. The work list goes to
    data/updates/<date>.csv, most important first, each line with the next command; the first 20 lines are shown. The
    only record written is the source's own (its key `fetched`). If the pipeline refuses the new table, the former files
    and tables are restored. Addresses in model records are tried only with --source model-addresses, because they are
    on about a thousand servers.
    """
    from pipeline.records.yaml_text import RecordError

    if IS_RELEASE:
        stop("an installed package has no snapshot to update; use a checkout")
    if snapshot is not None and source is None:
        raise typer.BadParameter("--snapshot goes with --source, which names the file's table")
    try:
        with alone_in(RECORDS / "sources", waits=False):
            _update(source, snapshot, check, force, json)
    except BlockingIOError:
        stop("another update is running in this checkout; wait until it ends")
    except (CatalogueError, RecordError) as problem:
        stop(str(problem))


def _update(name: str | None, file: Path | None, is_check: bool, may_shrink: bool, as_json: bool) -> None:
    from pipeline.catalogues.record_lookup import headlines
    from pipeline.publishing import verification
    from pipeline.records import ledger as records_of
    from pipeline.records import params
    from pipeline.tools.updating import verdicts

    today, parameters = datetime.now(UTC).date(), params.load()
    records = records_of.load_all()
    sources = _chosen_sources(name, records)
    if file and sources[name or ""].watched != "table":
        raise typer.BadParameter(f"--snapshot goes with a table; {name} is not a table")
    for line in verification.changed_snapshots():
        output.remark(f"warning: {line}")
    tables, failed = verdicts.Tables(parameters), False
    links: dict[str, str] = {}
    raws: dict[str, Raw] = {}
    for identifier, watched in sources.items():
        try:
            with status(f"reading {identifier}"):
                raw = _changed_table(watched, file, today, records, tables, may_shrink)
            if raw:
                raws[identifier] = raw
        except CatalogueError as problem:
            output.remark(f"{identifier}: {problem}; nothing was changed")
            failed = True
    contents = {LEDGER / str(sources[name].file): raw.content for name, raw in raws.items() if sources[name].file}
    if contents:
        try:
            links = _fill_changes(tables, contents, headlines(records, parameters), records, parameters)
        except CatalogueError as problem:
            stop(f"{problem}; nothing was changed")
    if raws:
        verdicts.fill_standing(tables, records)
    report = tables.results(links)
    has_work = bool(raws or [row for row in report.work if row["is_new"]])
    if has_work and not is_check:
        _apply(sources, raws, report, today)
    if has_work or as_json or not failed:
        _tell(report, raws, sources, today, is_check, as_json)
    if failed:
        raise typer.Exit(IN_THE_DATA)
    if is_check and has_work:
        raise typer.Exit(WORK_IS_THERE)


def _chosen_sources(name: str | None, records: Records) -> dict[str, WatchedSource]:
    from schemas.spelling import Spellings, chosen

    if name is None:
        return {key: source for key, source in sorted(records.sources.items()) if source.watched not in ON_REQUEST}
    with reported():
        spelled = Spellings((identifier, identifier) for identifier in records.sources)
        identifier = chosen(name, spelled, "a watched source")
    return {identifier: records.sources[identifier]}


def _changed_table(
    source: WatchedSource, file: Path | None, today: date, records: Records, tables: Tables, may_shrink: bool
) -> Raw | None:
    """Return a source's table if it has changed, or add what is new in another kind of source to `tables`."""
    from pipeline.tools.updating import other_sources, raw_files
    from schemas.spelling import find

    if source.watched == "repositories":
        tables.fill("rounds_moved", list(other_sources.rounds_moved(source)))
        return None
    if source.watched == "addresses":
        tables.fill("lost_addresses", other_sources.lost_addresses(other_sources.addresses(records)))
        return None
    kept = LEDGER / str(source.file)
    before = kept.read_bytes() if source.file and kept.is_file() else None
    table = raw_files.read(source, before, file, today)
    if table is None or not table.is_new:
        return None
    if not may_shrink:
        known_rows = len(sheet_of(before, str(kept)).lines) if before else source.fetched and source.fetched.rows
        raw_files.refuse_shrunk(len(table.rows), known_rows or 0, source.name)
    chips = records.chip_ids()
    if source.file is None and source.columns:
        names = (row[source.columns[0]].strip() for row in table.rows)
        unknown = sorted({name for name in names if name and find(name, chips) is None})
        tables.fill("unknown_chips", ({"chip": chip, "is_new": False, "reason": source.name} for chip in unknown))
    return table


def _fill_changes(
    tables: Tables, contents: dict[Path, bytes], known: Any, records: Records, parameters: Params
) -> dict[str, str]:
    """Add the changes of Epoch's tables since our snapshots to `tables`. Return the link of each row by name."""
    from pipeline.catalogues.epoch.tables import merge_sheets
    from pipeline.tools.updating import verdicts

    before = {path: read_sheet(path) for path in snapshots(LEDGER)}
    after = before | {path: sheet_of(content, str(path)) for path, content in contents.items()}
    sheets = [
        merge_sheets({path.stem: files[path] for path in sorted(files, reverse=True)}) for files in (before, after)
    ]
    return verdicts.fill_epoch(tables, *sheets, records, parameters, known)


def _apply(sources: dict[str, WatchedSource], raws: dict[str, Raw], report: Found, today: date) -> None:
    """Write the work list, the notes on each file and finally the snapshot, then run the pipeline.

    If a write or the pipeline fails, restore the files, and run the pipeline on them.
    """
    from pipeline.publishing import csv_cells
    from pipeline.tools.updating import raw_files

    work = csv_cells.text(COLUMNS, [[row[column] for column in COLUMNS] for row in report.work])
    files = {UPDATES / f"{today}.csv": work.encode()} if report.work else {}
    for identifier, table in raws.items():
        record, source = RECORDS / "sources" / f"{identifier}.yaml", sources[identifier]
        files[record] = raw_files.record_text(record.read_text(encoding="utf-8"), table.fetched).encode()
        if source.file:
            title = next(iter(source.sources.values())).title
            files |= {
                (LEDGER / source.file).with_suffix(".origin.yaml"): raw_files.sidecar(
                    source, title, table.fetched
                ).encode(),
                LEDGER / source.file: table.content,
            }
    try:
        with raw_files.replace(files):
            if any(sources[identifier].file for identifier in raws):
                rebuild()
    except CatalogueError as problem:
        try:
            rebuild()  # DVC removed the tables of the stages that it ran
            state = "the former files and tables are back"
        except CatalogueError:
            state = "the former files are back, but not the tables; `make repro` makes them"
        raise CatalogueError(f"the pipeline refuses the new table ({problem}); {state}") from None


def rebuild() -> None:
    """Run the pipeline. If it fails, raise CatalogueError with the reason that the failing stage printed."""
    from pipeline.stages.recover import recover

    with status("running the pipeline"):
        recover(LEDGER)
        command = [str(Path(sys.executable).with_name("dvc")), "repro"]
        done = subprocess.run(command, cwd=LEDGER, capture_output=True, text=True)
    if done.returncode:
        # DVC's lines follow the stage's.
        stage, _, dvc = (done.stderr or done.stdout).strip().partition("\nERROR: ")
        raise CatalogueError(stage.splitlines()[-1] if stage else dvc or "no message")


def _tell(
    report: Found, raws: dict[str, Raw], sources: dict[str, WatchedSource], today: date, is_check: bool, as_json: bool
) -> None:
    by_change = {kind: [row for row in report.changes if row["change"] == kind] for kind in ("new", "gone", "renamed")}
    if as_json:
        named = {kind: [row["name"] for row in by_change[kind]] for kind in ("new", "gone")}
        named["renamed"] = [{"before": row["name_before"], "after": row["name"]} for row in by_change["renamed"]]
        work = [{key: row[key] for key in ("rank", "name", "reason", "next")} for row in report.work]
        output.say(output.as_json({**named, "moved": report.moves, "findings": report.findings, "work": work}))
        return
    new = [row for row in report.work if row["is_new"]]
    if not raws and not new:
        read = max((source.fetched.on for source in sources.values() if source.fetched), default="never")
        output.tell([f"nothing new; last read on {read}"])
        return
    lines = [
        f"{identifier}: {table.fetched['rows']:,} rows, {table.fetched['bytes']:,} bytes"
        for identifier, table in raws.items()
    ]
    if report.changes or report.moves:
        counts = ", ".join(f"{len(rows)} {kind}" for kind, rows in by_change.items())
        rows = len({row["name"] for row in report.moves})
        lines.append(f"rows: {counts}; {len(report.moves)} cells of {rows} rows moved; {len(report.findings)} findings")
    lines += [
        f"{row['rank']:>3}  {row['name']}: {row['reason'][:160]}\n     {row['next']}"
        for row in report.work[:MOST_LINES]
    ]
    summary = f"{len(report.work)} lines of work, {len(new)} of them new"
    if is_check:
        lines.append(f"{summary}; nothing was changed")
    elif report.work:
        lines.append(f"{summary}: {os.path.relpath(UPDATES / f'{today}.csv')}; commit it with data and dvc.lock")
    output.tell(lines)
