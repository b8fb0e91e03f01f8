"""The rules on Spark: Spark distributes, DuckDB computes. Each partition runs the same SQL files on the rows of its models, on one thread.

The rows of all tables of models travel in one frame, a struct column a table, and whole families of models (those that are each
other's base models or contributors) in one partition; so do the results. The other tables are small and go with the function.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

import duckdb
import pyarrow as pa

from pipeline import contracts, own_tables

REFERENCES = {"lineages": "part_id", "contributions": "contributor_id"}
KINDS = {
    "VARCHAR": "string",
    "DOUBLE": "double",
    "BIGINT": "bigint",
    "BOOLEAN": "boolean",
    "DATE": "date",
}  # DuckDB's in Spark's SQL


def families(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """For each model that another one refers to, or that refers to one, the first id of its family.

    >>> families([("b", "a"), ("c", "b"), ("y", "x")])
    {'b': 'a', 'a': 'a', 'c': 'a', 'y': 'x', 'x': 'x'}
    """
    parents: dict[str, str] = {}

    def first_of(model: str) -> str:
        while parents.setdefault(model, model) != model:
            model = parents[model] = parents[parents[model]]
        return model

    for pair in pairs:
        first, last = sorted(map(first_of, pair))
        parents[last] = first
    return {model: first_of(model) for model in parents}


def estimated(given: Mapping[str, Any], small: Mapping[str, pa.Table], choices: Mapping[str, Any]) -> dict[str, Any]:
    """The results by name from the Spark data frames given, the small Arrow tables beside them, and the blocks of params.yaml."""
    from pyspark.sql import functions as f

    session = given["models"].sparkSession
    of_models = [name for name in given if "model_id" in own_tables.declared(name)[0]]
    pairs = [
        row
        for name in REFERENCES.keys() & given.keys()
        for row in given[name].select("model_id", REFERENCES[name]).where(f"{REFERENCES[name]} <> model_id").collect()
    ]
    family = session.createDataFrame([*families(pairs).items()], "model_id string, family string")
    packed = [
        given[name].join(f.broadcast(family), "model_id", "left").select(
            f.coalesce("family", "model_id").alias("family"), f.struct(*given[name].columns).alias(name))
        for name in of_models
    ]  # fmt: skip
    rows = reduce(lambda one, other: one.unionByName(other, allowMissingColumns=True), packed).repartition("family")
    fields = {
        name: ", ".join(f"{column}: {KINDS[kind]}" for column, kind in own_tables.declared(name)[0].items())
        for name in own_tables.RESULTS
    }
    schema = ", ".join(f"{name} struct<{columns}>" for name, columns in fields.items())
    shared = {**small, **{name: given[name].toArrow() for name in given if name not in of_models}}
    made = rows.mapInArrow(_rules(of_models, shared, choices), schema).localCheckpoint()
    return {name: made.where(f"{name} is not null").select(f"{name}.*") for name in own_tables.RESULTS}


def _rules(
    of_models: list[str], shared: Mapping[str, pa.Table], choices: Mapping[str, Any]
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    types = {name: pa.struct(list(contracts.arrow_schema(contracts.contract_of(name)))) for name in own_tables.RESULTS}

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        packed = [*batches]
        if not packed:
            return
        rows = pa.Table.from_batches(packed)
        tables = {
            name: pa.Table.from_struct_array(rows.column(name).combine_chunks().drop_null()) for name in of_models
        }
        with duckdb.connect(config={"threads": 1}) as connection:
            own_tables.make(connection, (tables | shared).items(), choices)
            for name in own_tables.RESULTS:
                for batch in connection.table(name).to_arrow_table().to_batches(10_000):
                    columns = [
                        batch.to_struct_array().cast(kind) if name == table else pa.nulls(len(batch), kind)
                        for table, kind in types.items()
                    ]
                    yield pa.RecordBatch.from_arrays(columns, [*types])

    return run
