"""Tables written to harm: every row comes back or is quarantined, whatever stands in a cell, and no pattern takes long over one."""

import math
import random
import re

import pytest

from pipeline.catalogues import epoch, estimates
from pipeline.catalogues.cells import LONGEST_CELL, sheet_of
from pipeline.catalogues.columns import READ, rows_of
from pipeline.catalogues.epoch import read
from pipeline.publishing import csv_cells
from tests.builders import TEXT_ROW, epoch_csv

SEED, TABLES, ROWS = 20261122, 15, 27  # 405 mutated rows
CELLS = (
    "", " ", "-1", "0", "nan", "inf", "-inf", "1e32", "9.9e31", "1e-300", "5e-324", "1e400", "1e-3", "0.0009", "1,2,3", "1,000", "1.000,5",
    "=cmd()", "@SUM(A1)", "\x1b[2J", "\x9b2J", "a\nb", "a\tb", "\u202e", "Ω" * 300, "x" * 5_000, "9" * 400, "1e32 tokens", "2100", "2041-01-01",
    "0001-01-01", "2020-13-45", "(" * 3_000, "a-" * 3_000, "1 2 3 " * 2_000, "gpt " * 3_000, "NVIDIA A100," * 500, "Language," * 500,
    "trained on 1e14 tokens for 1e9 epochs", "1 epochs 2 epochs", "10^99 tokens", "1.0.0.0", "١٢", "½", "0x10", "1_000", "True", "None", "null",
)  # fmt: skip


def mutated(dice):
    """Rows of a sound table, each with up to four cells replaced."""
    rows = []
    for number in range(ROWS):
        row = {**TEXT_ROW, "Model": f"Model {number}"}
        for column in dice.sample(
            sorted({header for headers in READ.values() for header in headers[:1]}), dice.randrange(1, 5)
        ):
            if column != "Model":
                row[column] = dice.choice(CELLS)
        rows.append(row)
    return rows


@pytest.mark.parametrize("number", range(TABLES))
def test_every_row_of_a_mutated_table_is_read_or_refused(number, records, tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(epoch_csv(mutated(random.Random(f"{SEED} {number}"))).encode("utf-8", "replace"))
    catalogue = read(path, records)
    assert sorted(
        [*(each.row.source_row for each in catalogue.drafts), *(each.source_row for each in catalogue.bad)]
    ) == [*range(1, ROWS + 1)]


def test_every_row_of_mutated_tables_is_estimated_or_refused(records, params, tmp_path):
    path = tmp_path / "table.csv"
    dice = random.Random(SEED)
    rows = [row for _ in range(TABLES) for row in mutated(dice)]
    path.write_bytes(epoch_csv(rows).encode("utf-8", "replace"))
    made = estimates.estimate(epoch.read(path, records), records, params, {})
    numbers = [*(row["source_row"] for row in made.estimates), *(each.source_row for each in made.bad)]
    assert sorted(numbers) == [*range(1, TABLES * ROWS + 1)]
    assert made.bad  # some rows have numbers that no table may hold
    for row in made.estimates:
        assert all(math.isfinite(value) for value in row.values() if isinstance(value, float))
        shown = "".join(map(csv_cells.cell, row.values()))
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", shown)


@pytest.mark.parametrize(
    "piece", ["a", "a-", "gpt", "1", "1 ", "1,", "(", "the ", "10^", "\u00a0", "\n", "A100 ", "hours ", "train "]
)
@pytest.mark.parametrize("column", sorted({header for headers in READ.values() for header in headers[:1]}))
def test_the_longest_cell_costs_no_more_than_its_row(column, piece, records, tmp_path):
    """A pattern that is quadratic would take minutes over 100,000 letters, and the run would never end."""
    cell = (piece * LONGEST_CELL)[: LONGEST_CELL - 1] + "!"
    path = tmp_path / "table.csv"
    path.write_text(epoch_csv([{**TEXT_ROW, column: cell}, {**TEXT_ROW, "Model": "Next"}]))
    catalogue = read(path, records)
    assert len(catalogue.drafts) + len(catalogue.bad) == 2


def test_a_cell_beyond_the_longest_costs_its_row():
    table = epoch_csv([{**TEXT_ROW, "Task": "x" * (LONGEST_CELL + 1)}, {**TEXT_ROW, "Model": "Next"}]).encode()
    read_rows = rows_of(sheet_of(table, "a.csv"), "a.csv")
    assert [row.name for row in read_rows.rows] == ["Next"]
    assert [bad.reason for bad in read_rows.bad] == ["'Task' has 100,001 characters; at most 100,000 are read"]
