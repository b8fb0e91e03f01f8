"""The data dictionary is current and complete, and its links have targets."""

import csv
import re

import duckdb

from pipeline.base.paths import table_file
from pipeline.publishing import dictionary
from pipeline.publishing.removals import removed_names
from pipeline.stages import flow
from schemas.tables import columns_of
from tests.rule_files import TABLE_NAMES

TEXT = dictionary.DICTIONARY.read_text(encoding="utf-8")


def test_it_is_current():
    assert dictionary.dictionary() == TEXT, "run python -m pipeline.publishing.dictionary"


def test_links_have_targets():
    targets = re.findall(r"\]\(([^)]+)\)", TEXT)
    headings = {dictionary.anchor(line.lstrip("# ")) for line in TEXT.splitlines() if line.startswith("#")}
    assert len(targets) > 50
    for target in targets:
        if target.startswith("#"):
            assert target[1:] in headings, target
        else:
            assert (dictionary.DICTIONARY.parent / target).exists(), target


def sections():
    """Return the columns that each section lists, by its heading."""
    columns, heading = {}, ""
    for line in TEXT.splitlines():
        if line.startswith("### "):
            heading = line[4:]
            columns[heading] = []
        elif heading and (column := re.match(r"\| `(\w+)` \|", line)):
            columns[heading].append(column[1])
    return columns


def test_it_lists_the_columns_of_every_published_csv():
    files = sorted((flow.ROOT / "data/published").rglob("*.csv"))
    listed = sections()
    tables = dict(
        re.findall(r"^\| \[[^]]+\]\(published/([^)]+\.csv)\) \|.*\| \[([^]]+)\]\(#[^)]*\)", TEXT, re.MULTILINE)
    )
    assert {file.relative_to(flow.ROOT / "data/published").as_posix() for file in files} == set(tables)
    for name, section in tables.items():
        with (flow.ROOT / "data/published" / name).open(newline="") as file:
            assert next(csv.reader(file)) == listed[section], name


def test_ended_columns_and_values_are_gone():
    published = {table: set(columns_of(table)) for table in TABLE_NAMES}
    columns = {name for names in published.values() for name in names}
    ended = removed_names()
    assert len(ended) > 40
    for names in ended:
        for name in names.split(", "):
            column, _, word = name.partition(" = ")
            table, _, column_of_table = column.partition(".")
            if word:
                file = table_file(table if column_of_table else "estimates")
                rows = duckdb.sql(f"from '{file}' where {column_of_table or column} = '{word}'").fetchall()
                assert rows == [], name
            elif column_of_table:
                assert column_of_table not in published.get(table, ()), name
            else:
                assert name not in columns | published.keys(), name


def test_meanings_of_empty_cells_hold():
    """Check a few meanings by queries that must return no rows."""
    for table, condition in {
        "estimates": "dispute_cause is null and is_disputed",
        "runs": "architecture_passes_per_example is null and example_unit not in ('token', 'word')",
        "completed_allocations": "chip_seconds_basis is null and chip_seconds is not null",
        "hardware": "fast_16bit_precision is null and sixteen_bit_ratio >= 1.5",
        "utilization_cells": "predicted_log_error is null and sources_number > 5",
    }.items():
        path = table_file(table)
        ((number,),) = duckdb.sql(f"select count(*) from '{path}' where {condition}").fetchall()
        assert number == 0, (table, condition)
