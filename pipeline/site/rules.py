"""The rules as the site has them: the very SQL files, as a script to read, and for what-ifs in the browser."""

from typing import Any

from pipeline import sql
from pipeline.engines import one_model
from pipeline.records import params
from pipeline.site.ledger import Ledger

WANTED = ("estimates",)
GIVEN = (
    "operation_counts",
    "utilization_model",
)  # made by Python: the ledger's, which nothing that is supposed changes


def statements() -> list[str]:
    """The statements that make an estimate, each after what it reads."""
    return [sql.params_statement(params.load().model_dump()), *sql.script(WANTED, GIVEN)]


def as_text() -> str:
    """The same as one script."""
    return ";\n\n".join(statements()) + ";\n"


def for_browser(ledger: Ledger) -> dict[str, Any]:
    """What a what-if needs: tables of which it takes one model's rows, the other tables, the changes and the statements."""
    tables = sorted(sql.inputs(WANTED, GIVEN) - {"params"})
    of_models = [name for name in tables if "model_id" in ledger.connection.table(name).columns]
    return {
        "of_models": of_models,
        "others": [name for name in tables if name not in of_models],
        "supposed": one_model.SUPPOSED,
        "statements": statements(),
    }
