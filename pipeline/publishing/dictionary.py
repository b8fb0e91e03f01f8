"""Write the data dictionary, data/README.md: every published file, with the unit, type and meaning of each column.

`python -m pipeline.publishing.dictionary` writes it from the contracts; a test compares the two. The comments in
ledger.duckdb and the site describe all other tables and views.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple

from pipeline.base.paths import ROOT
from pipeline.publishing import datapackage, ended, examples
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


class File(NamedTuple):
    """A published table that no stage makes: its content, the command that makes it, and the meaning of each column."""

    description: str
    made_by: str
    columns: dict[str, str]


FILES = {
    "report/counters.csv": File(
        "One row per small network, pass and public FLOP counter: the counter's count, and the count by hand.",
        "the audit of November 2026",
        {
            "case": "Kind of layer and condition of the network.",
            "pass": "forward, backward, or first_backward (the backward pass of a first layer, on raw input).",
            "batch": "Examples in the batch; empty if the counter was not run.",
            "by_hand_flop": "FLOP of the whole batch by a slow loop over every multiply-add, two FLOP each; empty if it was not run.",
            "ours": "FLOP by the ledger's formulas; empty if the counter was not run.",
            "counter": "Name of the counter.",
            "version": "Version of the counter's package; empty if none could be installed.",
            "counted": "The counter's result, in its own unit; empty if it ended in an error or was not run.",
            "factor": "counted / by_hand_flop, or counted / ours if others ran the hardware counter; empty if either is unknown or zero.",
            "verdict": "Whether the count is right if it is read as FLOP.",
            "verdict_in_own_unit": "Whether the count is right in the unit that the counter's documentation names.",
            "note": "The mistake that explains this number, or the error message; empty if neither is known.",
        },
    ),
    "report/timings.csv": File(
        "One row per network, precision and batch whose training step was timed on one NVIDIA H100 (torch 2.11.0, driver 580.159.04).",
        "`make measure`",
        {
            "network": "Network, with random inputs.",
            "precision": "Precision in which the matrix units multiply.",
            "layout": "Order of the axes in memory.",
            "mode": "eager, or compiled by torch.compile.",
            "batch": "Examples in a step.",
            "step_seconds": "Median time of a step: forward, backward and optimizer.",
            "step_iqr_seconds": "Interquartile range of that time.",
            "forward_seconds": "Part of the step in the forward pass with the loss.",
            "backward_seconds": "Part of the step in the backward pass.",
            "epoch_examples": "Examples in consecutive timed steps, which include copying the inputs from the host.",
            "epoch_seconds": "Time of these consecutive steps.",
            "peak_memory_bytes": "Largest memory that torch allocated.",
            "utilization_theory": "Utilization from 3 x the forward FLOP of epoch_examples, and epoch_seconds.",
            "utilization_one": "Utilization from forward and backward FLOP of one example, and a step with a batch of one.",
            "utilization_batch": "Utilization from forward and backward FLOP of the batch, and the median step.",
            "utilization_epoch": "Utilization from forward and backward FLOP of epoch_examples, and epoch_seconds.",
            "ceiling_fraction_batch": "Speed of the median step / speed of the fastest square matrix product on this machine.",
            "backward_to_forward_flop": "Counted operations of the backward pass / those of the forward pass.",
            "backward_to_forward_seconds": "Time of the backward pass / time of the forward pass.",
        },
    ),
    "report/equal_flop.csv": File(
        "One row per library, matrix size and way of doing the same operations, timed on one machine.",
        "`make measure`",
        {
            "library": "torch or numpy, on the CPU.",
            "size": "N of the N x N matrices of float32.",
            "way": "What was computed; ways named after vectors have 64 vectors.",
            "flop": "Operations of one repeat, the same for all ways of a group.",
            "seconds": "Median time of one repeat.",
            "bytes_per_second": "Bytes that must move between memory and chip / that time.",
            "time_ratio": "Median of: time / time of the group's first way in torch, in the same repeat.",
            "time_ratio_low_quartile": "Lower quartile of that ratio.",
            "time_ratio_high_quartile": "Upper quartile of that ratio.",
            "repeats": "Number of repeats.",
            "device_name": "Processor.",
            "threads": "Threads of torch.",
            "torch": "Version of torch.",
            "numpy": "Version of NumPy.",
            "python": "Version of Python.",
            "date": "Day of the timing.",
        },
    ),
    "report/accuracy.csv": File(
        "One row for each row of Epoch's table of models whose estimate is more than 2x off Epoch's value.",
        "`make accuracy`",
        {
            "file": "Snapshot of Epoch's table.",
            "source_row": "Number of the row in the snapshot, from 1 after the header.",
            "name": "Model.",
            "domain": "Domain of the model.",
            "evidence": "Inputs to our estimate for the row.",
            "ours_to_theirs": "Our estimate / Epoch's value; the value itself is not copied.",
        },
    ),
}  # fmt: skip


def dictionary() -> str:
    """Return the text of data/README.md."""
    lines = [
        *_introduction(),
        *_contents(),
        *_files(),
        *_database(),
        *examples.other_tools(),
        *examples.example_queries(),
    ]
    lines += [*examples.dispute_causes(), "## Published tables", ""]
    for table in dict.fromkeys(CSV_TABLES.values()):
        lines += _table(table)
    lines += ["## Tables of the report", ""]
    for name, file in FILES.items():
        lines += _report_file(name, file)
    return "\n".join(lines).rstrip() + "\n"


def _introduction() -> Iterator[str]:
    yield from (
        "# Data dictionary",
        "",
        "Every published file of FLOP Ledger, with the unit, type and meaning of each column. `python -m pipeline.publishing.dictionary` writes this",
        "page from the contracts in [schemas/](../schemas): edit the contracts, not this page.",
        "",
        "- FLOP is a count, in which a multiply-add is two; rates are FLOP/s. If a column has a unit, its name ends in the unit.",
        "- An empty cell never means zero. The column *Empty means* gives its meaning; `never empty` columns always have a value.",
        "- *Key* columns identify one row; tables are sorted by them, estimates by date (newest first). Tables join on columns of the same name.",
        "- Ids are file names in [data/records](records) and never change.",
        "- A `log_sd` is the standard deviation of a natural logarithm: `x * exp(±1.645 log_sd)` is the 90 % interval.",
        "- How the numbers are computed: [methods](../pipeline/formulas/README.md).",
        "",
        "Published files are in git, except for parquet files, facts.csv and the database, which `make repro` writes. All tables are in",
        "[published/ledger.duckdb](#the-database), and in `tables/<stage>/<table>.parquet`.",
        "",
        f"The data are licensed under {datapackage.LICENCE['title']}: [LICENSE-DATA](../LICENSE-DATA). Some data come from others:",
        f"{datapackage.EPOCH_SOURCE['title']}: {datapackage.EPOCH_SOURCE['path']}. Quotations have at most 25 words, and name their source.",
        "",
    )  # fmt: skip


def _contents() -> Iterator[str]:
    yield from ("## Contents", "")
    yield from (f"- [{title}](#{_anchor(title)})" for title in ("Published files", "The database", *examples.TITLES))
    yield f"- [Published tables](#published-tables): {', '.join(map(_to, dict.fromkeys(CSV_TABLES.values())))}"
    yield f"- [Tables of the report](#tables-of-the-report): {', '.join(_to(name, _anchor(name)) for name in FILES)}"
    yield f"- Ended columns, tables and values, with their replacements: [what changes for readers](../{ended.PAGE})"
    yield ""


def _files() -> Iterator[str]:
    yield from ("## Published files", "", "| File | Content | Columns |", "|---|---|---|")
    for file, table in CSV_TABLES.items():
        also = ", also as parquet" if file == "estimates" else ""
        yield f"| [{file}.csv](published/{file}.csv) | {TABLES[table].row} | {_to(table)}{also} |"
    for name, described in FILES.items():
        yield f"| [{name}](published/{name}) | {described.description} | {_to(name, _anchor(name))} |"
    yield "| [report/accuracy.json](published/report/accuracy.json), [report/calibration.json](published/report/calibration.json), [report/counters.json](published/report/counters.json), [report/expectations.json](published/report/expectations.json) | Values shown in the site's reports of the same names. | |"
    yield "| [metrics.json](published/metrics.json) | The figures about the whole ledger that `dvc metrics show` prints. | |"
    yield "| [datapackage.json](published/datapackage.json) | Types, units, bounds and meaning of the CSV files, for programs. | |"
    yield "| [SHA256SUMS](published/SHA256SUMS) | Checksums of the published files. | |"
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
    yield f"Key: {', '.join(f'`{column}`' for column in grain(name))}." + "".join(f" Published: {file}." for file in files)  # fmt: skip
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


def _to(name: str, anchor: str | None = None) -> str:
    return f"[{name}](#{anchor or name})"


def _anchor(heading: str) -> str:
    """Return the anchor of a heading, in lower case without dots and slashes.

    >>> _anchor("report/counters.csv")
    'reportcounterscsv'
    """
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def main() -> None:
    """Write data/README.md."""
    DICTIONARY.write_text(dictionary(), encoding="utf-8")


if __name__ == "__main__":
    main()
