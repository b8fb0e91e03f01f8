"""Rows of `runs` and `allocations`: the phases of training, and the chips that each phase used."""

import math

from pipeline.architectures import counted
from pipeline.architectures.network import Lengths
from pipeline.formulas.uncertainty import log_sd_of_interval
from pipeline.models.sql import Row
from pipeline.rules.ingestion import columns, value_of
from pipeline.rules.ingestion.architectures import left_out, network_of
from pipeline.rules.ingestion.input_classes import bound_of, input_class, range_log_sd, stated_basis
from pipeline.rules.ingestion.models import published_year
from pipeline.rules.utilization.cases import utilization_case
from schemas import vocabulary
from schemas.facts import Fact, Utilization
from schemas.records import Allocation, Model, Phase, Records
from schemas.spelling import find


def runs(records: Records) -> list[Row]:
    """Return one row per phase of training, as stated in its record."""
    return [_run(identifier, model, phase) for identifier, model in records.models.items() for phase in model.training]


def allocations(records: Records) -> list[Row]:
    """Return one row per allocation of chips to a phase, as stated in its record."""
    chips = records.chip_ids()
    return [
        {
            "model_id": identifier,
            "phase": phase.phase,
            "allocation": index,
            **_allocation(model, allocation, chips, records),
        }
        for identifier, model in records.models.items()
        for phase in model.training
        for index, allocation in enumerate(phase.hardware)
    ]


def _run(identifier: str, model: Model, phase: Phase) -> Row:
    """Return the row of one training phase, with the record's facts that estimates need.

    The model's stated forward FLOP applies only to phases on the model's own network. Hardware FLOP utilization is left
    out, because it counts recomputed operations.
    """
    is_token = phase.example_unit in (vocabulary.ExampleUnit.TOKEN, vocabulary.ExampleUnit.WORD)
    stated_utilization = (
        phase.utilization if phase.utilization and phase.utilization.kind != vocabulary.UtilizationKind.HFU else None
    )
    network = network_of(model, phase)
    size = model.active_parameters or model.parameters
    forward = model.forward_flop if phase.architecture is None else None  # the model's own network
    # A user's range of parameters or forward FLOP is as wide as one of data, if no layers are counted.
    each = forward or size
    ranges = [each] if model.stated_by_user and each and each.is_range and not model.architecture_of(phase) else []
    return {
        "model_id": identifier,
        **columns(phase, "phase accounting example_unit examples epochs steps batch"),
        **columns(phase, "is_forward_only has_frozen_weights framework"),
        **columns(phase, stated_precision="precision", stated_facility_overhead_ratio="facility_overhead"),
        **columns(phase, architecture_passes_per_example="passes_per_example"),
        **columns(model, "connections organization_kind published"),
        "phase_index": model.training.index(phase),
        "architecture_id": f"{identifier}/{phase.phase}" if model.architecture_of(phase) else None,
        "network": network,
        "utilization_case": utilization_case(network, phase.example_unit),
        **_as_counted(model, phase, _product("examples", model, phase.examples, phase.epochs, *ranges)),
        **_as_counted(model, phase, _product("steps", model, phase.steps, phase.batch, *ranges)),
        "lengths_log_sd": _operations_log_sd(model, phase, is_token),
        "active_parameters": value_of(size),
        "parameters_class": input_class(model, size),
        "allows_2n_rule": is_token and model.network is not None,
        "stated_forward_flop": value_of(forward),
        "is_stated_in_multiply_adds": "mac" in forward.written.lower() if forward else None,
        "stated_precision_basis": stated_basis(model, phase.precision),
        "stated_utilization_fraction": value_of(stated_utilization),
        "stated_utilization_basis": _utilization_basis(model, stated_utilization),
        "stated_utilization_log_sd": _user_log_sd(model, stated_utilization),
        "stated_facility_overhead_log_sd": _user_log_sd(model, phase.facility_overhead),
        "published_year": published_year(model),
    }


def _user_log_sd(model: Model, fact: Fact | None) -> float | None:
    """Return the log standard deviation of a user's figure, 0 unless it is a range. Return None for others."""
    return None if fact is None or not model.stated_by_user else range_log_sd({}, fact) or 0.0


def _product(name: str, model: Model, *factors: Fact | None) -> Row:
    """Return the class, range and bound of the product of these facts, in columns whose names begin with `name`."""
    return {
        f"{name}_class": input_class(model, *factors),
        f"{name}_range_log_sd": range_log_sd(model.assumptions, *factors),
        f"{name}_bound": bound_of(*factors),
    }


def _as_counted(model: Model, phase: Phase, columns: Row) -> Row:
    """Return the columns of `_product`, changed if an uncounted part or an assumed length makes them inexact."""
    architecture, length = model.architecture_of(phase), phase.sequence_length
    exact, worse = (vocabulary.InputClass.STATED_BY_USER, vocabulary.InputClass.USER_RANGE), None
    if left_out(architecture):
        worse = vocabulary.InputClass.PART_LEFT_OUT
    elif length is not None and length.assumptions:
        worse = vocabulary.InputClass.LENGTH_ASSUMED
    return {name: worse if worse and value in exact else value for name, value in columns.items()}


def _operations_log_sd(model: Model, phase: Phase, is_token: bool) -> float | None:
    """Return the log standard deviation of an example's operations due to lengths and to parts that are not counted.

    The interval that a part causes reaches to the whole network, each of whose parameters works on each token.
    """
    by_lengths, architecture = _lengths_log_sd(model, phase, is_token), model.architecture_of(phase)
    parts = left_out(architecture)
    more = [part.parameters for part in parts if part.parameters is not None]
    if architecture is None or not more or len(more) < len(parts):
        return by_lengths
    least = counted(architecture.settings, Lengths(*phase.sequence_lengths)).active_parameters
    return math.hypot(by_lengths or 0, 2 * float(log_sd_of_interval(math.log1p(sum(more) / least))))


def _lengths_log_sd(model: Model, phase: Phase, is_token: bool) -> float | None:
    """Return the log standard deviation of an example's operations due to sequence lengths that are ranges.

    Return None if no length is a range, or if no operations depend on it. If an example is one token, only attention
    depends on the length.
    """
    architecture, ends = model.architecture_of(phase), model.length_ends(phase)
    if architecture is None or ends[0] == ends[1]:
        return None
    low, high = (
        counted(architecture.settings, Lengths(*end)).forward_flop / (end[0] if is_token and end[0] else 1)
        for end in ends
    )
    return None if low == high else float(log_sd_of_interval(abs(math.log(high / low))))


def _utilization_basis(model: Model, stated: Utilization | None) -> str | None:
    if stated is not None and stated.kind == vocabulary.UtilizationKind.JUDGEMENT:
        return vocabulary.Basis.ASSUMED
    return stated_basis(model, stated)


def _allocation(model: Model, allocation: Allocation, chips: dict[str, str], records: Records) -> Row:
    """Return an allocation's row. Its chip-seconds are the stated chip time, or else chips times duration.

    If the chip time is stated in core-hours, the chip's number of cores converts it.
    """
    hardware_id = find(allocation.chip.value, chips) if allocation.chip else None
    cores = value_of(records.hardware[hardware_id].cores_per_chip) if hardware_id else None
    return {
        "hardware_id": hardware_id,
        "stated_hardware_basis": stated_basis(model, allocation.chip or allocation.peak),
        **columns(allocation, "chips is_from_operations", duration_seconds="duration"),
        **columns(allocation, stated_peak_flop_per_second="peak"),
        "stated_chip_seconds": allocation.chip_seconds(cores) if allocation.chip_time else None,
        **_product(
            "chip_seconds",
            model,
            *([allocation.chip_time] if allocation.chip_time else [allocation.chips, allocation.duration]),
        ),
    }
