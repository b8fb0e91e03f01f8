"""Run the rules on Spark: Spark distributes the models, and DuckDB runs the SQL files on one thread per partition.

All tables about models go to the workers as one data frame, with a struct column per table, and the results come back
in the same form. A family of models (models that are each other's base models or contributors) stays in one partition.
Other tables are serialized with the function that runs on each partition.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import reduce
from typing import Any

import duckdb
import pyarrow as pa

from pipeline.engines.relations import RESULTS, ledger_tables, make, table_contract

# Tables whose rows refer to another model, and the column with its id.
REFERENCES = {"lineages": "part_id", "contributions": "contributor_id"}


def families(pairs: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the family of each model in these pairs of relatives. The id of a family is the smallest id of its models.

    >>> families([("e", "d"), ("d", "c"), ("c", "b"), ("b", "a"), ("y", "x"), ("e", "b")])
    {'e': 'a', 'd': 'a', 'c': 'a', 'b': 'a', 'a': 'a', 'y': 'x', 'x': 'x'}
    """
    parents: dict[str, str] = {}

    def smallest_id(model: str) -> str:
        while parents.setdefault(model, model) != model:
            model = parents[model]
        return model

    for pair in pairs:
        # The smaller id becomes the parent, so the smallest id of a family is its root.
        smaller, larger = sorted(map(smallest_id, pair))
        parents[larger] = smaller
    return {model: smallest_id(model) for model in parents}


def estimate(given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the results by name, as Spark data frames. Raise ContractError as `relations.estimate` does."""
    from pyspark.sql import functions as f

    other_tables, choices = ledger_tables(given)
    session = given["models"].sparkSession
    pairs = [
        pair
        for name, column in REFERENCES.items()
        if name in given
        for pair in given[name].where(f"{column} <> model_id").select("model_id", column).distinct().collect()
    ]
    family_of_model = session.createDataFrame([*families(pairs).items()], "model_id string, family string")
    model_frames = {name: frame for name, frame in given.items() if "model_id" in table_contract(name)[0].names}
    packed = [
        frame.join(f.broadcast(family_of_model), "model_id", "left").select(
            f.coalesce("family", "model_id").alias("family"), f.struct(*frame.columns).alias(name)
        )
        for name, frame in model_frames.items()
    ]
    # Relatives must be estimated together, so all rows of a family go to the same partition.
    rows = reduce(lambda left, right: left.unionByName(right, allowMissingColumns=True), packed).repartition("family")
    shared = {name: frame.toArrow() for name, frame in given.items() if name not in model_frames} | dict(other_tables)
    input_names, types = [*model_frames], {name: pa.struct(table_contract(name)[0]) for name in RESULTS}

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Yield the results of one partition. Each row has a struct in its table's column, and nulls in the others."""
        partition = [*batches]
        if not partition:
            return
        packed_rows = pa.Table.from_batches(partition)
        tables = shared | {
            name: pa.Table.from_struct_array(packed_rows[name].combine_chunks().drop_null()) for name in input_names
        }
        with duckdb.connect(config={"threads": 1}) as connection:
            make(connection, {name: table.to_reader for name, table in tables.items()}, choices)
            for name in RESULTS:
                for batch in connection.table(name).to_arrow_reader():
                    structs = batch.to_struct_array()
                    columns = [structs if result == name else pa.nulls(len(batch), types[result]) for result in RESULTS]
                    yield pa.RecordBatch.from_arrays(columns, [*RESULTS])

    schema = session.createDataFrame(pa.schema([*types.items()]).empty_table()).schema
    results = rows.mapInArrow(run, schema).localCheckpoint()  # otherwise Spark would run the rules once per result
    return {name: results.where(f"{name} is not null").select(f"{name}.*") for name in RESULTS}
