"""How well fits foretell pairs of groups that they did not see, and how often others' totals lie in the published intervals."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from scipy.stats import beta, norm

from pipeline.fitting import fit, likelihood
from pipeline.fitting.pairs import CLASSES, YEARS, Pairs, Totals
from pipeline.formulas.uncertainty import NORMAL_QUANTILE_95
from pipeline.rules import adjudicated, mixture
from schemas.vocabulary import SharedInputs, Stratum

FOLDS, SEED = 5, 20261122
LEVELS = (0.5, 0.8, 0.9, 0.95, 0.99)
RESTATING = (SharedInputs.SAME_TIME.value, SharedInputs.SAME_COUNT.value, SharedInputs.SAME_BOTH.value)
THIRDS = ("narrowest third", "middle third", "widest third")
PRODUCTION = [name for name in fit.OF_PAIRS if name.startswith("production_")]
Row = dict[str, Any]


def folds(groups: Any) -> Any:
    """The fold of each pair: groups are left out whole, in an order drawn with a fixed seed."""
    names = np.array(sorted({*groups}), object)
    drawn = np.random.default_rng(SEED).permutation(len(names))
    of = {name: int(place) % FOLDS for name, place in zip(names, drawn, strict=True)}
    return np.array([of[name] for name in groups])


def left_out(pairs: Pairs, totals: Totals) -> pd.DataFrame:
    """One row a pair, foretold by a fit without its group: log scores of mixture, normals, the share below, the width of the 90 % interval.

    Empty where there are fewer groups than folds.
    """
    if len({*pairs.groups}) < FOLDS:
        return pd.DataFrame()
    fold = folds(pairs.groups)
    # ln of GPU time over operations as measurements predict it: the same quantity for all three
    raw = likelihood.of_pairs(
        pairs, {name: prior.centre for name, prior in fit.OF_PAIRS.items()} | dict.fromkeys(PRODUCTION, 1.0)
    ).distance
    kind = weaker_class(pairs)
    rows = []
    for number in range(FOLDS):
        test, train = fold == number, fold != number
        values = {name: own.value for name, own in fit.fitted(pairs.taken(train), totals).items()}
        foretold = likelihood.of_pairs(pairs.taken(test), values)
        own = pd.DataFrame({
            "model_id": pairs.models[test],
            "mixture": foretold.log_density(),
            "share_below": foretold.share_below(),
            "width": mixture.quantile(foretold.components, NORMAL_QUANTILE_95)
            - mixture.quantile(foretold.components, -NORMAL_QUANTILE_95),
            "constant": norm.logpdf(raw[test], raw[train].mean(), raw[train].std(ddof=1)),
            "by_class": _by_class(raw, kind, train, test),
        })  # fmt: skip
        rows.append(pd.concat([own, pairs.labels[test].reset_index(drop=True)], axis=1))
    every = pd.concat(rows, ignore_index=True)
    every["group"] = every["model_id"].map(dict(zip(pairs.models, pairs.groups, strict=True)))
    return every


def weaker_class(pairs: Pairs) -> Any:
    """The class of the less certain of a pair's two inputs, examples and chip time."""
    order = {word: place for place, word in enumerate((CLASSES[0], CLASSES[1], "range", CLASSES[2]))}
    return np.array([
        max(own, key=lambda word: order.get(word, len(order)))
        for own in zip(pairs.labels["examples"], pairs.labels["chip time"], strict=True)
    ])  # fmt: skip


def _by_class(raw: Any, kind: Any, train: Any, test: Any) -> Any:
    found = []
    for value, word in zip(raw[test], kind[test], strict=True):
        own = raw[train & (kind == word)]
        own = own if len(own) >= fit.FEWEST_GROUPS else raw[train]
        found.append(norm.logpdf(value, own.mean(), own.std(ddof=1)))
    return np.array(found)


def log_scores(rows: pd.DataFrame) -> Iterator[Row]:
    """Mean log score of each prediction in nats, and by how much the mixture's is higher, with the standard error over groups."""
    for name in ("mixture", "by_class", "constant"):
        gain = rows["mixture"] - rows[name]
        of_groups = gain.groupby(rows["group"]).sum()
        error = float((of_groups**2).sum() ** 0.5 / len(rows)) if name != "mixture" else None
        yield {"name": name, "score": rows[name].mean(), "gain": gain.mean() if error else None, "error": error}


def inside(rows: pd.DataFrame, level: float) -> Any:
    """Whether each pair lies in its central interval of this level."""
    return (2 * rows["share_below"] - 1).abs() <= level


def coverage(rows: pd.DataFrame) -> list[Row]:
    """The share of pairs in their intervals, by level."""
    return [{"level": level, **share(inside(rows, level))} for level in LEVELS]


def share(held: Any) -> Row:
    """How many are held, of how many, and the 90 % Jeffreys interval of the share."""
    found, number = int(np.sum(held)), len(held)
    low, high = beta.ppf((0.05, 0.95), found + 0.5, number - found + 0.5)
    return {"held": found, "number": number, "low": float(low), "high": float(high)}


def by_label(rows: pd.DataFrame, labels: Mapping[str, str]) -> list[tuple[str, list[Row]]]:
    """Coverage of the 50 and 90 % intervals and the median width, by width and by each label."""
    third = pd.qcut(rows["width"].rank(method="first"), 3, labels=THIRDS).astype(str)
    kinds = {"Width": third} | {title: rows[name] for name, title in labels.items()}
    order = {word: place for place, word in enumerate((*THIRDS, *YEARS.values()))}
    return [
        (
            title,
            [_line(word, rows[own == word]) for word in sorted({*own}, key=lambda each: (order.get(each, 0), each))],
        )
        for title, own in kinds.items()
    ]


def _line(name: str, own: pd.DataFrame) -> Row:
    return {
        "name": name,
        "half": int(inside(own, 0.5).sum()),
        "width": float(np.exp(own["width"].median())),
        **share(inside(own, 0.9)),
    }


def external(estimates: pd.DataFrame, external_estimates: pd.DataFrame) -> list[Row]:
    """How many of others' totals lie in the published 50 and 90 % intervals, by what they rest on; plain, with their own slips."""
    both = external_estimates.merge(estimates.dropna(subset="training_flop"), on="model_id")
    both["half"] = both["stated_flop"].between(both["training_flop_p25"], both["training_flop_p75"])
    both["whole"] = both["stated_flop"].between(both["training_flop_low"], both["training_flop_high"])
    kinds = [("all", both)] + [(str(word), own) for word, own in both.groupby("inputs")]
    return [{"name": word, "half": int(own["half"].sum()), **share(own["whole"])} for word, own in kinds if len(own)]


def drawn(estimates: pd.DataFrame, external_estimates: pd.DataFrame, adjudications: pd.DataFrame) -> pd.DataFrame:
    """One row an adjudicated value whose model has a headline: value as published and corrected, inputs, and the published intervals.

    A value that stands beside two models is compared with the first by id, as it was drawn.
    """
    numbered = adjudications.reset_index(drop=True).rename_axis("row")
    cells = adjudicated.by_cell(numbered.reset_index().to_dict("records"))
    external = external_estimates.dropna(subset="via").sort_values(["model_id", "external_estimate_id"])
    stated = zip(external["via"], external["stated_flop"], strict=True)
    found = [adjudicated.judged_via(cells, via, flop) for via, flop in stated]
    beside = external[["model_id", "inputs"]].assign(row=[row and row["row"] for row in found])
    beside = beside.dropna(subset="row").drop_duplicates("row").astype({"row": int})
    headlines = estimates.dropna(subset="training_flop").drop(columns="name")
    return beside.join(numbered, on="row").merge(headlines, on="model_id")


def adjudication(rows: pd.DataFrame) -> Row:
    """Scores on the drawn values, by stratum and weighted to all from which they were drawn: coverage as published and corrected,
    corrected by inputs, how many values stand as published, and how many restate one of the ledger's methods.
    """
    kept = rows.dropna(subset="corrected_flop")
    kinds = [("as published", "published_flop", rows), ("adjudicated", "corrected_flop", kept)]
    kinds += [(str(word), "corrected_flop", own) for word, own in kept.groupby("inputs")]
    return {
        "number": len(rows),
        "dropped": len(rows) - len(kept),
        "restating": int(rows["inputs"].isin(RESTATING).sum()),
        "coverage": [_stratified(name, own, column) for name, column, own in kinds if len(own)],
        "standing": [
            _weighted(rows, "nothing found wrong", rows["reason"].isna()),
            _weighted(rows, "published value kept", rows["corrected_flop"] == rows["published_flop"]),
        ],
    }


def _stratified(name: str, own: pd.DataFrame, column: str) -> Row:
    whole = own[column].between(own["training_flop_low"], own["training_flop_high"])
    half = own[column].between(own["training_flop_p25"], own["training_flop_p75"])
    return _weighted(own, name, whole) | {"half": _weighted(own, name, half)}


def _weighted(own: pd.DataFrame, name: str, held: pd.Series) -> Row:
    """The share held in each stratum, and of all values from which the strata were drawn."""
    weight = own["sampling_weight"]
    strata = {str(word): share(held[own["stratum"] == word]) for word in Stratum}
    return {"name": name, "strata": strata, "weighted": float((weight * held).sum() / weight.sum())}


def widths(estimates: pd.DataFrame) -> list[Row]:
    """Median and mean of ln(high / low) of the published 90 % intervals as factors, by what the headline rests on."""
    known = estimates.dropna(subset="training_flop")
    width = np.log(known["training_flop_high"] / known["training_flop_low"])
    kinds = [("all", width)] + [(str(word), width[own.index]) for word, own in known.groupby("headline_method")]
    return [
        {"name": word, "number": len(own), "median": float(np.exp(own.median())), "mean": float(np.exp(own.mean()))}
        for word, own in kinds
        if len(own)
    ]
