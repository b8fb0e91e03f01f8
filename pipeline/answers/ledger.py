"""Open the ledger for commands: its records or its published database."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, cast

from pipeline.answers import output
from pipeline.answers.problems import reported
from pipeline.base.paths import LEDGER, PUBLISHED, RECORDS
from pipeline.base.text.progress import status
from schemas import spelling
from schemas.vocabulary import Tier

if TYPE_CHECKING:
    import duckdb

    from pipeline.publishing.rows import Row
    from schemas.account import Account, Asked
    from schemas.records import Records


def load(paths: Collection[Path] = (), folder: Path = RECORDS) -> Records:
    """Load records with `pipeline.records.ledger.load_among` while a message shows. Raise RecordError for mistakes."""
    from pipeline.records import ledger

    with status("reading records"):
        return ledger.load_among(paths, folder)


@contextmanager
def own_connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection for a user's own model, with the ledger attached. Remark changes since the ledger was made."""
    from pipeline.publishing import database

    with database.memory_connection() as connection:
        remark_changes(connection)
        yield connection


@contextmanager
def open_ledger() -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield the published database, read-only. End the command with a message if it or a name is missing."""
    from pipeline.publishing import database

    with reported(database.DatabaseError), database.reading() as connection:
        remark_changes(connection)
        yield connection


def remark_changes(connection: duckdb.DuckDBPyConnection, model: str = "") -> None:
    """Warn once if inputs have changed since the ledger was made. If this model's record has, print its mistakes."""
    from pipeline.publishing import fingerprint

    changed = fingerprint.changed_inputs(connection)
    if changed:
        _remark_once(fingerprint.remark(changed))
    place = f"data/records/models/{model}.yaml"
    if place in changed and (LEDGER / place).is_file():
        _remark_once(
            "\n".join(
                [f"{model}: this answer is from its record as it was before the change", *_mistakes(LEDGER / place)]
            )
        )


@cache
def _remark_once(message: str) -> None:
    output.remark(message)


def _mistakes(record: Path) -> list[str]:
    from pipeline.records.yaml_text import RecordError

    try:
        load([Path(os.path.relpath(record))])
    except RecordError as problem:
        return [str(problem)]
    return []


def version() -> str:
    """Return the version of the published data, with what we know about later changes, as `release_of` does."""
    from pipeline.publishing.citation import release_of

    return release_of(json.loads((PUBLISHED / "datapackage.json").read_text(encoding="utf-8"))["version"])


def is_name(text: str) -> bool:
    """Return whether the text is the name of a model, such as gpt-3 or meta-llama/Llama-3.1-8B, and not a file.

    A word without a slash is a name even if such a file or folder exists, because people keep weights in llama-2-7b/.
    """
    file = Path(text)
    may_be = len(file.parts) <= 2 and file.suffix not in (".yaml", ".yml", ".csv")
    return may_be and (text == file.name or not os.path.exists(text))


@contextmanager
def _report_lookup_errors(name: str) -> Iterator[None]:
    """End the command with a message if the block looks up an unknown name or the record in this file has mistakes."""
    from pipeline.publishing import database
    from pipeline.records.yaml_text import RecordError
    from schemas.errors import ContractError, InputError

    with reported(RecordError, ContractError, InputError, database.DatabaseError):
        if name.lower().endswith(".csv"):
            raise LookupError(
                "a table is not a record; to estimate its rows, state its format and the output file:"
                f" flopledger estimate --from epoch {name} --out estimates.csv"
            )
        yield


@contextmanager
def model_tables(name: str) -> Iterator[tuple[duckdb.DuckDBPyConnection, str, Asked | None]]:
    """Yield the tables of a model in the ledger or in a record file, the model's id, and how its name was matched.

    End the command with a message if the record has mistakes, or if a name is unknown, also one in the block.
    """
    from pipeline.engines import one_model
    from pipeline.publishing import database

    with _report_lookup_errors(name), database.memory_connection() as connection:
        if is_name(name):
            identifier, asked = find_model(name, connection)
            remark_changes(connection, identifier)
        else:
            identifier = Path(name).stem
            with status("running the rules"):
                one_model.add_record(
                    connection, Path(name), identifier, one_model.ledger_records(connection, identifier)
                )
            asked = None
            remark_changes(connection)
        yield connection, identifier, asked


def account_of(name: str) -> Account:
    """Return the account of the model with this id, former id, name or alias, or of the model in this record file.

    End the command with a message if no model has the name, or if the record has mistakes.
    """
    from pipeline.publishing import database

    with _report_lookup_errors(name):
        if not is_name(name):
            from pipeline.answers import own_run

            with own_connection() as connection:
                run = own_run.record_account(connection, Path(name), Path(name).stem)
            return cast("Account", {**run, "asked": None})
        with database.memory_connection() as connection:
            return _account(connection, *find_model(name, connection))


def account_or_rows_of(name: str) -> Account | Sequence[Row]:
    """Return the account of a model, a record file or a row of Epoch's table; if the name fits several, their rows."""
    from pipeline.lookup.names import SeveralModelsError

    if not is_name(name):
        return account_of(name)
    with open_ledger() as connection:
        try:
            return account_in(connection, name)
        except SeveralModelsError as several:
            return several.models


def account_in(connection: duckdb.DuckDBPyConnection, name: str) -> Account:
    """Return the account of a model in the ledger or of a row of Epoch's table. Raise LookupError like `find`."""
    from pipeline.publishing import account

    tier, identifier, asked = find(name, connection)
    if tier == Tier.CATALOGUE:
        return {**account.row_account(connection, identifier), "asked": asked}
    return _account(connection, identifier, asked)


def _account(connection: duckdb.DuckDBPyConnection, identifier: str, asked: Asked) -> Account:
    from pipeline.publishing import account
    from pipeline.publishing.citation import citation

    remark_changes(connection, identifier)
    return {**account.account(connection, identifier, citation(version())), "asked": asked}


def find_model(name: str, connection: duckdb.DuckDBPyConnection) -> tuple[str, Asked]:
    """Return the id of the model in the ledger that a name refers to, and how it was matched.

    Raises LookupError like `find`, and also for a row of Epoch's table.
    """
    tier, identifier, asked = find(name, connection)
    if tier == Tier.CATALOGUE:
        raise LookupError(
            f"{identifier!r} is a row of Epoch's table without a record; `flopledger show` shows its estimate"
        )
    return identifier, asked


def find(name: str, connection: duckdb.DuckDBPyConnection) -> tuple[Tier, str, Asked]:
    """Return the tier and id of the model with a name, and how it was matched. Rows of Epoch's table have names as ids.

    Raises LookupError like `names.find`, and also if only an unpublished record has the name.
    """
    from pipeline.lookup import names

    models = names.entries(connection)
    refuse_unpublished(name, spelling.spellings(models), RECORDS / "models")
    entry, relation, remark = names.Names(models).find(name)
    if remark:
        _remark_once(f"remark: {remark}")
    return Tier(entry["tier"]), entry["id"], {"name": name, "relation": relation.value, "remark": remark}


def refuse_unpublished(name: str, known: spelling.Spellings, records: Path) -> None:
    """Raise LookupError if the only record with this name is not in the published ledger."""
    record = next((file for file in records.glob("*.yaml") if spelling.find(name, [file.stem])), None)
    if record is not None and spelling.find(name, known) is None:
        missing = f"{record.stem} has a record but is not in the ledger yet: run `make repro`"
        raise LookupError("\n".join([missing, *_mistakes(record)]))
