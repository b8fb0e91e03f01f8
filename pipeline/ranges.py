"""The rows of many models a range of ids at a time, with those of the models that theirs refer to: memory does not grow with the models."""

from collections.abc import Iterator, Mapping

import duckdb

from schemas.table import TableModel

MODELS_AT_ONCE = 160_000  # about: a range has up to half as many more
WHOLE = "whole"  # the schema in which tables have all their rows
REFERENCES = {"lineages": "part_id", "contributions": "contributor_id"}  # columns that name another model


def of_models(connection: duckdb.DuckDBPyConnection, tables: Mapping[str, type[TableModel]]) -> Iterator[str]:
    """Conditions on `model_id` that each hold for the models of one range, in the order of ids; every model is in one range.

    `connection` has the tables in the schema `whole`. While a range is worked on there is a view of each of them, under its own name, with
    the rows that its models need, their own and those of models that they refer to, directly or not.
    """
    keyed = {name for name, contract in tables.items() if contract.__grain__[0] == "model_id"}
    referred = _referred(tables)
    firsts = _first_ids(connection, next(name for name in tables if name in keyed))
    for name in keyed if referred and firsts else ():
        # Those that another range may need, found once: to look for a few ids in a table reads all of it.
        connection.execute(
            f'create table "{name}_referred" as from {WHOLE}."{name}" where model_id in (select other_id from ({referred}))'
        )
    ends = ["", *firsts, None]
    for first, next_first in zip(ends, ends[1:], strict=False):
        own = f"model_id >= '{first}'" + (f" and model_id < '{next_first}'" if next_first else "")
        if referred and firsts:
            connection.execute(
                f"""create or replace table needed as
                with recursive refers as ({referred}), needed as (
                    select other_id from refers where {own}
                    union select refers.other_id from refers join needed on refers.model_id = needed.other_id
                ) select other_id as model_id from needed where not ({own.replace("model_id", "other_id")})"""
            )
        for name in tables:
            sql = f'from {WHOLE}."{name}"'
            if name in keyed and firsts:
                sql += f" where {own}"
                if referred:
                    sql += f' union all from "{name}_referred" where model_id in (from needed)'
            connection.execute(f'create or replace view "{name}" as {sql}')
        yield own


def _referred(tables: Mapping[str, type[TableModel]]) -> str:
    """The query of pairs of models of which one needs the other's rows; empty where no table says so."""
    return " union all ".join(
        f'select model_id, {column} as other_id from {WHOLE}."{name}" where {column} <> model_id'
        for name, column in REFERENCES.items()
        if name in tables
    )


def _first_ids(connection: duckdb.DuckDBPyConnection, table: str) -> list[str]:
    """The first id of each range but the first; the ranges have as many models, but for one."""
    ((rows,),) = connection.execute(f'select count(*) from {WHOLE}."{table}"').fetchall()
    if rows <= MODELS_AT_ONCE:
        return []
    found = connection.execute(
        f"""with models as (select distinct model_id from {WHOLE}."{table}"), placed as (
            select model_id, row_number() over (order by model_id) - 1 as place, count(*) over () as number from models
        ), sized as (select *, ceil(number / greatest(1, round(number / {MODELS_AT_ONCE}))) as size from placed)
        select model_id from sized where place > 0 and place % size = 0 order by place"""
    )
    return [identifier for (identifier,) in found.fetchall()]
