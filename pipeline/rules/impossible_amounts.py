"""Run the rules on unchecked tables. If amounts are impossible, the error names the models instead of the rule."""

from collections.abc import Collection, Iterable

import duckdb

from pipeline.models import sql
from schemas.errors import ContractError
from schemas.limits import LARGEST_EXAMPLES, LARGEST_FLOP

AMOUNTS = {  # for each table, the amounts that enter sums and logarithms, each with its largest possible value
    "models": {"reported_flop": LARGEST_FLOP},
    "completed_runs": {"examples_seen": LARGEST_EXAMPLES},
    "operation_estimates": {"operation_count_flop": LARGEST_FLOP},
    "gpu_time_estimates": {"chip_peak_flop": LARGEST_FLOP, "gpu_time_informed_flop": LARGEST_FLOP},
    "reconciliations": {"own_training_flop_p97_5": LARGEST_EXAMPLES},
}
KEYS = ("model_id", "phase", "allocation")
# Models whose upper end is below a lower bound that others state; both cannot be right.
CONTRADICTIONS = """
    select model_id, training_flop_high, stated_flop from estimates join external_estimates using (model_id)
    where stated_bound = 'at_least' and outcome in ('agrees', 'no_own_value') and training_flop_high < stated_flop
    order by all
"""
CONTRADICTION = "its training_flop is at most {:.3g}, but others state at least {:.3g}: then `outcome` must be differs"


def run(connection: duckdb.DuckDBPyConnection, wanted: Iterable[str], given: Collection[str] = ()) -> list[str]:
    """Run the rules with `sql.run`. Raise ContractError if a rule fails, or with one line per impossible amount."""
    try:
        names, rule_error = sql.run(connection, wanted, given), None
    except sql.RuleError as problem:
        names, rule_error = [], problem
    refuse_impossible(connection)
    if rule_error:
        raise ContractError(str(rule_error)) from None
    return names


def refuse_impossible(connection: duckdb.DuckDBPyConnection) -> None:
    """Raise ContractError if facts that are individually possible have led to an impossible amount in a table."""
    mistakes: dict[tuple[str, ...], str] = {}
    for table, amounts in AMOUNTS.items():
        try:
            columns = connection.table(f"temp.{table}").columns  # rules make only temporary tables
        except duckdb.CatalogException:
            continue
        keys = [key for key in KEYS if key in columns]
        for column, largest in amounts.items():
            rows = connection.execute(
                f"select {column}, {', '.join(keys)} from {table}"
                f" where not {column} between 1 and {largest} order by all"
            ).fetchall()
            for value, *key in rows:
                line = f"{table}: {column} is {value:.3g}, not between 1 and {largest:g}"
                mistakes.setdefault(tuple(map(str, key[:2])), line)
    if mistakes:
        lines = (f"{' '.join(key)}: {mistake}" for key, mistake in sorted(mistakes.items()))
        raise ContractError("\n".join(lines), mistakes)


def refuse_contradictions(connection: duckdb.DuckDBPyConnection) -> None:
    """Raise ContractError with a line for each model that has two contradictory numbers."""
    mistakes = {
        (f"{model}",): f"estimates: {CONTRADICTION.format(*numbers)}"
        for model, *numbers in connection.execute(CONTRADICTIONS).fetchall()
    }
    if mistakes:
        raise ContractError("\n".join(f"{model}: {mistake}" for (model,), mistake in mistakes.items()), mistakes)
