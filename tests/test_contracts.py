"""Rows that break a contract are refused where they are made."""

import shutil
from datetime import date

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pipeline import contracts, flow
from pipeline.publishing import database
from schemas.fields import Column
from schemas.table import ContractError, Declared, Table, TableModel, contract_of


def test_the_door_refuses_a_row_that_breaks_the_contract(miniature, tmp_path, monkeypatch):
    from pipeline.stages.count_operations import Counted

    from pipeline.stages import count_operations
    from schemas.tables.layers import Layers

    root = tmp_path / "tree"
    shutil.copytree(miniature, root)
    whole = count_operations.build

    def build(layers: Table[Layers]) -> Counted:
        rows, kinds = whole(layers)
        rows[0]["forward_flop"] = -1.0
        rows[1]["backward_flop"] = float("nan")
        return Counted([*rows, rows[2]], kinds)

    monkeypatch.setattr(count_operations, "build", build)
    with pytest.raises(ContractError) as problem:
        flow.run("count_operations", root)
    lines = str(problem.value).splitlines()
    assert "operation_counts.parquet: base-text/first forward_flop: -1.0 fails greater_than(0)" in lines
    assert "operation_counts.parquet: backward_flop has a value that is not finite" in lines
    assert any(line.startswith("operation_counts.parquet: two rows for") for line in lines)


DECLARED = {
    (declared.kind, str(declared.column.bounds), declared.is_nullable): declared
    for table in database.table_files()
    for declared in contract_of(table).__columns__.values()
}
WORDS = ["bert-base", "Bert", "bert-base\n", "-bert", "", " ", "all", "2020", "2020-01", "2020-01-02", "20200"]
FLOATS = [
    0.0,
    -0.0,
    1.0,
    1.0000000000000002,
    10.0,
    1e32,
    9.99e31,
    -1.0,
    5e-324,
    float("nan"),
    float("inf"),
    -float("inf"),
]
INTEGERS = [-1, 0, 1, 1899, 1900, 1940, 2100, 2101, 2**53]
CELLS = {"float": FLOATS, "int": INTEGERS, "bool": [True, False], "date": [date(1, 1, 1), date(2026, 11, 22)]}
ANY = {"float": st.floats(), "int": st.integers(-(2**53), 2**53), "bool": st.booleans(), "date": st.dates()}


IDS = [" ".join(map(str, key)) for key in DECLARED]


@pytest.mark.parametrize("declared", DECLARED.values(), ids=IDS)
@given(data=st.data())
@settings(max_examples=2, deadline=None, phases=[Phase.generate])
def test_arrow_and_pandera_refuse_the_same_cells(declared, data):
    """Cells at the ends of bounds, null and any others, in one table → of each cell both say the same."""
    contract = type("Contract", (TableModel,), {}, grain=("row",))
    contract.__columns__ = {"row": Declared("int", False, Column("Its index.")), "cell": declared}
    words = [*WORDS, *declared.column.bounds.get("isin", [])]
    others = data.draw(st.lists(ANY.get(declared.kind, st.text()), max_size=20))
    cells = [*CELLS.get(declared.kind, words), None, *others]
    rows = [{"row": row, "cell": cell} for row, cell in enumerate(cells)]
    batch = pa.RecordBatch.from_pylist(rows, schema=contracts.arrow_schema(contract))
    _, refused = contracts.judged("a table", batch, contract)
    apart = [
        cell
        for row, cell in enumerate(cells)
        if contracts.is_sound(batch.slice(row, 1), contract) == ((str(row),) in refused)
    ]
    assert not apart


@pytest.mark.parametrize("declared", DECLARED.values(), ids=IDS)
def test_of_a_file_the_same_rows_are_refused(declared, tmp_path):
    """A file of which only columns that can be wrong are read, words by their dictionary → the lines of the whole table."""
    contract = type("Contract", (TableModel,), {}, grain=("row",))
    contract.__columns__ = {"row": Declared("int", False, Column("Its index.")), "cell": declared}
    words = [*WORDS, *declared.column.bounds.get("isin", [])]
    cells = [*CELLS.get(declared.kind, words), None]
    schema = contracts.arrow_schema(contract)
    table = pa.Table.from_pylist([{"row": row, "cell": cell} for row, cell in enumerate(cells)], schema=schema)
    of_table = _lines(contracts.check_rows, "a.parquet", table.to_batches(), contract)
    pq.write_table(table, tmp_path / "a.parquet")
    of_file = _lines(contracts.check_file, tmp_path / "a.parquet", contract)
    assert of_file == of_table
    sound = [row for row in range(len(cells)) if contracts.is_sound(table.slice(row, 1).to_batches()[0], contract)]
    pq.write_table(table.take(sound), tmp_path / "a.parquet")
    assert not _lines(contracts.check_file, tmp_path / "a.parquet", contract)
    pq.write_table(table.take(sound[:1] * 2), tmp_path / "a.parquet")
    assert _lines(contracts.check_file, tmp_path / "a.parquet", contract) == [f"a.parquet: two rows for {sound[0]}"]


def _lines(check, *arguments):
    try:
        check(*arguments)
    except ContractError as problem:
        return str(problem).splitlines()
    return []


def test_every_bound_of_a_column_is_known_to_arrow():
    assert {word for declared in DECLARED.values() for word in declared.column.bounds} <= set(contracts.BOUNDS)


def test_pandera_judges_what_is_published():
    rows = [{"cell": 0.5}, {"cell": 2.0}]
    contract = type("Contract", (TableModel,), {}, grain=("cell",))
    contract.__columns__ = {"cell": Declared("float", False, Column("A share.", bounds={"le": 1}))}
    with pytest.raises(ContractError, match=r"^shares: 2.0 cell: 2.0 fails less_than_or_equal_to\(1\)$"):
        contracts.judge("shares", pa.Table.from_pylist(rows, schema=contracts.arrow_schema(contract)), contract)
