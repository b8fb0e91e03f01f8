"""Convert a row of Epoch's table into a model record; list the assumptions that we make."""

import math
import re
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from pipeline.catalogues.epoch.columns import READ
from pipeline.catalogues.epoch.networks import LARGEST_IMAGE_SET, Kind, kind_of
from pipeline.catalogues.epoch.passes import Passes, passes_over
from pipeline.catalogues.epoch.quantities import domain_of, entries, organization_kind, precisions
from pipeline.catalogues.epoch.readings import search_text, speaks_of
from pipeline.catalogues.rows import Draft, Row
from pipeline.formulas.uncertainty import NORMAL_QUANTILE_95
from schemas.facts import Source
from schemas.records import Chip, Model
from schemas.units import HOUR_SECONDS
from schemas.vocabulary import Domain, ExampleUnit, ParameterNetwork, Precision, Scope

EPOCH = "epoch"
SOURCE = Source.model_validate(
    {"title": "Epoch AI, Data on AI Models (CC-BY 4.0)", "url": "https://epoch.ai/data/ai-models"}
)
# The share of parameters that one token uses in a mixture of experts, if no note states the share: the geometric mean
# and the standard deviation of the logarithm over the rows of both tables that state it (0.03 for Kimi K2 to 0.28 for
# Mixtral 8x7B).
SHARE_ASSUMED = "active share of a mixture of experts assumed"
ACTIVE_SHARE, ACTIVE_LOG_SD = 0.10, 0.6
SMALLEST_SPARSE = 1e9  # in a mixture of experts with fewer parameters, we assume that each token uses all of them
# Standard deviation of the logarithm of uses per parameter and example in fully connected networks, over rows of both
# tables that state their passes.
DENSE_LOG_SD = 2.2
FIRST_DEFAULT_PEAK = "2010"  # from this year on, the ledger has a peak for an unknown chip
# If operations exceed the chips' peak by up to this factor, we assume that training did not see all the data or that a
# token does not use all parameters, because GPU time limits the operations. Beyond it, we assume that the time covers
# only one of several stages. Among rows of both tables without a base model, the time is nearer in all 8 rows up to
# this factor, and the operations are nearer in both rows beyond it.
SEEN_IN_PART = 5.0
TRAINED_IN = (Precision.FP32, Precision.TF32, Precision.FP16, Precision.BF16)
UNITS = {
    Domain.VISION: ExampleUnit.IMAGE,
    Domain.IMAGE_GENERATION: ExampleUnit.IMAGE,
    Domain.SPEECH: ExampleUnit.FRAME,
    Domain.GAMES: ExampleUnit.GAME_POSITION,
    Domain.BIOLOGY: ExampleUnit.PROTEIN_SEQUENCE,
    Domain.VIDEO: ExampleUnit.VIDEO_CLIP,
}


@dataclass(frozen=True)
class _Data:
    """Parameters and examples of a row's model, and how operations follow from them."""

    kind: Kind
    is_text: bool
    parameters: float | None
    used: float | None  # parameters that one example uses
    seen: Passes | None
    log_sd: float  # standard deviation of the logarithm of parameters used times examples seen
    rules: list[str]

    @property
    def adds_to_time(self) -> bool:
        """Return whether operations add information to a stated GPU time.

        Among rows of both tables that state both, GPU time is within 2x in 70 % of the biology, vision and speech rows,
        and operations from parameters in 10 %. For text, both are equally good.
        """
        return self.is_text and self.seen is not None


def draft(row: Row, chips: dict[str, Chip], sets: dict[str, float], slowest: float) -> Draft:
    """Return a row's record, given chips, sizes of data sets, and the least utilization of any network (`slowest`).

    Raise ValidationError for impossible numbers.
    """
    when = row.published
    data = _data(row, sets)
    hardware, precision, time_rules = _hardware(row, chips)
    hardware, operations_fit, misfits = _that_fit(row, hardware, data, chips, slowest)
    time_rules += misfits
    operations = _operations(row, data) if operations_fit else {}
    if hardware and operations and not data.adds_to_time:
        operations = {}
        time_rules.append("operations left out: the network would be guessed, and the time is stated")
    model = None
    if when and (operations or hardware):
        model = Model.model_validate(_record(row, when, data, operations, hardware, precision))
    return Draft(
        row=row,
        model=model,
        bases=entries(row["base_model"]) or [row.readings[name] for name in ["base"] if name in row.readings],
        parameters=row.number("parameters"),
        tokens=data.seen.amount if data.seen and (data.is_text or data.kind == Kind.TOKENS) else None,
        domain=domain_of(row["domain"]),
        rules=[*(data.rules if operations else []), *time_rules],
        missing=_gaps(row, data, hardware, [] if operations_fit else misfits),
    )


def _words(row: Row) -> str:
    others = (row[name] for name in ("task", "parameters_notes", "link", "datapoints_notes"))
    return " ".join([search_text(row["name"]), *others])


def _is_text(row: Row, domains: list[str], datapoints: float | None) -> bool:
    """Return whether examples are text tokens: in language models, and in multimodal ones whose data are tokens."""
    if "Language" not in domains:
        return False
    if domains[0] == "Language":
        return True
    speaks_of_tokens = speaks_of(row["datapoints_notes"], "token")
    counts_pictures = speaks_of(row["datapoints_notes"], "image", "picture", "video", "pair", "sample", "trajector")
    return speaks_of_tokens or not counts_pictures or (datapoints or 0) > LARGEST_IMAGE_SET


def _data(row: Row, sets: dict[str, float]) -> _Data:
    """Return a row's data. Its active parameters are stated in a note or, for a mixture of experts, may be assumed."""
    # A note counts the pictures if the cell counts their patches or pixels.
    parameters, datapoints = row.number("parameters"), row.reading("pictures") or row.number("datapoints")
    domains, year = entries(row["domain"]), int((row.published or "2020")[:4])
    is_text = _is_text(row, domains, datapoints)
    kind = Kind.TOKENS if is_text else kind_of(year, _words(row), datapoints, domains)
    seen = passes_over(row, datapoints, kind, is_text, sets)
    rules: list[str] = []
    log_sd = DENSE_LOG_SD if kind == Kind.DENSE else 0.0
    used_parameters = parameters
    if parameters and kind == Kind.TOKENS:
        if active := row.reading("active_parameters"):
            used_parameters = active
            rules.append("active parameters from the note or the name")
        elif parameters > SMALLEST_SPARSE and "is_sparse" in row.readings:
            used_parameters = parameters * ACTIVE_SHARE
            log_sd = ACTIVE_LOG_SD
            rules.append(SHARE_ASSUMED)
    rules += seen.rules if seen else []
    return _Data(kind, is_text, parameters, used_parameters, seen, log_sd, rules)


def _fact(value: float | str, row: Row, column: str, **others: Any) -> dict[str, Any]:
    return {"value": value, "source": EPOCH, "via": f"epoch: row {row.source_row}, {READ[column][0]}", **others}


def _assumed_fact(value: float, log_sd: float, row: Row, column: str) -> dict[str, Any]:
    """Return a fact, as a range if it rests on an assumption. Figures in the table have the default error, no range.

    The low end is at least one, because the fact is a number of examples or parameters.
    """
    fact = _fact(value, row, column)
    if not log_sd:
        return fact
    reach = math.exp(NORMAL_QUANTILE_95 * log_sd)
    return {**fact, "value": None, "low": max(value / reach, 1.0), "high": value * reach}


def _operations(row: Row, data: _Data) -> dict[str, Any]:
    """Return the record's keys for the network and the data, or no keys if the operations cannot be counted."""
    if data.seen is None or data.kind == Kind.NEEDED or data.used is None:
        return {}
    phase: dict[str, Any] = {"examples": _assumed_fact(data.seen.amount, data.log_sd, row, "datapoints")}
    # The number of examples covers all passes. If no passes are stated, the ledger itself assumes one pass over text.
    if data.seen.is_stated:
        phase["epochs"] = _fact(1.0, row, "epochs")
    if data.is_text:
        return {"network": ParameterNetwork.DECODER_ONLY, "phase": phase}
    return {"connections": _fact(data.used, row, "parameters"), "phase": phase}


def _that_fit(
    row: Row, hardware: list[dict[str, Any]], data: _Data, chips: dict[str, Chip], slowest: float
) -> tuple[list[dict[str, Any]], bool, list[str]]:
    """Return the hardware to keep, whether to keep the operations, and remarks if the two cannot belong to one run.

    No network runs above the peak of its chips. If operations are somewhat above the peak, training did not see all the
    data (or the active share was assumed). If they are far above it, or if the data include the base model's, the time
    covers only part of the training. If they are slower than any network runs, we keep the time, because the data are
    in another unit or lack passes.
    """
    peaks = [
        _highest_peak(chips[allocation["chip"]["value"].lower()]) for allocation in hardware if "chip" in allocation
    ]
    if not data.seen or not data.used or data.kind != Kind.TOKENS or not hardware or len(peaks) < len(hardware):
        return hardware, True, []
    operations = 6 * data.used * data.seen.amount
    hours = math.fsum(float(allocation["chip_time"]["value"].split()[0]) for allocation in hardware)
    implied = operations / (hours * HOUR_SECONDS * math.fsum(peaks) / len(peaks))
    if implied < slowest and not row["base_model"]:
        return hardware, False, [f"operations left out: they would use {implied:.2g} of the peak"]
    if implied <= 1:
        return hardware, True, []
    is_whole = not row["base_model"] and implied <= SEEN_IN_PART
    if is_whole or SHARE_ASSUMED in data.rules:
        return hardware, False, [f"operations left out: they would use {implied:.2g} times the peak"]
    return [], True, [f"time left out: operations would use {implied:.2g} times the peak"]


def _highest_peak(chip: Chip) -> float:
    # A chip without any of these precisions sets no bound.
    return max((peak.amount for word, peak in chip.peaks.items() if word in TRAINED_IN), default=math.inf)


def _hardware(row: Row, known: dict[str, Chip]) -> tuple[list[dict[str, Any]], Precision | None, list[str]]:
    """Return a row's chip allocations, its precision if all its chips have it, and the rules used."""
    chip_names = entries(row["hardware"])
    unknown = next((name for name in chip_names if name.lower() not in known), None)
    if unknown is not None:
        return [], None, [f"no GPU time: {unknown!r} is not a chip of the ledger"]
    chips = [known[name.lower()] for name in chip_names]
    if not chip_names and (row.published or "0") < FIRST_DEFAULT_PEAK:
        return [], None, []
    hours, rules = _chip_hours(row)
    if hours is None:
        return [], None, rules
    if not chip_names and speaks_of(row["hours_notes"], "CPU", "processor", "machine", "core"):
        return [], None, ["no GPU time: the time is for processors that are not named"]
    if len(chip_names) > 1:
        rules.append("several chips share the time equally")
    share = _fact(f"{hours / max(len(chip_names), 1):.15g} chip_hour", row, "hours")
    formats = [word for word in precisions(row["precision"]) if all(word in chip.peaks for chip in chips)]
    allocations = [{"chip": _fact(name, row, "hardware"), "chip_time": share} for name in chip_names]
    return allocations or [{"chip_time": share}], formats[0] if formats and chips else None, rules


def _chip_hours(row: Row) -> tuple[float | None, list[str]]:
    """Return a row's chip-hours, or None if they are unknown, and the rules used. Cells take precedence over notes."""
    if "is_of_all_runs" in row.readings:
        return None, ["time left out: it covers all experiments or plots together"]
    cells = {name: row.number(name) for name in ("chip_hours", "chips", "hours")}
    if cells["chip_hours"]:
        return cells["chip_hours"], []
    noted = row.reading("chip_hours")
    is_stated = cells["chips"] and cells["hours"]
    if noted and not is_stated:
        return noted, ["chip time from the note"]
    chips, hours = (cells[name] or row.reading(name) for name in ("chips", "hours"))
    names = [name for name in ("chips", "hours") if not cells[name]]
    return (chips * hours, [f"{' and '.join(names)} from the note"] if names else []) if chips and hours else (None, [])


def _record(
    row: Row,
    when: str,
    data: _Data,
    operations: dict[str, Any],
    hardware: list[dict[str, Any]],
    precision: Precision | None,
) -> dict[str, Any]:
    """Return the record as parsed YAML. `operations` comes from `_operations`; `when` is the publication's date."""
    domain = domain_of(row["domain"])
    unit = ExampleUnit.TOKEN if data.is_text else UNITS.get(domain, ExampleUnit.PATTERN)
    phase = {"phase": "training", "example_unit": unit, "hardware": hardware, **operations.get("phase", {})}
    if precision:
        phase["precision"] = _fact(precision, row, "precision")
    record = {
        "name": row.name,
        "organization": " ".join(row["organization"].split()) or "not stated",
        "organization_kind": organization_kind(row["organization_kinds"]),
        "published": when,
        "domain": domain,
        "scope": Scope.SINGLE,
        "sources": {EPOCH: SOURCE},
        "training": [phase],
        **{key: value for key, value in operations.items() if key != "phase"},
    }
    if data.parameters:
        record["parameters"] = _fact(data.parameters, row, "parameters")
    if data.used and data.used != data.parameters:
        record["active_parameters"] = _fact(data.used, row, "parameters_notes")
    return record


def _gaps(row: Row, data: _Data, hardware: list[dict[str, Any]], misfits: list[str]) -> str:
    """Return what a row lacks for an estimate, joined by semicolons. `misfits` are remarks on operations left out."""
    if not row.published:
        return "no publication date"
    gaps = list(misfits)
    if data.parameters is None and data.seen is None and not misfits:
        gaps.append("Epoch's table has no size and no data for it")
    elif data.kind == Kind.NEEDED:
        gaps.append("only a count of its layers could give the operations")
    elif data.seen is None:
        gaps.append("no amount of data" if row.number("datapoints") is None else "no number of passes over the data")
    elif data.parameters is None:
        gaps.append("no parameters")
    if not hardware:
        gaps.append("no chips with time")
    return "; ".join(gaps)


def words_of(problem: ValidationError) -> str:
    """Return the messages of the errors in a record as one line."""
    words = "; ".join(f"{'.'.join(map(str, error['loc'][-3:]))}: {error['msg']}" for error in problem.errors())
    return re.sub(r"\s+", " ", words)[:300]
