"""The evidence used to fit and score widths: models with two independent methods, and statements by others."""

from collections.abc import Mapping
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from pipeline.models import sql
from pipeline.records import params
from pipeline.rules import adjudicated

# ln(GPU time / count) without the correction for whole runs, because a stated utilization is no evidence for it.
PAIRS = """
select model_id, ln(gpu_time_used_flop / uncertainty['whole_run'] / operation_count_flop) as gap_log
from comparison cross join constants
where is_own and independence = 'independent' and gpu_time_used_reason not in ('stated', 'stated_beats_two_n')
order by model_id
"""
# Models with dependent errors: a model and its base models, and models from one publication.
TIES = """
select model_id, part_id as tied from lineages
union
select record_id, min(record_id) over (partition by word) from sources, unnest([url, title]) words(word)
where record_kind = 'models' and source_kind = 'authors' and word is not null
order by all
"""
STATEMENTS = """
select external_estimate_id, stated_flop, via, inputs, is_disputed, parts = 1 as is_one_part, h.*
from external_estimates join headline_totals h using (model_id) join comparison using (model_id)
join (select model_id, count(*) as parts from lineages group by model_id) using (model_id)
where is_whole and training_flop is not null order by model_id, external_estimate_id
"""
# ln(count by others / our count), by the evidence class of our count. Counts by others come from second readers, who read parameters
# and examples in the sources without seeing the record, and from gold runs (the authors' totals, and 6 × parameters × tokens), in
# which each group has the same total weight.
OTHER_COUNTS = """
with factors as (
    select model_id, path, ln(reading_ratio) as ratio_log from reading_comparison
    where path in ('parameters', 'active_parameters', 'examples_seen') and reading_ratio is not null and settlement is distinct from 'scope'
    qualify path <> 'parameters' or not bool_or(path = 'active_parameters') over (partition by model_id)
)
select 'second readings' as source, evidence_class, model_id, fine_sum(ratio_log) as error_log, 1.0 as weight
from factors join headline_totals using (model_id) where headline_method = 'operation_count'
group by all having count(*) = 2
union all
select 'gold runs, authors'' totals', 'stated', g.model_id, ln(reported_flop / c.operation_count_flop), weight
from gold_runs g join comparison c using (model_id) where is_whole and reported_flop is not null
union all
select 'gold runs, 6ND', 'weak', name, ln(six_nd_flop / operation_count_flop), weight from gold_runs where six_nd_flop is not null
order by all
"""


def ledger(tables: Path) -> duckdb.DuckDBPyConnection:
    """Return a connection with the tables in this folder and the headlines that the rules derive from them."""
    connection = duckdb.connect()
    for file in sorted(tables.glob("*/*.parquet")):
        connection.execute(f"create table \"{file.stem}\" as from '{file}'")
    sql.set_params(connection, params.load().model_dump())
    sql.run(connection, ["headline_totals"], {name for (name,) in connection.execute("show tables").fetchall()})
    return connection


def numbers(connection: duckdb.DuckDBPyConnection) -> dict[str, float]:
    """Return the error's numbers by name (data/records/defaults/uncertainty.yaml)."""
    ((values,),) = connection.execute("select uncertainty from constants").fetchall()
    return dict(values)


def make_headlines(connection: duckdb.DuckDBPyConnection, values: Mapping[str, float]) -> None:
    """Derive the connection's headlines again, with these numbers for the error."""
    changed = f"select * replace (map {dict(values)}::map(varchar, double) as uncertainty) from constants"
    connection.execute(f"create or replace temp table constants as {changed}")
    sql.run(connection, ["headline_totals"], {"comparison", "constants", "params", "parts"})


def pairs(connection: duckdb.DuckDBPyConnection) -> pd.DataFrame:
    """Return one row per model with two independent methods: `model_id`, `gap_log`, and `group` (named after one of its models)."""
    ties = connection.sql(TIES).df()
    # Models that are tied, directly or through others, form one group.
    # The codes are of all first models of the ties, then of all second ones.
    codes, names = pd.factorize(ties.to_numpy().T.ravel(), sort=True)
    first, second = np.reshape(codes, (2, -1))
    graph = coo_array((np.ones(len(first)), (first, second)), shape=(len(names), len(names)))
    group = dict(zip(names, names[connected_components(graph)[1]], strict=True))
    rows = connection.sql(PAIRS).df()
    return rows.assign(group=rows["model_id"].map(group))


def other_counts(connection: duckdb.DuckDBPyConnection) -> pd.DataFrame:
    """Return one row per count by others: `source`, `evidence_class`, `model_id`, `error_log` and `weight`."""
    return connection.sql(OTHER_COUNTS).df()


def statements(connection: duckdb.DuckDBPyConnection) -> pd.DataFrame:
    """Return one row per statement by others about a model with a headline, with the headline's columns.

    `adjudicated_flop` is the value that follows from the statement's own sources. It is the stated value if nobody
    adjudicated it, and NaN if the statement is about another artefact.
    """
    rows = sql.rows(connection.sql(STATEMENTS))
    cells = adjudicated.by_cell(sql.rows(connection.table("adjudications")))
    judged = [adjudicated.judged_via(cells, row["via"], row["stated_flop"]) for row in rows]
    values = [
        ruling["corrected_flop"] if ruling else row["stated_flop"] for row, ruling in zip(rows, judged, strict=True)
    ]
    return pd.DataFrame(rows).assign(adjudicated_flop=np.array(values, float))
