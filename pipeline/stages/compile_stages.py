"""Writes the stages from imputation to the headline as SQL, so that to run them compiles no expression."""

from typing import NamedTuple

import duckdb

from pipeline import compiled, contracts, flow
from pipeline.rules.frames import rows
from schemas.params import Params
from schemas.table import Compiled, Table
from schemas.tables.defaults import Defaults


class Written(NamedTuple):
    """The statements by stage."""

    stages: Compiled


def build(defaults: Table[Defaults], params: Params) -> Written:
    """Writes the stages from imputation to the headline as SQL, so that to run them compiles no expression."""
    stages = [flow.expressions(name, params) for name in compiled.STAGES]
    held = rows(defaults)
    connection = duckdb.connect()
    for name, contract in {name: each for stage in stages for name, each in stage.tables.items()}.items():
        table = contracts.arrow_table(held if contract is Defaults else [], contract)
        connection.register("rows_of_it", table)
        connection.execute(f'create table "{name}" as from rows_of_it')
        connection.unregister("rows_of_it")
    made = zip(compiled.STAGES, compiled.statements(stages, connection), strict=True)
    return Written(Compiled({"of": compiled.digest(params, held), "stages": dict(made)}))
