"""Writes the stages from imputation to the headline as SQL, so that to run them compiles no expression."""

from typing import NamedTuple

import duckdb

from pipeline import compiled, contracts, flow
from pipeline.rules.frames import Row, rows
from pipeline.rules.ingestion.defaults import of_tables
from schemas.params import Params
from schemas.table import Compiled, Table
from schemas.tables.defaults import Defaults


class Written(NamedTuple):
    """The statements by stage, for the defaults of records and for those of another's table."""

    stages: Compiled


def build(defaults: Table[Defaults], params: Params) -> Written:
    """Writes the stages from imputation to the headline as SQL, so that to run them compiles no expression."""
    of_records = rows(defaults)
    states = (of_records, of_tables(of_records))
    made = {compiled.digest(params, state): statements(state, params) for state in states}
    return Written(Compiled(compiled.as_stored(made)))


def statements(defaults: list[Row], params: Params) -> dict[str, list[compiled.Statement]]:
    """The statements by stage for the rows of one table `defaults`."""
    stages = [flow.expressions(name, params) for name in compiled.STAGES]
    connection = duckdb.connect()
    for name, contract in {name: each for stage in stages for name, each in stage.tables.items()}.items():
        table = contracts.arrow_table(defaults if contract is Defaults else [], contract)
        connection.register("rows_of_it", table)
        connection.execute(f'create table "{name}" as from rows_of_it')
        connection.unregister("rows_of_it")
    made = zip(compiled.STAGES, compiled.statements(stages, connection), strict=True)
    return {name: compiled.without_unused(own, connection) for name, own in made}
