"""Compare sums of components with totals in other tables; schemas/expectations.py sets the bounds of each ratio."""

from collections.abc import Mapping

import duckdb

RATIOS = {  # for each table of components, a query for their sums / the totals
    "operation_estimates": """
        select sum(o.operation_count_flop::decimal(38, 0))::double / any_value(e.operation_count_flop) as ratio
        from operation_estimates o join models m using (model_id) join estimates e using (model_id)
        where m.base_model is null group by model_id
    """,
    "operation_counts_by_kind": """
        select sum(kind_forward_flop::decimal(38, 0))::double / any_value(forward_flop) as ratio
        from operation_counts_by_kind join operation_counts using (architecture_id) group by architecture_id
    """,
    "utilization_cells": """
        select coalesce(cells, 0)::double / measured as ratio
        from (select network, count(*) as measured from checks join hardware using (hardware_id)
            where generation is not null
              group by network)
        left join (select network, sum("rows") as cells from utilization_cells group by network) using (network)
    """,
    "lineages": """
        select tuned.training_flop / base.training_flop as ratio
        from lineages l join estimates tuned on tuned.model_id = l.model_id
            join estimates base on base.model_id = l.part_id
        where l.model_id <> l.part_id
    """,
}


def ratios(tables: Mapping[str, duckdb.DuckDBPyRelation]) -> dict[str, list[float]]:
    """Return, for each table of components, the ratios of their sums to the known totals, in ascending order.

    `tables` must belong to DuckDB's default connection.
    """
    for name, table in tables.items():
        table.create_view(name, replace=True)
    return {
        name: [
            ratio
            for (ratio,) in duckdb.sql(f"select ratio from ({query}) where ratio is not null order by 1").fetchall()
        ]
        for name, query in RATIOS.items()
    }
