"""What the fit learns from: models with two independent methods, and authors' totals beside our count."""

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from pipeline.rules.imputation import MEASURED_CLASSES, WIDER_THAN_PRODUCT
from pipeline.rules.utilization.chosen import production_format
from schemas.vocabulary import GpuTimeReason, Independence, InputClass, ReportedMethod, UnusedReport

TABLES = (
    "reconciliations", "operation_estimates", "gpu_time_estimates", "defaults", "models", "lineages", "sources", "estimates",
    "external_estimates", "adjudications",
)  # fmt: skip
CLASSES = tuple(word.value for word in MEASURED_CLASSES)
FORMATS = ("bf16", "fp16", "fp32")
NONE = -1  # the place of a class or format that no fitted value belongs to
REFUSED = (UnusedReport.ERRATUM.value, UnusedReport.HARDWARE_FLOP.value)
YEARS = {2018: "before 2018", 2021: "2018 to 2020", 2024: "2021 to 2023", 9999: "since 2024"}


class Parts(NamedTuple):
    """Phases or allocations: the pair each belongs to, FLOP and variances without what is fitted, and the places of what is."""

    pair: Any
    flop: Any
    input_class: Any  # place in CLASSES
    format: Any  # place in FORMATS; NONE where the utilization is not predicted from measurements
    variance: Any
    utilization_log_sd: Any  # of a prediction, before its scale; 0 where there is none


class Pairs(NamedTuple):
    """Models with two independent methods, one entry a model, and the parts of both methods."""

    models: Any
    groups: Any
    is_counted: Any
    counts: Parts
    times: Parts
    other_log_ratio: (
        Any  # ln of GPU time at the chips' other format over that at the inferred one; 0 where it is not in doubt
    )
    other_share: Any  # prior probability of that format
    labels: pd.DataFrame  # what scores are shown by

    def taken(self, kept: Any) -> "Pairs":
        """The pairs where `kept` is true."""
        place = np.cumsum(kept) - 1
        parts = [
            Parts(place[own.pair[kept[own.pair]]], *(column[kept[own.pair]] for column in own[1:]))
            for own in (self.counts, self.times)
        ]
        others = (self.other_log_ratio[kept], self.other_share[kept])
        return Pairs(self.models[kept], self.groups[kept], self.is_counted[kept], *parts, *others, self.labels[kept])


class Totals(NamedTuple):
    """Totals that authors state beside our count of the same run, one entry a model."""

    models: Any
    groups: Any
    is_of_operations: Any  # else its way is not said
    is_counted: Any
    weight: Any  # of one paper's totals together 1
    distance: Any
    variance: Any  # of the count, without the examples, which both rest on

    def taken(self, kept: Any) -> "Totals":
        """The totals where `kept` is true."""
        return Totals(*(column[kept] for column in self))


def tables(folder: Path) -> dict[str, pd.DataFrame]:
    """The tables that a fit reads, by name."""
    return {name: pd.read_parquet(folder / f"{name}.parquet") for name in TABLES}


def stored(defaults: pd.DataFrame) -> dict[str, float]:
    """The values that the tables were made with: standard deviations of logarithms, and rates and factors as they are."""
    of = {"uncertainty": "default_value", "uncertainty_spread": "log_sd"}
    return {
        row["applies_to"]: row[of[row["quantity"]]]
        for row in defaults.to_dict("records")
        if row["quantity"] in of and not pd.isna(row[of[row["quantity"]]])
    }


def groups(lineages: pd.DataFrame, sources: pd.DataFrame) -> dict[str, str]:
    """The group of each model: those that are tied by base models, or by a source of the authors with the same address or title."""
    above: dict[str, str] = {}

    def top(name: str) -> str:
        above.setdefault(name, name)
        while above[name] != name:
            name = above[name]
        return name

    def tie(names: Iterable[str]) -> None:
        tops = sorted({top(name) for name in names})
        above.update(dict.fromkeys(tops, tops[0]))

    for part, own in lineages.groupby("part_id"):
        tie([part, *own["model_id"]])
    of_authors = sources[(sources["record_kind"] == "models") & (sources["source_kind"] == "authors")]
    for column in ("url", "title"):
        for _, own in of_authors.dropna(subset=column).groupby(column):
            tie(own["record_id"])
    return {name: top(name) for name in above}


def pairs(of: Mapping[str, pd.DataFrame]) -> Pairs:
    """Models whose methods are independent. GPU time is that of the headline: informed, or the default where a stated utilization may rest on the count."""
    values, own = stored(of["defaults"]), of["reconciliations"]
    own = own[
        (own["independence"] == Independence.INDEPENDENT.value)
        & (own["operation_count_flop"] > 0)
        & (own["gpu_time_used_flop"] > 0)
    ].reset_index(drop=True)
    own = own.merge(of["models"][["model_id", "domain", "published_year"]], on="model_id", how="left")
    place = {name: number for number, name in enumerate(own["model_id"])}
    group_of = groups(of["lineages"], of["sources"])
    counts = _of_pairs(of["operation_estimates"], place)
    times = _of_pairs(of["gpu_time_estimates"], place).merge(own[["model_id", "gpu_time_used_reason"]], on="model_id")
    labels = pd.DataFrame({
        "examples": own["examples_class"],
        "chip time": own["chip_seconds_class"],
        "operations": "operations_" + own["operation_count_basis"],
        "utilization": "gpu_time_" + own["utilization_class"],
        "GPU time": own["gpu_time_used_reason"],
        "year": [next(word for end, word in YEARS.items() if year < end) for year in own["published_year"]],
        "domain": own["domain"],
    })  # fmt: skip
    return Pairs(
        own["model_id"].to_numpy(object),
        np.array([group_of.get(name, name) for name in own["model_id"]], object),
        (own["operation_count_basis"] == "counted").to_numpy(bool),
        _counts(counts, place, values),
        _times(times, place, values),
        np.log(own["other_format_peak_flop"] / own["chip_peak_flop"]).to_numpy(float),
        own["other_format_share_fraction"].fillna(0.0).to_numpy(float),
        labels.fillna("not said").astype(str),
    )


def _of_pairs(rows: pd.DataFrame, place: Mapping[str, int]) -> pd.DataFrame:
    return rows[rows["model_id"].isin([*place])].reset_index(drop=True)


def _counts(rows: pd.DataFrame, place: Mapping[str, int], values: Mapping[str, float]) -> Parts:
    examples, extra = _class_and_rest(rows, "examples", values)
    beside = np.maximum(rows["operation_log_sd"] ** 2 - rows["examples_log_sd"] ** 2, 0).to_numpy(float)
    none = np.full(len(rows), NONE)
    return Parts(
        _places(rows, place), rows["operation_count_flop"].to_numpy(float), examples, none, extra + beside, 0.0 * none
    )


def _times(rows: pd.DataFrame, place: Mapping[str, int], values: Mapping[str, float]) -> Parts:
    hours, extra = _class_and_rest(rows, "chip_seconds", values)
    is_default = (rows["gpu_time_used_reason"] == GpuTimeReason.STATED_MAY_REST_ON_COUNT.value).to_numpy(bool)
    is_predicted = (rows["utilization_basis"] == "calibrated").to_numpy(bool) & ~is_default
    formats = np.where(
        is_predicted, [FORMATS.index(production_format(word)) for word in rows["precision"]], NONE
    ).astype(int)
    factor = np.array([*(values[f"production_{word}"] for word in FORMATS), 1.0])[formats]
    chosen = {
        name: np.where(is_default, rows[f"gpu_time_{name}"], rows[f"gpu_time_informed_{name}"])
        for name in ("flop", "log_sd")
    }
    beside = (rows["peak_log_sd"] ** 2 + rows["precision_log_sd"] ** 2).to_numpy(float)
    of_utilization = np.maximum(chosen["log_sd"] ** 2 - rows["chip_seconds_log_sd"].to_numpy(float) ** 2 - beside, 0)
    return Parts(
        _places(rows, place),
        chosen["flop"] / factor,
        hours,
        formats,
        extra + beside + np.where(is_predicted, 0.0, of_utilization),
        np.where(is_predicted, of_utilization**0.5 / values["utilization_scale"], 0.0),
    )


def _places(rows: pd.DataFrame, place: Mapping[str, int]) -> Any:
    return np.array([place[name] for name in rows["model_id"]], int)


def _class_and_rest(rows: pd.DataFrame, name: str, values: Mapping[str, float]) -> tuple[Any, Any]:
    """The place of the class of an input, and the variance that it has beyond that of its class."""
    words = rows[f"{name}_class"].replace(
        dict.fromkeys((word.value for word in WIDER_THAN_PRODUCT), InputClass.PRODUCT.value)
    )
    place = np.array([CLASSES.index(word) if word in CLASSES else NONE for word in words], int)
    of_class = np.array([*(values[f"{name}_{word}"] ** 2 for word in CLASSES), 0.0])[place]
    return place, np.maximum(rows[f"{name}_log_sd"].to_numpy(float) ** 2 - of_class, 0)


def totals(of: Mapping[str, pd.DataFrame]) -> Totals:
    """Totals that authors worked out from operations, or in a way that they do not say, beside our count."""
    own = of["reconciliations"]
    ways = (ReportedMethod.OPERATION_COUNT.value, ReportedMethod.UNKNOWN.value)
    own = own[
        own["reported_method"].isin(ways)
        & (own["operation_count_flop"] > 0)
        & (own["reported_flop"] > 0)
        & ~own["reported_unused_reason"].isin(REFUSED)
    ]
    group_of = groups(of["lineages"], of["sources"])
    own_groups = np.array([group_of.get(name, name) for name in own["model_id"]], object)
    return Totals(
        own["model_id"].to_numpy(object),
        own_groups,
        (own["reported_method"] == ways[0]).to_numpy(bool),
        (own["operation_count_basis"] == "counted").to_numpy(bool),
        1 / np.array([(own_groups == name).sum() for name in own_groups], float),
        np.log(own["reported_flop"].to_numpy(float) / own["operation_count_flop"].to_numpy(float)),
        np.maximum(own["operation_log_sd"] ** 2 - own["examples_log_sd"] ** 2, 0).to_numpy(float),
    )


def groups_of_classes(own: Pairs, beside: Totals) -> Counter[str]:
    """How many groups say something of each value that is fitted."""
    having = {f"examples_{word}": own.counts.pair[own.counts.input_class == n] for n, word in enumerate(CLASSES)}
    having |= {f"chip_seconds_{word}": own.times.pair[own.times.input_class == n] for n, word in enumerate(CLASSES)}
    having |= {f"production_{word}": own.times.pair[own.times.format == n] for n, word in enumerate(FORMATS)}
    having |= {"utilization_scale": own.times.pair[own.times.format != NONE]}
    having |= {"counted": own.is_counted, "not_counted": ~own.is_counted}
    every = np.ones(len(own.models), bool)
    having |= {"gpu_time": every, "gross_error": every}
    found = Counter({name: len({*own.groups[rows]}) for name, rows in having.items()})
    found["reported"] = len({*beside.groups})
    found["reported_operation_count"] = len({*beside.groups[beside.is_of_operations]})
    return found
