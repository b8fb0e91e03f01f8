"""A table is checked against its contract: each kind of mistake is one line with row, column and what is allowed."""

import math
from datetime import date

import duckdb
import pyarrow as pa
import pytest

from pipeline.base.paths import table_file
from schemas import contracts
from schemas.errors import ContractError
from schemas.tables import grain
from tests.rule_files import TABLE_NAMES

NAME = "gpu_time_estimates"
SOUND = {
    "model_id": "gpt-3",
    "phase": "core",
    "allocation": 0,
    "hardware_basis": "reported",
    "precision": "fp16",
    "precision_basis": "reported",
    "chip_seconds": 1e9,
    "default_utilization_fraction": 0.3,
    "utilization_fraction": 0.3,
    "utilization_basis": "assumed",
    "peak_log_sd": 0.1,
    "precision_log_sd": 0.0,
    "is_from_operations": False,
}


def mistakes(table, name=NAME):
    with pytest.raises(ContractError) as problem:
        contracts.check(name, table)
    return str(problem.value).splitlines(), problem.value.rows


def rows_of(*changed):
    rows = [{**SOUND, "allocation": number, **row} for number, row in enumerate(changed)]
    return contracts.arrow_table(rows, NAME)


@pytest.mark.parametrize("name", TABLE_NAMES)
def test_every_table_of_the_ledger_passes(name):
    with duckdb.connect() as connection:
        table = connection.read_parquet(str(table_file(name))).order("random()").to_arrow_table()
    contracts.check(name, table)
    assert contracts.arrow_schema(name) == table.schema
    assert set(grain(name)) <= set(table.schema.names)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"precision": "fp17"}, "precision: 'fp17' is none of fp64, fp32, tf32, fp16, bf16, fp8, fp4, int8"),
        ({"chip_seconds": -3.0}, "chip_seconds: -3 is not greater than 0"),
        ({"chip_seconds": math.nan}, "chip_seconds: nan is not finite"),
        ({"gpu_time_flop": math.inf}, "gpu_time_flop: inf is not finite"),
        ({"format_ratio": math.inf}, "format_ratio: inf is not finite"),
        ({"gpu_time_flop": 1e32}, "gpu_time_flop: 1e+32 is not less than 1e+32"),
        ({"default_utilization_fraction": 1.0000000000000002}, "default_utilization_fraction: 1.0000000000000002 is not at most 1"),
        ({"peak_log_sd": -0.5}, "peak_log_sd: -0.5 is not at least 0"),
        ({"peak_log_sd": 10.0}, "peak_log_sd: 10 is not less than 10"),
        ({"hardware_basis": None}, "hardware_basis: is null, which this table does not allow"),
    ],
)  # fmt: skip
def test_a_value_that_is_refused(change, line):
    lines, rows = mistakes(rows_of({}, change))
    assert lines == [f"{NAME}: gpt-3 core 1 {line}"]
    assert rows == {("gpt-3", "core", "1"): lines[0]}


@pytest.mark.parametrize("identifier", ["gpt-3\n", "GPT-3", "gpt 3", "-gpt", ""])
def test_an_identifier_of_other_letters_or_with_a_line_break(identifier):
    lines, _ = mistakes(rows_of({"model_id": identifier}))
    assert len(lines) == 1
    assert lines[0].endswith(f"model_id: {identifier!r} does not match ^[a-z0-9]+(-[a-z0-9]+)*$")


def test_a_key_that_is_there_twice():
    lines, rows = mistakes(rows_of({}, {"allocation": 0}, {}))
    assert lines == [f"{NAME}: two rows for gpt-3 core 0"]
    assert list(rows) == [("gpt-3", "core", "0")]


def test_columns_that_are_missing_more_elsewhere_or_of_another_type():
    table = rows_of({})
    of_another_type = table.set_column(2, "allocation", pa.array([0.0]))
    assert mistakes(of_another_type)[0] == [f"{NAME}: allocation: is double, not int64"]
    more = table.drop_columns("precision").append_column("precison", pa.array(["fp16"]))
    assert mistakes(more)[0] == [
        f"{NAME}: has the column 'precison', which is not in its contract; did you mean 'precision'?",
        f"{NAME}: lacks the column precision",
    ]
    ((line,), _) = mistakes(table.select(table.column_names[::-1]))
    assert line.startswith(f"{NAME}: has its columns in the order is_from_operations, ")
    twice = table.append_column("phase", pa.array(["core"]))
    assert mistakes(twice)[0] == [f"{NAME}: has the column phase 2 times"]


def test_all_mistakes_at_once_the_first_ten_of_them():
    table = rows_of(*[{"precision": "x", "chip_seconds": -1.0}] * 12)
    lines, rows = mistakes(table)
    assert lines[0].startswith(f"{NAME}: gpt-3 core 0 precision: 'x' is none of ")
    assert lines[1] == f"{NAME}: gpt-3 core 0 chip_seconds: -1 is not greater than 0"
    assert lines[10:] == [f"{NAME}: and 14 more"]
    assert len(rows) == 12


def test_a_value_that_no_column_of_its_type_holds():
    with pytest.raises(ContractError) as problem:
        rows_of({"chips": 1, "chip_seconds": "long", "allocation": date(2026, 1, 1)})
    assert [line.partition(": ")[2].partition(":")[0] for line in str(problem.value).splitlines()] == [
        "allocation",
        "chip_seconds",
    ]


def test_a_table_without_rows_or_contract():
    contracts.check(NAME, rows_of())
    with pytest.raises(LookupError):
        contracts.arrow_schema("no_table")
