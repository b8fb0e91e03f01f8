"""Find how many examples a row's model was trained on: by stated epochs, tokens seen, batch x steps, or a rule for passes."""

import math
from collections.abc import Iterable
from statistics import median
from typing import NamedTuple

from pipeline.catalogues.epoch import compute_notes, notes
from pipeline.catalogues.epoch.networks import LARGEST_IMAGE_SET, Kind
from pipeline.catalogues.rows import Row

# We assume that language models from this year on are pretrained with one pass over the data, if there are at least
# this many tokens and at least one token per parameter. Of the rows that state their passes, half are then within 1 %
# and 80 % within 1.65x. Of the other rows (data sets for fine-tuning), half are off by more than 12x.
ONE_PASS_SINCE, ONE_PASS_TOKENS = "2020", 1e10
# If no passes over other data are stated, we assume (large / data points)^(1/2), from 1 to 100, so data sets of `large`
# or more get one pass and smaller ones get more. This was fitted by eye to the epochs stated in rows of the same
# domain: text 30 at 1e8 tokens, 4 at 1e10, 1 from 1e11; pictures 100 at ImageNet's 1e6, 6 at 3e8; sequences of biology
# 25 at 1e7 to 1e9, 6 at 1e10.
LARGE = {"text": 1e11, "images": 1e10, "other": 1e11}
MOST_PASSES = 100.0
PASSES_LOG_SD = 3.8  # standard deviation of the logarithm of stated epochs around this rule
SMALLEST_TOKEN_BATCH = 8192  # a stated batch below this counts sequences, not tokens


class Passes(NamedTuple):
    """Examples seen over all passes. `log_sd` is the standard deviation of the logarithm of the guessed part, or 0."""

    amount: float
    is_stated: bool
    log_sd: float
    rules: list[str]


def passes_over(row: Row, datapoints: float | None, kind: Kind, is_text: bool, sets: dict[str, float]) -> Passes | None:
    """Return the examples seen, by the first rule that applies, or None if no rule does."""
    epochs, noted_epochs = row.number("epochs"), None
    if epochs is None:
        epochs = noted_epochs = notes.epochs(row["datapoints_notes"])
    factor, rules = 1.0, ["passes from the note"] if noted_epochs else []
    if is_text and datapoints and "[WORDS]" in row["datapoints_notes"].upper() and not row["is_total"]:
        factor, rules = notes.TOKENS_PER_WORD, [*rules, "words counted as 4/3 tokens"]
    examples = datapoints * factor if datapoints else None
    stated = examples * epochs if examples and epochs else None
    counts_tokens = is_text or kind == Kind.TOKENS
    if counts_tokens and examples and notes.is_of_updates(row["datapoints_notes"], examples):
        return Passes(examples, True, 0.0, ["the data are tokens seen: updates in the note times tokens per update"])
    part = notes.tokens(notes.SEEN_IN_PART, row["datapoints_notes"]) if counts_tokens else None
    if part and (epochs or 1) <= 1:
        return Passes(part, True, 0.0, ["most tokens seen in the note, a part of the data"])
    budget = notes.tokens(notes.TOKENS_OF_RUN, row["datapoints_notes"], row["batch_notes"]) if counts_tokens else None
    if budget and stated and budget < stated / 1.05:
        return Passes(budget, True, 0.0, ["tokens of the whole run in the note, not the row's data times its epochs"])
    if stated and epochs and epochs > 1:
        return Passes(stated, True, 0.0, rules)
    seen = notes.tokens(notes.TOKENS_SEEN, row["datapoints_notes"], row["batch_notes"]) if counts_tokens else None
    if seen and seen > (stated or examples or 0) * 1.05:
        return Passes(seen, True, 0.0, ["most tokens seen in the note"])
    if stated:
        return Passes(stated, True, 0.0, rules)
    by_steps = _by_steps(row, kind, is_text)
    if by_steps and by_steps > (examples or 0):
        return Passes(by_steps, True, 0.0, ["batch x steps"])
    if examples is None and kind == Kind.TOKENS:
        examples = notes.tokens(notes.TOKENS, row["datapoints_notes"])
        rules = ["amount of data from the note"]
    noted_product = compute_notes.product(row["compute_notes"]) if examples is None and counts_tokens else None
    if noted_product:
        return Passes(noted_product.tokens, True, 0.0, ["tokens that the note on compute multiplies with parameters"])
    if examples is None and row["dataset"].lower() in sets:
        examples = sets[row["dataset"].lower()]
        rules = [f"size of {row['dataset']!r} as other rows state it"]
        if epochs:
            return Passes(examples * epochs, True, 0.0, rules)
    if examples is None:
        return None
    if seen:
        return Passes(examples, True, 0.0, rules)
    if is_text and _is_pretraining(row, examples):
        return Passes(examples, False, 0.0, [*rules, "one pass assumed"])
    return _by_rule(examples, kind, is_text, rules)


def data_set_sizes(rows: Iterable[Row]) -> dict[str, float]:
    """Return the median size of each data set that is the only one in several rows, by its name in lower case."""
    stated: dict[str, list[float]] = {}
    for row in rows:
        name, size = row["dataset"], row.number("datapoints")
        if size and name and "," not in name and "unspecified" not in name.lower():
            stated.setdefault(name.lower(), []).append(size)
    return {name: median(sizes) for name, sizes in stated.items() if len(sizes) > 1}


def pictures_of(row: Row, datapoints: float | None) -> float | None:
    """Return the number of images in a note, if the cell exceeds every known image data set and so probably counts patches or pixels."""
    if datapoints is None or datapoints <= LARGEST_IMAGE_SET:
        return None
    return notes.pictures(row["datapoints_notes"])


def _is_pretraining(row: Row, tokens: float) -> bool:
    is_large = tokens >= max(ONE_PASS_TOKENS, row.number("parameters") or 0)
    return is_large and (row.published or "") >= ONE_PASS_SINCE and not row["base_model"]


def _by_rule(examples: float, kind: Kind, is_text: bool, rules: list[str]) -> Passes:
    large = LARGE["text" if is_text else "images" if kind == Kind.IMAGES else "other"]
    times = min(MOST_PASSES, max(1.0, math.sqrt(large / examples)))
    return Passes(examples * times, False, PASSES_LOG_SD, [*rules, f"{times:.3g} passes assumed"])


def _by_steps(row: Row, kind: Kind, is_text: bool) -> float | None:
    batch = row.number("batch")
    updates = notes.steps(row["datapoints_notes"], row["batch_notes"], row["hours_notes"])
    if batch is None or updates is None or batch == updates:
        return None
    if not is_text:
        return batch * updates if kind in (Kind.IMAGES, Kind.COUNTED) else None
    if batch >= SMALLEST_TOKEN_BATCH:
        return batch * updates
    length = notes.sequence_length(row["datapoints_notes"], row["batch_notes"])
    return batch * updates * length if length else None
