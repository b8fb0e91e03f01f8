"""`flopledger compare`: models of the published ledger side by side."""

import sys
from collections.abc import Iterable, Iterator
from typing import Annotated, Any

import typer

from pipeline.answers import ledger, output
from pipeline.answers.options import Csv, Json, refuse_both
from pipeline.base.text.cells import cell
from schemas.account import Account
from schemas.columns import COMPARED
from schemas.tables import columns_of

Row = dict[str, Any]
MOST_COMPARED = 12
TIMES_THE_FIRST = "training_flop_to_first_ratio"
# Columns in these formats are reformatted for people on a terminal; other output keeps the table's digits and words.
FOR_PEOPLE = ("count", "percent", "probability", "energy", "money", "mass")


def compare(
    models: Annotated[list[str], typer.Argument(metavar="MODEL MODEL…", help="Ids, names or aliases of models.")],
    csv: Csv = False,
    json: Json = False,
) -> None:
    """Compare models side by side, one column per model."""
    refuse_both(csv, json)
    if not 2 <= len(models) <= MOST_COMPARED:
        raise typer.BadParameter(f"compare takes 2 to {MOST_COMPARED} models")
    accounts = list({dict(account)["model_id"]: account for account in map(ledger.account_of, models)}.values())
    if json:
        output.say(output.as_json(accounts))
        return
    names, lines = side_by_side(accounts)
    if not csv and sys.stdout.isatty():
        lines = [[line[0], *(readable_value(line[0], value) for value in line[1:])] for line in lines]
    output.write(names, lines, as_csv=csv, digits=4)
    for line in () if csv else dependence_remarks(accounts):
        output.remark(line)


def readable_value(name: str, value: Any) -> Any:
    """Return a value of this column in the form that people read."""
    place = columns_of("estimates").get(name)
    return cell(place.column, value) if place and value is not None and place.column.form in FOR_PEOPLE else value


def dependence_remarks(accounts: Iterable[Account]) -> Iterator[str]:
    """Yield one line per model whose two methods are not independent, to explain what their agreement shows."""
    for account in accounts:
        if dict(account)["independence"] not in (None, "independent") and not account["dispute"]:
            yield f"{dict(account)['model_id']}: {account['answer']['methods']}"


def side_by_side(accounts: Iterable[Account]) -> tuple[list[str], list[list[Any]]]:
    """Return the headings, and one line per quantity that at least one model has, with a column per model.

    The line after training compute shows its ratio to the first model's.
    """
    model_rows: list[Row] = [dict(account) for account in accounts]
    first = model_rows[0]["training_flop"]
    ratios = [row["training_flop"] / first if first and row["training_flop"] else None for row in model_rows]
    lines = [[name, *(row[name] for row in model_rows)] for name in COMPARED]
    lines.insert(COMPARED.index("training_flop") + 1, [TIMES_THE_FIRST, *ratios])
    known = [line for line in lines if any(value is not None for value in line[1:])]
    return ["quantity", *(row["model_id"] for row in model_rows)], known
