"""Write the data dictionary, data/README.md: every published file, with the unit, type and meaning of each column.

`python -m pipeline.publishing.dictionary` writes it from the contracts; a test compares the two. The comments in
ledger.duckdb and the site describe all other tables and views.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import yaml

from pipeline.base.paths import ROOT
from pipeline.publishing import datapackage, examples, removals
from pipeline.publishing.files import CSV_TABLES
from pipeline.publishing.views import MAIN, VIEWS
from schemas.tables import TABLES, columns_of, grain

DICTIONARY = ROOT / "data" / "README.md"
UNITS = {
    "flop": "FLOP",
    "flop_per_second": "FLOP/s",
    "byte_per_second": "byte/s",
    "chip_second": "chip-second",
    "chip_hour": "chip-hour",
    "chip_day": "chip-day",
    "kwh": "kWh",
}
NEVER = "never empty"
OTHER_FILES = {  # published files that are no tables
    "report/accuracy.json report/calibration.json report/counters.json report/expectations.json":
        "Values shown in the site's reports of the same names.",
    "metrics.json": "The figures about the whole ledger that `dvc metrics show` prints.",
    "datapackage.json": "Types, units, bounds and meaning of the CSV files, for programs.",
    "SHA256SUMS": "Checksums of the published files.",
}  # fmt: skip


class File(NamedTuple):
    """A published table that no stage makes: its content, the command that makes it, and the meaning of each column."""

    description: str
    made_by: str
    columns: dict[str, str]


FILES = {
    name: File(**declared)
    for name, declared in yaml.safe_load(
        Path(__file__).with_name("report_tables.yml").read_text(encoding="utf-8")
    ).items()
}


def dictionary() -> str:
    """Return the text of data/README.md."""
    lines = [
        *_introduction(),
        *_contents(),
        *_files(),
        *_database(),
        *examples.examples().splitlines(),
        "",
        "## Published tables",
        "",
    ]
    for table in dict.fromkeys(CSV_TABLES.values()):
        lines += _table(table)
    lines += ["## Tables of the report", ""]
    for name, file in FILES.items():
        lines += _report_file(name, file)
    return "\n".join(lines).rstrip() + "\n"


def _introduction() -> list[str]:
    text = Path(__file__).with_name("introduction.md").read_text(encoding="utf-8")
    return text.format(licence=datapackage.LICENCE["title"], epoch=datapackage.EPOCH_SOURCE).split("\n")


def _contents() -> Iterator[str]:
    yield from ("## Contents", "")
    yield from (f"- [{title}](#{anchor(title)})" for title in ("Published files", "The database", *examples.TITLES))
    yield f"- [Published tables](#published-tables): {', '.join(map(_link, dict.fromkeys(CSV_TABLES.values())))}"
    yield f"- [Tables of the report](#tables-of-the-report): {', '.join(_link(name, anchor(name)) for name in FILES)}"
    yield f"- Ended columns, tables and values, with their replacements: [what changes for readers](../{removals.PAGE})"
    yield ""


def _files() -> Iterator[str]:
    yield from ("## Published files", "", "| File | Content | Columns |", "|---|---|---|")
    for file, table in CSV_TABLES.items():
        also = ", also as parquet" if file == "estimates" else ""
        yield f"| [{file}.csv](published/{file}.csv) | {TABLES[table].row} | {_link(table)}{also} |"
    for name, described in FILES.items():
        yield f"| [{name}](published/{name}) | {described.description} | {_link(name, anchor(name))} |"
    for names, content in OTHER_FILES.items():
        yield f"| {', '.join(f'[{name}](published/{name})' for name in names.split())} | {content} | |"
    yield ""


def _database() -> Iterator[str]:
    yield from ("## The database", "", "`published/ledger.duckdb` has these tables and views in its main schema:", "")
    yield from ("| Table or view | Content |", "|---|---|")
    for name in MAIN:
        description = VIEWS[name].description if name in VIEWS else TABLES[name].row
        yield f"| `{name}` | {description} |"
    others = {*VIEWS, *TABLES} - {*MAIN}
    yield from ("", "The tables behind these, and more views, are in the schema `work` (`from work.runs`):")
    yield f"{', '.join(f'`{name}`' for name in sorted(others))}. Comments describe each table and column:"
    yield from ("`select comment from duckdb_tables()`, `duckdb_views()`, `duckdb_columns()`.", "")


def _table(name: str) -> Iterator[str]:
    """Yield the section of a table: its rows, key and published files, then one line per column."""
    files = [f"[{file}.csv](published/{file}.csv)" for file, table in CSV_TABLES.items() if table == name]
    yield from (f"### {name}", "", TABLES[name].row, "")
    key = ", ".join(f"`{column}`" for column in grain(name))
    yield f"Key: {key}." + "".join(f" Published: {file}." for file in files)
    yield from ("", "| Column | Type | Unit | Meaning | Empty means |", "|---|---|---|---|---|")
    for column, (meaning, null) in columns_of(name).items():
        unit = UNITS.get(meaning.unit, meaning.unit) if meaning.unit else ""
        words = ", ".join(f"`{word}`" for word in meaning.checks.get("isin", ()))
        described = f"{meaning.description} One of {words}." if words else meaning.description
        yield f"| `{column}` | {meaning.kind} | {unit} | {_cell(described)} | {_cell(null or NEVER)} |"
    yield ""


def _report_file(name: str, file: File) -> Iterator[str]:
    yield from (f"### {name}", "", f"{file.description} Made by {file.made_by}. [Open](published/{name}).", "")
    yield from ("| Column | Meaning |", "|---|---|")
    yield from (f"| `{column}` | {_cell(meaning)} |" for column, meaning in file.columns.items())
    yield ""


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _link(name: str, anchor: str | None = None) -> str:
    return f"[{name}](#{anchor or name})"


def anchor(heading: str) -> str:
    """Return the anchor that GitHub gives a heading.

    >>> anchor("report/counters.csv"), anchor("4. Reconcile `x`")
    ('reportcounterscsv', '4-reconcile-x')
    """
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def main() -> None:
    """Write data/README.md."""
    DICTIONARY.write_text(dictionary(), encoding="utf-8")


if __name__ == "__main__":
    main()
