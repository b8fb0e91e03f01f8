"""Format a row of Epoch's table, for a model without a record, as text for a terminal."""

from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.base.text.numbers import flop, interval, listed, written_date
from pipeline.commands import account_text
from pipeline.commands.terminal import Heading, Strong
from schemas.account import Account
from schemas.plain_text import one_line

EPOCH_URL = "https://epoch.ai/data/ai-models"
Row = Mapping[str, Any]


def screen(account: Account) -> Iterator[str]:
    """Yield a row of Epoch's table, one item per line. Remove control characters, because others wrote the text."""
    return (type(line)(one_line(line)) for line in _row_lines(account))


def _row_lines(account: Account) -> Iterator[str]:
    row: Row = account
    catalogue_row = account["catalogue_row"]
    assert catalogue_row is not None
    about = ", ".join(filter(None, (row["organization"], row["published"], row["domain"])))
    tables = listed([name.removeprefix("epoch_").replace("_", "-") for name in catalogue_row["epoch_tables"].split()])
    yield Heading(f"{row['name']} (in Epoch's tables of {tables} models, without a record), {about}")
    ends = interval(row["training_flop_low"], row["training_flop_high"])
    if row["training_flop"] is not None:
        yield Strong(f"training compute: {flop(row['training_flop'])} (90 % interval {ends})")
        yield f"confidence: {row['confidence']}"
    elif row["training_flop_low"] is not None:
        yield Strong(f"training compute: 90 % interval {ends} FLOP; {catalogue_row['no_estimate_reason']}")
    else:
        least = catalogue_row["training_flop_at_least"]
        known = f"at least {flop(least)}" if least else "unknown"
        yield Strong(f"training compute: {known}: {catalogue_row['no_estimate_reason']}")
        if row["own_training_flop"] is not None:
            yield f"own training, without its base model: {flop(row['own_training_flop'])}"
    yield from account_text.others(account)
    if catalogue_row["base_training_flop"] is None:
        yield from (line.strip() for line in account_text.methods(account))
    else:
        yield f"of this, its base model's training: {flop(catalogue_row['base_training_flop'])}"
    if row["training_flop"] is not None:
        yield account_text.chances(account)
    if catalogue_row["rules"]:
        yield f"rules by which the row was read: {catalogue_row['rules']}"
    if catalogue_row["unread_cells"]:
        yield f"cells that could not be read: {catalogue_row['unread_cells']}"
    yield (
        f"Its figures are from Epoch AI, Data on AI Models (CC BY 4.0, {EPOCH_URL}), as of {written_date(catalogue_row['read_on'])};"
        " we did not look them up in its publication. Its compute is our estimate."
    )
