"""The stages on Spark beside the same on DuckDB, on the whole ledger, by the README's own example: `make spark-test`.

The normal tests leave it out, since it needs pyspark and a Java runtime; where either is missing it fails.
"""

import re

import pyarrow.dataset
import pyarrow.parquet as pq
import pytest

<<<<<<< HEAD
from pipeline import compiled, contracts, flow
=======
import pipeline
from pipeline import own_tables
from pipeline.paths import ROOT, TABLES
from schemas.errors import ContractError
>>>>>>> 05b533eca3745773e888dca54098f7529542087c

MADE = [name for stage in compiled.STAGES for name in flow.wiring(stage).outputs]
README = (flow.ROOT / "pipeline/README.md").read_text(encoding="utf-8")
MOST_RELATIVE_DIFFERENCE = 1e-12
# What is small is sooner done without compilation to machine code, on as many partitions as there are threads.
QUICK = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.driver.memory": "4g",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@pytest.fixture(scope="module")
def example(tables, tmp_path_factory):
    """What the README's example defines, and the folder that it wrote to."""
    folder = tmp_path_factory.mktemp("example")
    (folder / "data").mkdir()
    (folder / "data/tables").symlink_to(tables.folder)
    (code,) = [code for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "pyspark" in code]
    ran = {}
    with pytest.MonkeyPatch.context() as patch:
        settings = " ".join(f"--conf {name}={value}" for name, value in QUICK.items())
        patch.setenv("PYSPARK_SUBMIT_ARGS", f"{settings} pyspark-shell")
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("SPARK_LOCAL_DIRS", str(folder / "scratch"))
        patch.chdir(folder)
        exec(code, ran)
        yield ran, folder
        ran["lake"].stop()


@pytest.fixture(scope="module")
def on_spark(example):
    """The tables that Spark made, by name."""
    ran, folder = example
    for name in MADE:
        if name != "estimates":
            ran["made"][name].write.parquet(str(folder / name))
    return {name: pyarrow.dataset.dataset(folder / name).to_table() for name in MADE}


<<<<<<< HEAD
@pytest.mark.parametrize("name", MADE)
def test_every_table_is_that_of_duckdb(name, on_spark, tables):
    contract = contracts.contract_of(name)
    order = [(key, "ascending") for key in contracts.grain(contract)]
    found = on_spark[name].sort_by(order).to_pydict()
    expected = pq.read_table(tables.folder / f"{name}.parquet").sort_by(order).to_pydict()
    assert list(found) == list(expected) == list(contracts.meanings(contract))
    assert len(expected[contracts.grain(contract)[0]]) > 300
    different = {}
    for column, meaning in contracts.meanings(contract).items():
        pairs = list(zip(found[column], expected[column], strict=True))
        if meaning.kind == "number":
            different[column] = max(map(relative_difference, *zip(*pairs, strict=True)))
        else:
            different[column] = sum(one != other for one, other in pairs)
    assert {column: by for column, by in different.items() if by > MOST_RELATIVE_DIFFERENCE} == {}
=======
@pytest.mark.parametrize("name", own_tables.RESULTS)
def test_every_table_is_that_of_duckdb_to_the_last_bit(name, example, on_duckdb):
    order = [(column, "ascending") for column in own_tables.declared(name)[2]]
    expected = on_duckdb[name].to_arrow_table().sort_by(order)
    made_by_spark = example["results"][name].toArrow().sort_by(order)
    assert made_by_spark.equals(expected)
    assert len(expected) >= (1_000 if name != "dispute_causes" else 100)
>>>>>>> 05b533eca3745773e888dca54098f7529542087c


def relative_difference(one, other):
    """0 for two nulls, infinite where one alone is null."""
    if one is None or other is None:
        return 0.0 if one is other else float("inf")
    return abs(one - other) / max(abs(one), abs(other)) if one != other else 0.0


def test_the_tables_are_sparks(example):
    from pyspark.sql import DataFrame

    ran, _ = example
    assert list(ran["made"]) == MADE
    assert all(isinstance(table, DataFrame) for table in ran["made"].values())


def test_a_relation_of_duckdb_among_them_is_a_line(example):
    import duckdb

    import pipeline
    from schemas.errors import ContractError

    ran, folder = example
    lake = ran["lake"].read
    given = {name: lake.parquet(f"{folder}/data/tables/{name}.parquet") for name in ("runs", "models")}
    with pytest.raises(ContractError) as problem:
        pipeline.estimate_frames(allocations=duckdb.read_parquet(f"{folder}/data/tables/allocations.parquet"), **given)
    assert str(problem.value) == "allocations: is a DuckDB relation, and runs is not; all are of one engine"
