"""The ledger's SQL files for the site: as a script to read, and for what-ifs in the browser."""

from datetime import date
from typing import Any

from pipeline.engines import forecast, one_model
from pipeline.models import sql
from pipeline.publishing import database
from pipeline.publishing.rows import rows
from pipeline.records import own, params
from pipeline.site.ledger import Ledger
from schemas.figures import Figures

WANTED = ("estimates",)
GIVEN = ("operation_counts", "utilization_model")  # tables that Python makes and no what-if changes


def statements() -> list[str]:
    """Return the statements that make an estimate, each after those whose results it reads."""
    return [sql.params_statement(params.load().model_dump()), *sql.script(WANTED, GIVEN)]


def as_text() -> str:
    """Return the statements as one script."""
    return ";\n\n".join(statements()) + ";\n"


def for_browser(ledger: Ledger) -> dict[str, Any]:
    """Return the data for what-ifs: tables that are filtered by model, other tables, changes, statements and precisions; and the data for plans."""
    tables = sorted(sql.inputs(WANTED, GIVEN) - {"params"})
    by_model = [name for name in tables if "model_id" in ledger.connection.table(name).columns]
    return {
        "of_models": by_model,
        "others": [name for name in tables if name not in by_model],
        "supposed": one_model.SUPPOSED,
        "statements": statements(),
        "formats": sorted({row["precision"] for row in ledger.rows("peaks")}),
        "plan": plan(),
    }


def plan() -> dict[str, Any]:
    """Return the additional data for plans: the rows of two models, in which the browser puts the reader's figures, and the query for the forecasts."""
    figures: Figures = {
        "parameters": 1e9,
        "tokens": 1e9,
        "chips": 1.0,
        "hardware": "nvidia-h100-sxm5",
        "published": "2024",
    }
    with database.attached() as connection:
        names = one_model.named(connection)
        one_model.add_model(connection, own.model_from_figures(figures, names).model, "plan", names, forecast.parts)
        plan_rows = {name: rows(connection, f"from {name} where model_id <> 'plan'") for name in one_model.RUN}
    plan_tables = {name: [{key: str(value) if isinstance(value, date) else value for key, value in row.items() if value is not None}
              for row in table_rows] for name, table_rows in plan_rows.items()}  # fmt: skip
    *_, nearest = sql.script(["nearest_cases"], sql.tables() - {"nearest_cases"})
    return {
        "rows": plan_tables,
        "tables": ["measured_cases", "gold_runs"],
        "units": forecast.UNIT,
        "statements": [nearest],
        "forecasts": forecast.FORECASTS.read_text(encoding="utf-8"),
    }
