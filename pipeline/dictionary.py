"""The data dictionary, data/README.md: every table, view and published file, each column with its unit, type and meaning.

`python -m pipeline.dictionary` writes it from the contracts, schemas/fields.py, schemas/nulls.py and the views; a test compares it with them.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import duckdb

from pipeline import contracts, flow
from pipeline.paths import ROOT
from pipeline.publishing import datapackage, examples
from pipeline.publishing.files import CSV_TABLES
from pipeline.publishing.views import VIEWS
from schemas import fields
from schemas.nulls import NULLS
from schemas.table import TableModel

DICTIONARY = ROOT / "data" / "README.md"
TYPES = {"str": "text", "float": "number", "int": "whole number", "bool": "true or false", "date": "date"}
DUCKDB_TYPES = {
    "VARCHAR": "text",
    "DOUBLE": "number",
    "BIGINT": "whole number",
    "BOOLEAN": "true or false",
    "DATE": "date",
}
UNITS = {
    "flop": "FLOP",
    "flop_per_second": "FLOP/s",
    "byte_per_second": "byte/s",
    "chip_second": "chip-second",
    "chip_hour": "chip-hour",
    "kwh": "kWh",
}
NULL_CLAUSE = re.compile(r"; null (.*?)\.$")
UNKNOWN = "Unknown."
NEVER = "never empty"


class File(NamedTuple):
    """A published table that no stage makes: its content, the command that makes it, and the meaning of each column."""

    description: str
    made_by: str
    columns: dict[str, str]


FILES = {
    "report/counters.csv": File(
        "One row a small network, pass and public FLOP counter: its count and the count by hand.",
        "make audit",
        {
            "case": "Kind of layer and condition of the network.",
            "pass": "forward, backward, or first_backward: that of a first layer, on raw input.",
            "batch": "Examples in the batch; empty where the counter was not run.",
            "by_hand_flop": "FLOP of the whole batch by a slow loop over every multiply-add, two FLOP each; empty where it was not run.",
            "ours": "FLOP by the ledger's formulas; empty where the counter was not run.",
            "counter": "Name of the counter.",
            "version": "Version of its package; empty where none could be installed.",
            "counted": "Its count, in its own unit; empty where it ended in an error or was not run.",
            "factor": "counted / by_hand_flop; empty where either is unknown or zero.",
            "verdict": "Whether the count is right, read as FLOP.",
            "verdict_in_own_unit": "The same, read in the unit that the counter's documentation names.",
            "note": "The mistake that yields this number, or the error message; empty where neither is known.",
        },
    ),
    "report/accuracy.csv": File(
        "One row a row of Epoch's table of models whose estimate here is further than 2x from Epoch's own value, explained.",
        "make accuracy",
        {
            "file": "Snapshot of Epoch's table.",
            "source_row": "Row of it, 1 being the first after the header.",
            "name": "Model.",
            "domain": "Its domain.",
            "evidence": "Inputs of our estimate of the row.",
            "ours_to_theirs": "Our estimate / Epoch's value; the value itself is not copied.",
            "whose": "Whose number is wrong: ours, theirs, or scope where the two cover different training.",
            "explanation": "Why, by rules applied to the row.",
        },
    ),
}  # fmt: skip


def dictionary() -> str:
    """The text of data/README.md."""
    made = {stage: flow.wiring(stage) for stage in flow.STAGES}
    stages = {stage: wired for stage, wired in made.items() if wired.outputs}
    tables = {name: contract for wired in stages.values() for name, contract in wired.outputs.items()}
    lines = [*_introduction(), *_contents(stages), *_files(tables)]
    lines += [*examples.other_tools(), *examples.example_queries(), *examples.dispute_causes()]
    for stage, wired in stages.items():
        lines += [f"## Tables of {stage}", "", (wired.build.__doc__ or "").splitlines()[0], ""]
        for name, contract in sorted(wired.outputs.items()):
            lines += _table(name, contract)
    lines += ["## Views", "", "Frequent joins, in `ledger.duckdb` only.", ""]
    for name in VIEWS:
        lines += _view(name, tables)
    lines += ["## Tables of the report", ""]
    for name, file in FILES.items():
        lines += _report_file(name, file)
    return "\n".join(lines).rstrip() + "\n"


def _introduction() -> Iterator[str]:
    yield from (
        "# Data dictionary",
        "",
        "Every table of FLOP Ledger, with the unit, type and meaning of each column. Made by `python -m pipeline.dictionary` from the",
        "contracts in [schemas/](../schemas); edit those, not this page.",
        "",
        "- FLOP is a count, a multiply-add is two; rates are FLOP/s. A column that has a unit ends in it.",
        "- An empty cell is never zero. Column *Empty means* gives its meaning; `never empty` columns always have a value.",
        "- *Key* columns identify one row; tables are sorted by them. Tables join on columns of the same name.",
        "- Ids are file names in [data/records](records) and never change.",
        "- A `log_sd` is the standard deviation of a natural logarithm: `x * exp(±1.645 log_sd)` is the 90 % interval.",
        "- How the numbers are computed: [methods](../pipeline/formulas/README.md).",
        "",
        "Published files are in git, except the parquet, facts.csv and the database, which `make repro` writes beside them. All tables and views",
        "are in `published/ledger.duckdb`, and each table in `tables/<table>.parquet`.",
        "",
        f"Data under {datapackage.LICENCE['title']}: [LICENSE-DATA](../LICENSE-DATA). From others:",
        f"{datapackage.EPOCH_SOURCE['title']}: {datapackage.EPOCH_SOURCE['path']}. Quoted words are their authors', at most 25 each, with their source.",
        "",
    )  # fmt: skip


def _contents(stages: Mapping[str, flow.Wiring]) -> Iterator[str]:
    yield from ("## Contents", "")
    yield from (f"- [{title}](#{_anchor(title)})" for title in ("Published files", *examples.TITLES))
    for stage, wired in stages.items():
        named = ", ".join(_to(name) for name in sorted(wired.outputs))
        yield f"- [Tables of {stage}](#tables-of-{stage}): {named}"
    yield f"- [Views](#views): {', '.join(map(_to, VIEWS))}"
    yield f"- [Tables of the report](#tables-of-the-report): {', '.join(_to(name, _anchor(name)) for name in FILES)}"
    yield ""


def _files(tables: Mapping[str, type[TableModel]]) -> Iterator[str]:
    yield from ("## Published files", "", "| File | Holds | Columns |", "|---|---|---|")
    for file, (table, _) in CSV_TABLES.items():
        also = ", the same as parquet" if file == "estimates" else ""
        yield f"| [{file}.csv](published/{file}.csv) | {tables[table].__doc__} | {_to(table)}{also} |"
    for name, described in FILES.items():
        yield f"| [{name}](published/{name}) | {described.description} | {_to(name, _anchor(name))} |"
    yield "| [report/accuracy.json](published/report/accuracy.json), [report/calibration.json](published/report/calibration.json), [report/expectations.json](published/report/expectations.json) | What the site's reports of these names show. | |"
    yield "| [datapackage.json](published/datapackage.json) | Types, units, bounds and meaning of the CSV files, for programs. | |"
    yield "| [SHA256SUMS](published/SHA256SUMS) | Checksums of what the pipeline publishes. | |"
    yield ""


def _table(name: str, contract: type[TableModel]) -> Iterator[str]:
    files = [f"[{file}.csv](published/{file}.csv)" for file, (table, _) in CSV_TABLES.items() if table == name]
    yield from (f"### {name}", "", str(contract.__doc__), "")
    yield f"Key: {', '.join(f'`{column}`' for column in contract.__grain__)}." + "".join(f" Published: {file}." for file in files)  # fmt: skip
    yield ""
    yield from _rows(
        (
            name,
            TYPES[kind],
            _unit(column.unit),
            *_meaning(name, column.description, is_nullable),
            _words(column.bounds),
        )
        for name, (kind, is_nullable, column) in contract.__columns__.items()
    )


def _view(name: str, tables: Mapping[str, type[TableModel]]) -> Iterator[str]:
    yield from (f"### {name}", "", VIEWS[name].description, "")
    relation = _relation(name, tables)
    rows = []
    for column, kind in zip(relation.columns, relation.types, strict=True):
        own = VIEWS[name].columns.get(column)
        known = None if own else getattr(fields, column).__metadata__[0]
        description = own or known.description
        meaning, _ = _meaning(column, description, True)
        unit = known.unit if known else "flop" if column.endswith("_flop") else None
        rows.append((column, DUCKDB_TYPES.get(str(kind), "number"), _unit(unit), meaning, "", ""))
    yield from _rows(rows, "As in the tables, or not computable.")


def _relation(name: str, tables: Mapping[str, type[TableModel]]) -> duckdb.DuckDBPyRelation:
    connection = duckdb.connect()
    for table, contract in tables.items():
        connection.register(table, contracts.arrow_schema(contract).empty_table())
    return connection.sql(VIEWS[name].sql)


def _report_file(name: str, file: File) -> Iterator[str]:
    yield from (f"### {name}", "", f"{file.description} Made by `{file.made_by}`. [Open](published/{name}).", "")
    yield from ("| Column | Meaning |", "|---|---|")
    yield from (f"| `{column}` | {_cell(meaning)} |" for column, meaning in file.columns.items())
    yield ""


def _rows(rows: Iterator[tuple[str, ...]] | Sequence[tuple[str, ...]], empty: str | None = None) -> Iterator[str]:
    head = ["Column", "Type", "Unit", "Meaning", *([] if empty else ["Empty means"])]
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    for column, kind, unit, meaning, null, words in rows:
        cells = [f"`{column}`", kind, unit, _cell(f"{meaning} {words}".strip()), *([] if empty else [_cell(null)])]
        yield f"| {' | '.join(cells)} |"
    yield ""
    if empty:
        yield from (f"Empty means: {empty[0].lower()}{empty[1:]}", "")


def _meaning(column: str, description: str, is_nullable: bool) -> tuple[str, str]:
    """A column's meaning, and that of an empty cell; a description may end in the latter."""
    if not is_nullable:
        return NULL_CLAUSE.sub(".", description), NEVER
    found = NULL_CLAUSE.search(description)
    if found is None:
        return description, NULLS.get(column, UNKNOWN)
    return NULL_CLAUSE.sub(".", description), f"{found[1][0].upper()}{found[1][1:]}."


def _words(bounds: Mapping[str, Any]) -> str:
    allowed = bounds.get("isin")
    return f"One of {', '.join(f'`{word}`' for word in allowed)}." if allowed else ""


def _unit(unit: str | None) -> str:
    return UNITS.get(unit, unit) if unit else ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _to(name: str, anchor: str | None = None) -> str:
    return f"[{name}](#{anchor or name})"


def _anchor(heading: str) -> str:
    """Anchor of a heading: lower case, without dots and slashes.

    >>> _anchor("report/counters.csv")
    'reportcounterscsv'
    """
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def main() -> None:
    """Writes data/README.md."""
    DICTIONARY.write_text(dictionary(), encoding="utf-8")


if __name__ == "__main__":
    main()
