"""Run the rules on unchecked tables; errors name the model with the impossible amount instead of the rule."""

from collections.abc import Collection, Iterable

import duckdb

from pipeline.models import sql
from schemas.errors import ContractError
from schemas.limits import LARGEST_EXAMPLES, LARGEST_FLOP

AMOUNTS = {  # by table: the amounts that go into sums and logarithms, and the largest possible value
    "models": {"reported_flop": LARGEST_FLOP},
    "completed_runs": {"examples_seen": LARGEST_EXAMPLES},
    "operation_estimates": {"operation_count_flop": LARGEST_FLOP},
    "gpu_time_estimates": {"chip_peak_flop": LARGEST_FLOP, "gpu_time_informed_flop": LARGEST_FLOP},
}
KEYS = ("model_id", "phase", "allocation")
CONTRADICTIONS = {  # pairs of numbers of a model, one of which must be wrong: queries for its id and both
    "its range's low end {:.3g} is above its high end {:.3g}": """
        select model_id, range_low_flop, range_high_flop from estimates where range_low_flop > range_high_flop
    """,
    "its training_flop {:.3g} is below {:.3g}, the training of its base model": """
        select e.model_id, e.training_flop, b.training_flop from estimates e
        join estimates b on b.model_id = e.base_model where e.training_flop < b.training_flop
    """,
    "its training_flop is at most {:.3g}, and others state at least {:.3g}; otherwise `outcome` is differs": """
        select model_id, training_flop_high, stated_flop from estimates join external_estimates using (model_id)
        where stated_bound = 'at_least' and outcome <> 'differs' and training_flop_high < stated_flop
    """,
}


def run(connection: duckdb.DuckDBPyConnection, wanted: Iterable[str], given: Collection[str] = ()) -> list[str]:
    """Call `sql.run`. Raise ContractError if a rule cannot run, or if amounts are impossible, with a line for each."""
    try:
        made, failed = sql.run(connection, wanted, given), None
    except sql.RuleError as problem:
        made, failed = [], problem
    refuse_impossible(connection)
    if failed:
        raise ContractError(str(failed)) from None
    return made


def refuse_impossible(connection: duckdb.DuckDBPyConnection) -> None:
    """Raise ContractError if possible facts lead to an impossible amount in any table made so far."""
    mistakes: dict[tuple[str, ...], str] = {}
    for table, amounts in AMOUNTS.items():
        try:
            columns = connection.table(f"temp.{table}").columns  # other tables do not come from rules
        except duckdb.CatalogException:
            continue
        keys = [key for key in KEYS if key in columns]
        for column, largest in amounts.items():
            rows = connection.execute(
                f"select {column}, {', '.join(keys)} from {table}"
                f" where not {column} between 1 and {largest} order by all"
            ).fetchall()
            for value, *key in rows:
                line = f"{table}: {column} {value:.3g}, which is not between 1 and {largest:g}"
                mistakes.setdefault(tuple(map(str, key[:2])), line)
    if mistakes:
        lines = (f"{' '.join(key)}: {mistake}" for key, mistake in sorted(mistakes.items()))
        raise ContractError("\n".join(lines), mistakes)


def refuse_contradictions(connection: duckdb.DuckDBPyConnection) -> None:
    """Raise ContractError with a line per model that has two contradictory numbers."""
    mistakes = {
        (f"{model}",): f"estimates: {words.format(*numbers)}"
        for words, query in CONTRADICTIONS.items()
        for model, *numbers in connection.execute(f"from ({query}) order by all").fetchall()
    }
    if mistakes:
        raise ContractError("\n".join(f"{model}: {mistake}" for (model,), mistake in mistakes.items()), mistakes)
