"""One reading SQL statement: what is answered, what is refused, and how an answer is written."""

import csv
import io
import json
import re
import subprocess

import pytest

from pipeline.base.paths import PUBLISHED, ROOT
from tests.builders import COMMAND, process, records_of, typed


def asked(sql, *options, **more):
    return typed("query", sql, *options, **more)


def test_a_query_is_one_record_a_line_elsewhere_than_on_a_terminal():
    names, *rows = records_of(
        asked(
            "select model_id, training_flop, reported_flop from estimates where reported_flop is null and training_flop > 0 order by 1 limit 3"
        )
    )
    assert names == ["model_id", "training_flop", "reported_flop"]
    assert [len(row) for row in rows] == [3, 3, 3]
    assert rows[0][2] == ""
    assert float(rows[0][1]) > 0


def test_what_would_break_a_line_is_a_space():
    assert records_of(asked("select 'a' || chr(10) || 'b' || chr(9) || 'c' || chr(27) || '[2J' as x")) == [
        ["x"],
        ["a b c [2J"],
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "with a as (select 1 as x) from a",
        "from disputes",
        "describe estimates",
        "show tables",
        "summarize work.runs",
        "-- a remark\nselect 1 /* another; */ ;",
        "select 'one; two'",
    ],
)
def test_reading_statements_are_answered(sql):
    assert len(records_of(asked(sql))) > 1


HOSTILE = [
    "copy estimates to '{there}'",
    "attach '{there}' as other",
    "install httpfs",
    "load httpfs",
    "pragma database_list",
    "set threads = 1",
    "call enable_logging('QueryLog', storage = 'file', storage_config = {{'path': '{there}'}})",
    "from enable_logging('QueryLog', storage = 'file', storage_config = {{'path': '{there}'}})",
    "select * from read_csv('/etc/passwd')",
    "select * from read_parquet('data/published/estimates.parquet')",
    "from glob('/etc/*')",
    "from 'file.csv'",
    "from read_duckdb('{there}', table_name = 'x')",
    "from 'https://example.org/x.csv'",
    "select 1; select 2",
    "select 1; copy estimates to '{there}'",
    "create table other as select 1",
    "insert into estimates from estimates",
    "with a as (insert into estimates from estimates returning *) from a",
    "drop table estimates",
    "comment on table estimates is 'x'",
    "export database '{there}'",
    "begin",
    "checkpoint",
    "explain analyze select 1",
    "update extensions",
    "from nosuch",
    "set memory_limit = '100GB'",
    "select nosuch from estimates",
    "select 'a'::int",
    "selec 1",
    "",
    "   ;  ",
]


@pytest.mark.parametrize("sql", HOSTILE)
def test_all_else_is_refused_in_one_line(sql, tmp_path):
    there = tmp_path / "there"
    before = (PUBLISHED / "ledger.duckdb").stat().st_mtime_ns
    done = asked(sql.format(there=there))
    assert (done.returncode, done.stdout) == (2, ""), done.stderr
    assert done.stderr.count("\n") == 1
    assert "Traceback" not in done.stderr
    assert not there.exists()
    assert (PUBLISHED / "ledger.duckdb").stat().st_mtime_ns == before


def test_python_variables_are_no_tables():
    for name in ("answer", "sys", "book", "names", "rows", "kind"):
        assert asked(f"from {name}").returncode == 2


def test_an_unknown_table_names_the_nearest():
    done = asked("from estimate")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert 'Did you mean "estimates"?' in done.stderr


def test_csv_is_safe_for_a_spreadsheet():
    done = asked("select '=1+1' a, '+x' b, '-y' c, '@z' d, -1.5 e, null f, 'p,\"q\"' g, 'plain' h", "--csv")
    names, row = csv.reader(io.StringIO(done.stdout))
    assert row == ["'=1+1", "'+x", "'-y", "'@z", "-1.5", "", 'p,"q"', "plain"]


def test_json_keeps_every_column_and_has_null_for_what_is_no_number():
    done = asked("select 'a' x, 'b' x, 'nan'::double y, [1.5, 'inf'::double] z, date '2020-01-02' d, null n", "--json")
    assert json.loads(done.stdout) == [
        {"x": "a", "x_1": "b", "y": None, "z": [1.5, None], "d": "2020-01-02", "n": None}
    ]
    assert json.loads(asked("from estimates limit 0", "--json").stdout) == []


def test_sql_comes_from_standard_input_too():
    assert records_of(asked("-", input="select 7 as x")) == [["x"], ["7"]]


def test_what_comes_from_standard_input_must_be_text():
    done = process("query", "-", input=b"select \xff", text=False)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"standard input is not text in UTF-8 (byte 7)\n"


def test_a_reader_that_leaves_early_sees_no_traceback():
    line = f"{COMMAND} query 'from work.layers' | head -1"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, cwd=ROOT, timeout=300)
    assert done.stdout.startswith("architecture_id\t")
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("'infinity'::date", "infinity"),
        ("'-infinity'::timestamp", "-infinity"),
        ("timestamptz '2020-01-02 03:04:05+00'", "2020-01-02 03:04:05+00"),
        ("date '2020-01-02'", "2020-01-02"),
        ("[timestamp '2020-01-02 03:04:05']", "['2020-01-02 03:04:05']"),
        ("date '9999-12-31'", "9999-12-31"),
    ],
)
def test_times_are_shown_as_the_database_writes_them(value, shown):
    assert records_of(asked(f"select {value} as x, 1 as x", env={"TZ": "UTC"}))[1] == [shown, "1"]


@pytest.mark.parametrize(
    "sql",
    [
        "select now() as x",
        "select current_timestamp as x",
        "select current_time as x",
        "select now() as x; -- ;",
        "; select now() as é ; /* é ; */ -- ;",
    ],
)
def test_the_present_time_is_answered(sql):
    assert len(records_of(asked(sql))) == 2


def test_an_answer_keeps_its_order_beside_times():
    sql = "select range as x, date '2020-01-01' as day from range(100000) order by hash(range), range"
    assert [row[0] for row in records_of(asked(sql))[1:]] == [
        row[0] for row in records_of(asked(sql.replace("date ", "")))[1:]
    ]


ENDLESS = [
    "select sum(a.range * b.range) from range(1000000) a, range(1000000) b",
    "select levenshtein(repeat('a', 1000000), repeat('b', 1000000))",  # one call, which DuckDB does not interrupt
    " union all ".join(["select 1"] * 20000),
    "from range(100000000)",
]


@pytest.mark.parametrize("sql", ENDLESS)
def test_a_query_without_end_ends(sql):
    done = process("query", "-", "--timeout", "0.5", input=sql)
    message = "took longer than 0.5 s; ask for less, or give it more time with --timeout\n"
    assert (done.returncode, done.stderr) == (2, message)


@pytest.mark.parametrize(
    "sql", ["select repeat('x', 4000000000)", "select list(repeat(hash(range)::varchar, 1000)) from range(100000000)"]
)
def test_what_does_not_fit_in_memory_is_refused(sql):
    done = process("query", sql)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "needs more memory than a query may take; ask for less\n"


@pytest.mark.parametrize("option", ["--json", "--csv", None])
def test_no_form_of_an_answer_lets_text_act_on_a_terminal(option):
    done = asked("select 'a' || chr(27) || '[2J' || chr(155) || '2J' || chr(7) as x", *filter(None, [option]))
    assert done.returncode == 0
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", done.stdout)
