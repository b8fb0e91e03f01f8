"""The SQL files in pipeline/models and the code that runs them: known words, errors, identical results anywhere."""

import enum
import math
import re

import duckdb
import pytest

from pipeline.base import paths
from pipeline.models import sql
from pipeline.stages import TABLES
from schemas import vocabulary
from schemas.tables import columns_of
from tests.rule_files import FILES
from tests.rule_files import connection as connection  # the fixture

TEXTS = {
    " | ",
    " + ",
    ", ",
    "",
    " for ",
    "/",
    *("own_training_(flop.*)", r"\1", "^flop.*", r"training_\0"),  # columns, and what replaces their names
    "World",  # a place in grid_factors
    "default",  # how the utilization of a run is chosen
    "whole_runs",
    "per_chip_hour",  # a key in a forecast's JSON
    "_decline",  # ends of cases of `cost`
    "_log_sd",
    "data/records/defaults: states no ",
    r"^(.*) (\d+)$",
    "1e",
    "estimated_flop",  # keys of structs
    "effect",
    "effect_size",
    "is_slope",
    " ",
    " matrix",
    " vector",
    "peak",
    "units",  # traits of cases of utilization
    "any",
}  # neither words nor parts of words


def quoted_words(text):
    """Return the quoted words in a query, without its comments."""
    return set(re.findall(r"'((?:[^']|'')*)'", re.sub(r"--[^\n]*", "", text)))


@pytest.mark.parametrize("name", FILES)
def test_a_query_needs_only_the_tables_that_it_names(connection, name):
    alone = duckdb.connect(config={"threads": 1})
    alone.execute(sql.macros())
    for table in sql.tables_read(name):
        described = connection.execute(f"describe {table}").fetchall()
        typed = ", ".join(f'"{column}" {kind}' for column, kind, *_ in described)
        alone.execute(f"create table {table} ({typed})")
    alone.execute(f"explain {sql.sql_of(name)}")


def words_of(tables):
    """Return the words that a query may compare with: of a vocabulary, a default's quantity or case, or a column."""
    named = {str(word) for kind in vars(vocabulary).values() if isinstance(kind, enum.EnumMeta) for word in kind}
    cases = tables.sql(
        "select distinct unnest([quantity, applies_to]) from defaults union select applies_to from year_peaks"
    )
    outputs = [columns_of(name) for names in TABLES.values() for name in names]
    return named | {word for (word,) in cases} | {column for contract in outputs for column in contract}


def test_every_word_in_quotes_is_known(tables):
    known = words_of(tables)
    starts = {"precision_", "data_", "default%"}  # beginnings of words that are joined or compared
    assert all(any(word.startswith(start.rstrip("%")) for word in known) for start in starts)
    for name in [*FILES, *sql.MACROS]:
        assert quoted_words(sql.sql_of(name)) - known - starts - TEXTS == set(), f"{name}.sql"


def test_an_unknown_word_is_detected(tables):
    assert quoted_words("case when basis = 'countd' then 'it''s' end -- it's 'a comment'") - words_of(tables) == {
        "countd",
        "it''s",
    }


def test_every_word_of_a_total_has_a_rank(tables):
    """`weakest` skips words that `weakness` does not list."""
    (ranked,) = re.findall(r"macro weakness\(word\) as list_position\(\s*\[(.*?)\]", sql.macros(), re.DOTALL)
    ranks = set(re.findall(r"'(\w+)'", ranked))
    summed = {
        (table, column)
        for table, totals in (("operation_estimates", "operation_totals"), ("gpu_time_estimates", "time_totals"))
        for column in re.findall(r"weakest\((\w+)\)", sql.sql_of(totals))
    }
    assert len(summed) > 5
    for table, column in sorted(summed):
        words = {word for (word,) in tables.sql(f"select distinct {column} from {table} where {column} is not null")}
        assert words <= ranks, column
    assert {*map(str, vocabulary.InputClass)} <= ranks


def test_floats_are_never_summed():
    """The last digit of a sum of floats depends on the order of rows."""
    for name in [*FILES, *sql.MACROS]:
        text = re.sub(r"--[^\n]*", "", sql.sql_of(name))
        sums = re.findall(r"\bsum\(((?:[^()]|\((?:[^()]|\([^()]*\))*\))*)\)", text)
        assert all("::decimal(38, " in summed for summed in sums), name
        assert not re.search(r"\b(avg|mean|stddev|var_pop|fsum|product)\(", text), name


@pytest.fixture
def models(tmp_path, monkeypatch):
    """Replace pipeline/models by an empty folder without Python rules. Return a function that writes SQL there."""
    monkeypatch.setattr(sql, "MODELS", tmp_path)
    monkeypatch.setattr(sql, "PYTHON", {})
    cached = (sql.sql_of, sql.tables, sql.tables_read)
    for function in cached:
        function.cache_clear()

    def write(**files):
        for name, text in {"macros": "select 1", **files}.items():
            (tmp_path / f"{name}.sql").write_text(text)

    yield write
    for function in cached:
        function.cache_clear()


@pytest.mark.parametrize(
    ("files", "message"),
    [
        ({"a": "from b", "b": "select * from c join d using (x)", "c": "from a"}, "pipeline/models: a reads b reads c reads a: a circle"),
        ({"a": "from a"}, "pipeline/models: a reads a: a circle"),
        ({"a": "select wher"}, r'pipeline/models/a\.sql: Binder Error: .*"wher" was not found.*'),
        ({"a": "selec 1"}, r'pipeline/models/a\.sql: Parser Error: syntax error at or near "selec"'),
        ({"a": "from given join missing using (x)"}, r"pipeline/models/a\.sql: Catalog Error: Table with name missing does not exist!.*"),
        ({"a": "select x::int as y from given"}, r"pipeline/models/a\.sql: Conversion Error: Could not convert string 'word' to INT32.*"),
        ({"a": "select error('states no x')"}, r"pipeline/models/a\.sql: Invalid Input Error: states no x"),
    ],
)  # fmt: skip
def test_the_error_of_a_rule_is_one_line_with_its_file(models, files, message):
    models(**files)
    connection = duckdb.connect()
    connection.execute("create table given as select 'word' as x")
    with pytest.raises(sql.RuleError) as refused:
        sql.run(connection, ["a"])
    assert re.fullmatch(message, str(refused.value)), str(refused.value)


def test_a_rule_runs_after_its_inputs_and_ctes_are_not_tables(models):
    models(
        first="with second as (select 1 as x) from second  -- from third",
        third="select * from first join (select 2 as y) z on true where 'from nowhere' <> ''",
    )
    connection = duckdb.connect()
    assert sql.run(connection, ["third"]) == ["first", "third"]
    assert sql.inputs(["third"]) == frozenset()
    assert connection.table("third").fetchall() == [(1, 2)]


def test_a_given_table_is_used_as_it_is(models):
    models(a="select 1 as x", b="from a")
    connection = duckdb.connect()
    connection.execute("create table a as select 7 as x")
    assert sql.run(connection, ["b"], ["a"]) == ["b"]
    assert connection.table("b").fetchall() == [(7,)]


def made_by(folder, settings, order=""):
    """Return the number of rows of each table made from the ledger's tables, and the sum of the rows' hashes."""
    connection = duckdb.connect(config=settings)
    connection.execute("pragma verify_parallelism")  # several threads even for few rows
    for name in sql.inputs(FILES, sql.PYTHON) - {"params"}:
        connection.execute(f"create table {name} as from '{paths.table_file(name, folder)}' t {order}")
    from pipeline.records import params

    sql.set_params(connection, params.load().model_dump())
    sql.run(connection, FILES, sql.PYTHON)
    digest = "select count(*), sum(hash(t)) from {} t"
    return {name: connection.execute(digest.format(name)).fetchone() for name in FILES}


def test_threads_and_the_order_of_rows_change_no_bit(tables):
    one = made_by(tables.root, {"threads": 1})
    assert one["estimates"][0] > 100
    assert one == made_by(tables.root, {"threads": 4, "preserve_insertion_order": "false"}, "order by hash(t)")


def test_nan_and_infinity_are_literals():
    values = duckdb.sql(f"select {sql.literal(math.nan)}, {sql.literal(math.inf)}, {sql.literal(-math.inf)}").fetchall()
    assert str(values) == "[(nan, inf, -inf)]"


def test_literals_keep_their_types():
    value = {"a": 2.0, "b": 3, "c": None, "d": True, "e": "it's"}
    assert duckdb.sql(f"select {sql.literal(value)}").fetchall() == [(value,)]
    assert duckdb.sql(f"select typeof({sql.literal(2.0)})").fetchall() == [("DOUBLE",)]


def test_rules_have_no_line_over_120_characters():
    files = [path for path in sql.MODELS.iterdir() if path.is_file()]  # Python may write a folder of bytecode
    lines = {(file.name, line) for file in files for line in file.read_text(encoding="utf-8").splitlines()}
    assert len(files) > 40
    assert not {(name, line) for name, line in lines if len(line) > 120}
