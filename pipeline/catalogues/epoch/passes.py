"""Find the examples that a row's model saw: from stated epochs, tokens seen, or one pass over text."""

from collections.abc import Iterable
from statistics import median
from typing import NamedTuple

from pipeline.catalogues.epoch.networks import Kind
from pipeline.catalogues.rows import Row

# We assume that language models from this year on are pretrained with one pass over the data, if there are at least
# this many tokens and at least one token per parameter. Of the rows that state their passes, half are then within 1 %
# and 80 % within 1.65x. Of the other rows (data sets for fine-tuning), half are off by more than 12x.
ONE_PASS_SINCE, ONE_PASS_TOKENS = "2020", 1e10


class Passes(NamedTuple):
    """Examples seen in all passes, which are stated or, over text, assumed to be one, and the rules used."""

    amount: float
    is_stated: bool
    rules: list[str]


def passes_over(row: Row, examples: float | None, kind: Kind, is_text: bool, sets: dict[str, float]) -> Passes | None:
    """Return the number of examples seen, from the first rule that applies, or None: passes are not guessed."""
    epochs, rules = row.number("epochs"), list[str]()
    seen = row.reading("tokens_seen") if kind == Kind.TOKENS else None
    if kind == Kind.TOKENS and (whole := row.reading("tokens_of_run")):
        return Passes(whole, True, ["tokens of the whole run in the note"])
    if epochs is None and (epochs := row.reading("epochs")):
        rules.append("passes from the note")
    by_epochs = examples * epochs if examples and epochs else None
    # The note's largest number counts the tokens of all passes only if it exceeds the data by more than rounding.
    is_larger = seen and seen > (by_epochs or examples or 0) * 1.05
    if seen and is_larger and not (by_epochs and epochs and epochs > 1):
        return Passes(seen, True, ["most tokens seen in the note"])
    if examples is None and kind == Kind.TOKENS and (named := row.reading("tokens_named")):
        examples, epochs, rules = named, None, ["amount of data from the note"]
    if examples is None and row["dataset"].lower() in sets:
        examples, rules = sets[row["dataset"].lower()], [f"size of {row['dataset']!r} as other rows state it"]
    if examples is None:
        return None
    if seen or epochs:
        return Passes(examples * (epochs or 1), True, rules)
    is_one_pass = is_text and _is_pretraining(row, examples)
    return Passes(examples, False, [*rules, "one pass assumed"]) if is_one_pass else None


def data_set_sizes(rows: Iterable[Row]) -> dict[str, float]:
    """Return the median size of each data set that several rows name as their only one, by its name in lower case."""
    sizes_by_name: dict[str, list[float]] = {}
    for row in rows:
        name, size = row["dataset"], row.number("datapoints")
        if size and name and "," not in name and "unspecified" not in name.lower():
            sizes_by_name.setdefault(name.lower(), []).append(size)
    return {name: median(sizes) for name, sizes in sizes_by_name.items() if len(sizes) > 1}


def _is_pretraining(row: Row, tokens: float) -> bool:
    is_large = tokens >= max(ONE_PASS_TOKENS, row.number("parameters") or 0)
    return is_large and (row.published or "") >= ONE_PASS_SINCE and not row["base_model"]
