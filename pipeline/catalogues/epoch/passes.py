"""Find the examples that a row's model saw: from stated epochs, tokens seen, batch x steps, or one pass over text."""

from collections.abc import Iterable
from statistics import median
from typing import NamedTuple

from pipeline.catalogues.epoch.networks import LARGEST_IMAGE_SET, Kind
from pipeline.catalogues.epoch.readings import TOKENS_PER_WORD
from pipeline.catalogues.rows import Row

# We assume that language models from this year on are pretrained with one pass over the data, if there are at least
# this many tokens and at least one token per parameter. Of the rows that state their passes, half are then within 1 %
# and 80 % within 1.65x. Of the other rows (data sets for fine-tuning), half are off by more than 12x.
ONE_PASS_SINCE, ONE_PASS_TOKENS = "2020", 1e10
SMALLEST_TOKEN_BATCH = 8192  # a stated batch below this counts sequences, not tokens


class Passes(NamedTuple):
    """Examples seen in all passes, which are stated or, over text, assumed to be one, and the rules used."""

    amount: float
    is_stated: bool
    rules: list[str]


def passes_over(row: Row, datapoints: float | None, kind: Kind, is_text: bool, sets: dict[str, float]) -> Passes | None:
    """Return the number of examples seen, from the first rule that applies, or None: passes are not guessed."""
    note, rules = row["datapoints_notes"], list[str]()
    epochs = row.number("epochs")
    if epochs is None:
        epochs = row.reading("epochs")
        rules += ["passes from the note"] if epochs else []
    examples = datapoints
    if examples and is_text and "[WORDS]" in note.upper() and not row["is_total"]:
        examples *= TOKENS_PER_WORD
        rules.append("words counted as 4/3 tokens")
    by_epochs = examples * epochs if examples and epochs else None
    seen = row.reading("tokens_seen") if kind == Kind.TOKENS else None
    if kind == Kind.TOKENS and (by_note := _tokens_by_note(row, examples, epochs or 1, by_epochs)):
        return by_note
    # The note's largest number counts the tokens of all passes only if it exceeds the data by more than rounding.
    is_larger = seen and seen > (by_epochs or examples or 0) * 1.05
    if seen and is_larger and not (by_epochs and epochs and epochs > 1):
        return _stated(seen, "most tokens seen in the note")
    if by_epochs:
        return _stated(by_epochs, *rules)
    by_steps = _by_steps(row, kind, is_text)
    if by_steps and by_steps > (examples or 0):
        return _stated(by_steps, "batch x steps")
    if examples is None and kind == Kind.TOKENS:
        examples, rules = row.reading("tokens_named"), ["amount of data from the note"]
        if examples is None and (tokens := row.reading("compute_tokens")):
            return _stated(tokens, "tokens that the note on compute multiplies with parameters")
    if examples is None and row["dataset"].lower() in sets:
        examples, rules = sets[row["dataset"].lower()], [f"size of {row['dataset']!r} as other rows state it"]
        if epochs:
            return _stated(examples * epochs, *rules)
    if examples is None:
        return None
    if seen:
        return _stated(examples, *rules)
    is_one_pass = is_text and _is_pretraining(row, examples)
    return Passes(examples, False, [*rules, "one pass assumed"]) if is_one_pass else None


def _stated(amount: float, *rules: str) -> Passes:
    return Passes(amount, True, [*rules])


def _tokens_by_note(row: Row, examples: float | None, epochs: float, by_epochs: float | None) -> Passes | None:
    """Return the tokens seen if the note shows that they differ from the data times the epochs; otherwise None."""
    if examples and "is_of_updates" in row.readings:
        return _stated(examples, "the data are tokens seen: updates in the note times tokens per update")
    part = row.reading("tokens_in_part")
    if part and epochs <= 1:
        return _stated(part, "most tokens seen in the note, a part of the data")
    budget = row.reading("tokens_of_run")
    if budget and by_epochs and budget < by_epochs / 1.05:
        return _stated(budget, "tokens of the whole run in the note, not the row's data times its epochs")
    return None


def data_set_sizes(rows: Iterable[Row]) -> dict[str, float]:
    """Return the median size of each data set that several rows name as their only one, by its name in lower case."""
    sizes_by_name: dict[str, list[float]] = {}
    for row in rows:
        name, size = row["dataset"], row.number("datapoints")
        if size and name and "," not in name and "unspecified" not in name.lower():
            sizes_by_name.setdefault(name.lower(), []).append(size)
    return {name: median(sizes) for name, sizes in sizes_by_name.items() if len(sizes) > 1}


def pictures_of(row: Row, datapoints: float | None) -> float | None:
    """Return the images in a note if the cell exceeds any image data set: it probably counts patches or pixels."""
    if datapoints is None or datapoints <= LARGEST_IMAGE_SET:
        return None
    return row.reading("pictures")


def _is_pretraining(row: Row, tokens: float) -> bool:
    is_large = tokens >= max(ONE_PASS_TOKENS, row.number("parameters") or 0)
    return is_large and (row.published or "") >= ONE_PASS_SINCE and not row["base_model"]


def _by_steps(row: Row, kind: Kind, is_text: bool) -> float | None:
    """Return batch size times steps, or None if the batch does not count examples or both numbers are the same.

    Text is counted in tokens, and a small batch counts sequences. So such a batch gives no number of examples.
    """
    batch = row.number("batch")
    updates = row.reading("steps")
    if batch is None or updates is None or batch == updates:
        return None
    counts_examples = batch >= SMALLEST_TOKEN_BATCH if is_text else kind == Kind.COUNTED
    return batch * updates if counts_examples else None
