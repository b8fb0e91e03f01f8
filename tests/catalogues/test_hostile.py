"""Malicious tables: every row is estimated or quarantined, whatever its cells contain, and no pattern takes long."""

import csv
import io
import math
import random
import re
from itertools import cycle

import pytest

from pipeline.catalogues import epoch, estimates
from pipeline.catalogues.epoch import read
from pipeline.catalogues.epoch.columns import READ, rows_of
from pipeline.catalogues.sheets import LONGEST_CELL, CatalogueError, sheet_of
from pipeline.publishing import csv_cells
from tests.builders import EPOCH_HEADER, TEXT_ROW, epoch_csv, within

SEED, TABLES, ROWS = 20261124, 2, 20  # 40 mutated rows
FILES = 40  # mutated as a whole
CELLS = (
    "", " ", "-1", "0", "nan", "inf", "-inf", "1e32", "9.9e31", "1e-300", "5e-324", "1e400", "1e-3", "0.0009", "1,2,3", "1,000", "1.000,5",
    "=cmd()", "@SUM(A1)", "\x1b[2J", "\x9b2J", "a\nb", "a\tb", "\u202e", "Ω" * 300, "x" * 5_000, "9" * 400, "1e32 tokens", "2100", "2041-01-01",
    "0001-01-01", "2020-13-45", "(" * 3_000, "a-" * 3_000, "1 2 3 " * 2_000, "gpt " * 3_000, "NVIDIA A100," * 500, "Language," * 500,
    "trained on 1e14 tokens for 1e9 epochs", "trained on 3 bıllıon tokenſ", "1 epochs 2 epochs", "10^99 tokens", "1.0.0.0", "١٢", "½", "0x10", "1_000", "True", "None", "null",
)  # fmt: skip


COLUMNS = sorted({header for headers in READ.values() for header in headers[:1] if header in EPOCH_HEADER})


def mutated(dice):
    """Return rows of a valid table with up to four cells replaced, so that every hostile cell occurs somewhere."""
    rows, hostile = [], cycle(dice.sample(CELLS, len(CELLS)))
    for number in range(ROWS):
        row = {**TEXT_ROW, "Model": f"Model {number}"}
        for column in dice.sample(COLUMNS, dice.randrange(1, 5)):
            if column != "Model":
                row[column] = next(hostile)
        rows.append(row)
    return rows


def cut(content, dice):
    return content[: dice.randrange(len(content))]


def flipped(content, dice):
    place = dice.randrange(len(content))
    return content[:place] + bytes([dice.randrange(256)]) + content[place + 1 :]


def doubled(content, dice):
    """Repeat a piece, as if two downloads had been joined."""
    start, end = sorted(dice.randrange(len(content)) for _ in range(2))
    return content[:end] + content[start:]


def dropped(content, dice):
    start, end = sorted(dice.randrange(len(content)) for _ in range(2))
    return content[:start] + content[end:]


def replaced(content, dice):
    """Replace one mark by another in the whole file."""
    return content.replace(*dice.choice(MARKS))


def inserted(content, dice):
    place = dice.randrange(len(content))
    return content[:place] + dice.choice(PIECES) + content[place:]


def moved(content, dice):
    """Return the columns in another order, with one of them removed or renamed."""
    rows = list(csv.reader(io.StringIO(content.decode("utf-8", "replace"), newline="")))
    order = dice.sample(range(len(rows[0])), len(rows[0]) - dice.randrange(2))
    text = io.StringIO()
    csv.writer(text).writerows([[row[place] for place in order if place < len(row)] for row in rows])
    return text.getvalue().replace(*dice.choice([("Model", "Models"), ("Domain", "domain"), ("", "")]), 1).encode()


MARKS = [(b",", b";"), (b",", b"\t"), (b'"', b"'"), (b'"', b""), (b"\r\n", b"\n"), (b"\r\n", b"\r"), (b"\n", b"\n\n"), (b"e", b"\xe9"), (b"1", "١".encode())]  # fmt: skip
PIECES = [b'"', b"\0", b"\n", b"\r", b",,,,", b"\xff\xfe", b"\xef\xbb\xbf", b"<html>", b"\x1b[2J", b"\xe2\x80\xae", b"=cmd()", b'""', b"x" * 105_000, b"," * 3_000, b"\n" * 3_000]  # fmt: skip
MUTATIONS = (cut, flipped, doubled, dropped, replaced, inserted, moved)


@pytest.fixture
def _long_cells():
    """Let Python's own CSV reader, with which the test counts rows, accept cells of any length."""
    before = csv.field_size_limit(10_000_000)
    yield
    csv.field_size_limit(before)


@pytest.mark.usefixtures("_long_cells")
def test_every_row_of_a_mutated_file_is_read_or_refused_or_the_file_is_in_one_line(records, tmp_path):
    path = tmp_path / "table.csv"
    sound = epoch_csv([{**TEXT_ROW, "Model": f"Model {row}", "Task": "a, b"} for row in range(4)]).encode()
    lines_told, remarks, whole_files = [], [], 0
    for number in range(FILES):
        dice = random.Random(f"{SEED} {number}")
        content = MUTATIONS[number % len(MUTATIONS)](sound, dice) or b" "
        for _ in range(dice.randrange(3)):
            content = dice.choice(MUTATIONS)(content, dice) or b" "
        path.write_bytes(content)
        try:
            catalogue = read(path, records)
        except CatalogueError as problem:
            lines_told.append(str(problem))
            continue
        remarks.extend(catalogue.remarks)
        whole_files += 1
        lines = [row for row in csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")) if any(row)][1:]
        assert len(catalogue.drafts) + len(catalogue.bad) == len(lines)
    assert min(len(lines_told), whole_files) > FILES / 10
    for line in (*lines_told, *remarks):
        assert re.fullmatch(rf"{re.escape(str(path))}(:\d+)?:? [^\x00-\x1f\x7f-\x9f]{{1,300}}", line), line


def test_every_row_of_mutated_tables_is_estimated_or_refused(records, params, tmp_path):
    path = tmp_path / "table.csv"
    rows = [row for number in range(TABLES) for row in mutated(random.Random(f"{SEED} {number}"))]
    path.write_bytes(epoch_csv(rows).encode("utf-8", "replace"))
    estimated = estimates.estimate(epoch.read(path, records), records, params, {})
    estimates_of_rows = [*estimated.estimates]
    numbers = [*(row["source_row"] for row in estimates_of_rows), *(bad.source_row for bad in estimated.bad)]
    assert sorted(numbers) == [*range(1, len(rows) + 1)]
    assert estimated.bad  # some rows have impossible numbers
    for row in estimates_of_rows:
        assert all(math.isfinite(value) for value in row.values() if isinstance(value, float))
        shown = "".join(map(csv_cells.cell, row.values()))
        assert not re.search("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]", shown)


PIECES_OF_CELLS = ["a", "a-", "gpt", "1", "1 ", "1,", "(", "the ", "10^", "\u00a0", "\n", "A100 ", "hours ", "train "]
LONGEST_CELLS = list(zip(COLUMNS, cycle(PIECES_OF_CELLS), strict=False))  # `make hostile` tries every pair


def test_the_longest_cell_costs_no_more_than_its_row(records, tmp_path):
    """A quadratic pattern would take minutes over 100,000 letters, and the run would never end."""
    path = tmp_path / "table.csv"
    for column, piece in LONGEST_CELLS:
        cell = (piece * LONGEST_CELL)[: LONGEST_CELL - 1] + "!"
        path.write_text(epoch_csv([{**TEXT_ROW, column: cell}, {**TEXT_ROW, "Model": "Next"}]))
        with within():
            catalogue = read(path, records)
        assert len(catalogue.drafts) + len(catalogue.bad) == 2, (column, piece)


def test_a_cell_beyond_the_longest_costs_its_row():
    table = epoch_csv([{**TEXT_ROW, "Task": "x" * (LONGEST_CELL + 1)}, {**TEXT_ROW, "Model": "Next"}]).encode()
    read_rows = rows_of(sheet_of(table, "a.csv"), "a.csv")
    assert [row.name for row in read_rows.rows] == ["Next"]
    assert [bad.reason for bad in read_rows.bad] == ["'Task' has 100,001 characters; at most 100,000 are read"]
