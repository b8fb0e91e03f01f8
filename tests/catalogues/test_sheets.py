"""Invalid CSV files are refused in one line; odd but valid ones are read."""

import pytest

from pipeline.catalogues.epoch import quantities
from pipeline.catalogues.epoch.columns import rows_of
from pipeline.catalogues.sheets import LARGEST_BYTES, CatalogueError, check_size, read_sheet, sheet_of
from pipeline.publishing.csv_cells import safe_cell
from tests.builders import EPOCH_HEADER, TEXT_ROW, epoch_csv


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf \r\n", "is empty"),
        ("Model,Domain\nGrün,Vision\n".encode("latin-1"), "t.csv:2 is not UTF-8 (byte 0xfc); save it as UTF-8"),
        (b"\n<!DOCTYPE html><html>504 Gateway Time-out</html>", "is a web page"),
        (b'Model,Domain\nA,"Vision', "ends inside a quoted cell: it is cut off"),
        (b'Model,Domain\nA,"Vision"x\n', "is not valid CSV"),
        (b"Model,Domain,Model\nA,Vision,B\n", "t.csv:1 names a column twice: 'Model'"),
        (b"Model\nA\0\n", "zero bytes"),
    ],
)
def test_what_is_no_table_is_said(content, message):
    with pytest.raises(CatalogueError, match="^t.csv") as problem:
        sheet_of(content, "t.csv")
    assert message in str(problem.value)
    assert "\n" not in str(problem.value)


def test_a_file_that_is_missing_or_a_folder_is_said(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(CatalogueError, match="cannot be read"):
            read_sheet(path)


def test_the_limit_is_judged_before_a_byte_is_read(tmp_path):
    path = tmp_path / "t.csv"
    with path.open("wb") as file:
        file.write(b"Model\nnet\n")
        file.truncate(LARGEST_BYTES + 1)  # the rest takes no space on the disk
    with pytest.raises(CatalogueError, match=rf"^{path} is larger than 64,000,000 bytes; read it in parts$"):
        check_size(path)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_marks_line_ends_and_quoted_newlines_are_read(end, mark):
    row = TEXT_ROW | {"Model": "Two\r\nlines, and a comma", "Parameters notes": '"quoted" \n twice'}
    sheet = sheet_of(mark + epoch_csv([row], end=end).encode(), "t.csv")
    (read,) = rows_of(sheet, "t.csv").rows
    assert (read.source_row, read.name) == (1, "Two lines, and a comma")


def test_a_cell_of_ten_megabytes_is_one_bad_row():
    rows = [TEXT_ROW | {"Parameters notes": "x" * 10_000_000}, TEXT_ROW | {"Model": "Next"}]
    read = rows_of(sheet_of(epoch_csv(rows).encode(), "t.csv"), "t.csv")
    assert [(bad.source_row, bad.name) for bad in read.bad] == [(1, "Text")]
    assert "10,000,000 characters" in read.bad[0].reason
    assert max(map(len, read.bad[0].cells.values())) <= 200
    assert [row.name for row in read.rows] == ["Next"]


def test_columns_that_are_missing_are_named():
    header = [name for name in EPOCH_HEADER if name not in {"Epochs", "Task"}] + ["Vibes"]
    read = rows_of(sheet_of(epoch_csv([], header).encode(), "t.csv"), "t.csv")
    assert read.remarks == ["t.csv:1 lacks columns, which are read as empty: 'Task', 'Epochs'"]
    with pytest.raises(CatalogueError, match="lacks the column 'Parameters'; is it Epoch's table"):
        rows_of(
            sheet_of(epoch_csv([], [name for name in EPOCH_HEADER if name != "Parameters"]).encode(), "t.csv"), "t.csv"
        )


def test_rows_of_another_width_or_without_a_name_are_bad():
    text = epoch_csv([TEXT_ROW | {"Model": ""}]) + "Short,Language\r\n"
    bad = rows_of(sheet_of(text.encode(), "t.csv"), "t.csv").bad
    assert [(row.source_row, row.reason) for row in bad] == [
        (1, "has no name"),
        (2, f"has 2 cells, but the header has {len(EPOCH_HEADER)}"),
    ]


@pytest.mark.parametrize("cell", ["=cmd()", "+1", "-1", "@SUM(A1)", "\tx", "\rx"])
def test_what_a_spreadsheet_would_run_is_quoted(cell):
    assert safe_cell(cell) == f"'{cell}"
    assert safe_cell(f"a{cell}") == f"a{cell}"


@pytest.mark.parametrize(
    ("cell", "expected"),
    [
        ("1,307", 1307.0),
        ("1,234,567.5", 1234567.5),
        ("327978752,192851506176", None),
        ("14180000,14180000", None),
        ("0.0", None),
    ],
)
def test_a_cell_of_several_numbers_is_none_of_them(cell, expected):
    if expected is None:
        with pytest.raises(quantities.CellError):
            quantities.number(cell, "the size")
    else:
        assert quantities.number(cell, "the size") == expected


def test_what_moves_a_terminal_or_turns_text_is_a_space():
    sheet = sheet_of("Model,Note\nA\u202eB\x1b[2J\x07,\u2066two\nlines\x9c\n".replace(",\u2066", ',"\u2066').replace("\x9c", '\x9c"').encode(), "a.csv")  # fmt: skip
    assert sheet.lines[0].cells == ["A B [2J ", " two\nlines "]
    assert safe_cell("A\u202eB\x1b[2J\nC") == "A B [2J\nC"
