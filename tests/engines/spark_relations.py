"""The rules on Spark compared with DuckDB, on 1,299 models, as described in the README: `make spark-test`.

The normal tests skip this, because it needs pyspark and a Java runtime; if either is missing, it fails.
"""

import re
import sys

import duckdb
import pytest

import pipeline
from pipeline.base.paths import ROOT, TABLES
from pipeline.engines import relations
from schemas.errors import ContractError

README = (ROOT / "pipeline/README.md").read_text(encoding="utf-8")
NAMES_A_MODEL = ("model_id", "part_id", "contributor_id", "base_model")
COPIES = 3  # of the ledger's models, under new ids
# Small data are faster without compilation to machine code, on as many partitions as there are threads.
QUICK = {
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
    "spark.driver.memory": "2g",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


@pytest.fixture(scope="module")
def example(tmp_path_factory):
    """Return the README's example, with its remarks on Spark applied instead of DuckDB."""
    from pyspark.sql import SparkSession

    folder = tmp_path_factory.mktemp("example")
    (code,) = [code for code in re.findall(r"```python\n(.*?)```", README, re.DOTALL) if "import duckdb" in code]
    files, _, _ = code.partition("lake = ")
    for file in TABLES.glob("*/*.parquet"):
        copies = folder / "data" / "tables" / file.parent.name / file.name
        copies.parent.mkdir(parents=True, exist_ok=True)
        columns = duckdb.read_parquet(str(file)).columns
        renamed = ", ".join(f"{name} || '-' || copy as {name}" for name in NAMES_A_MODEL if name in columns)
        several = f"select * exclude (copy) replace ({renamed}) from '{file}' cross join range({COPIES}) copies(copy)"
        duckdb.sql(several if renamed else f"from '{file}'").write_parquet(str(copies))
    ran = {}
    with pytest.MonkeyPatch.context() as patch:
        settings = " ".join(f"--conf {name}={value}" for name, value in QUICK.items())
        patch.setenv("PYSPARK_SUBMIT_ARGS", f"{settings} pyspark-shell")
        patch.setenv("PYSPARK_PYTHON", sys.executable)
        patch.setenv("SPARK_LOCAL_IP", "127.0.0.1")
        patch.setenv("SPARK_LOCAL_DIRS", str(folder / "scratch"))
        patch.chdir(folder)
        exec(files, ran)
        lake = SparkSession.builder.master("local[2]").getOrCreate()
        results = pipeline.estimate_frames(**{name: lake.read.parquet(file) for name, file in ran["files"].items()})
        results["estimates"].write.parquet("estimates")
        yield {"lake": lake, "files": ran["files"], "results": results}
        lake.stop()


@pytest.fixture(scope="module")
def on_duckdb(example):
    """Return the same tables made by DuckDB from the same files."""
    return pipeline.estimate_frames(**{name: duckdb.read_parquet(file) for name, file in example["files"].items()})


@pytest.mark.parametrize("name", relations.RESULTS)
def test_every_table_is_that_of_duckdb_to_the_last_bit(name, example, on_duckdb):
    order = [(column, "ascending") for column in relations.table_contract(name)[2]]
    expected = on_duckdb[name].to_arrow_table().sort_by(order)
    made_by_spark = example["results"][name].toArrow().sort_by(order)
    assert made_by_spark.equals(expected)
    assert len(expected) >= (1_000 if name != "dispute_causes" else 100)


def test_families_are_in_several_partitions(example):
    # A single partition would prove nothing.
    from pyspark.sql import functions as f

    assert example["results"]["estimates"].select(f.spark_partition_id()).distinct().count() == 2


def test_the_estimates_are_written(example):
    assert duckdb.read_parquet("estimates/*.parquet").shape[0] == COPIES * len(
        duckdb.read_parquet(str(TABLES / "ingest/models.parquet"))
    )


def test_a_relation_of_duckdb_among_them_is_a_line(example):
    lake, files = example["lake"].read, example["files"]
    given = {name: lake.parquet(files[name]) for name in ("runs", "models")}
    with pytest.raises(ContractError) as problem:
        pipeline.estimate_frames(allocations=duckdb.read_parquet(files["allocations"]), **given)
    assert str(problem.value) == "allocations: does not belong to the DuckDB connection or Spark session of models"


def test_every_mistake_of_columns_and_of_rows_is_a_line(example):
    lake, files = example["lake"].read, example["files"]
    given = {name: lake.parquet(files[name]) for name in ("runs", "allocations", "models")}
    runs = given["runs"].drop("phase_index").withColumnRenamed("epochs", "epoch")
    with pytest.raises(ContractError) as problem:
        pipeline.estimate_frames(**given | {"runs": runs.withColumn("steps", runs["steps"].cast("int"))})
    assert str(problem.value).splitlines() == [
        "runs: 'epoch' is not a column of this table; did you mean 'epochs'?",
        "runs: steps is int32, not double",
        "runs: has no column phase_index (int64), never null",
    ]
    twice = given["models"].where("model_id = 'gpt-3-0'")
    with pytest.raises(Exception, match="models: the same model_id in several rows, 1 times, first gpt-3-0"):
        pipeline.estimate_frames(**given | {"models": given["models"].union(twice)})
