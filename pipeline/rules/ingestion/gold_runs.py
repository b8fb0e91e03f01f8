"""Rows of `logged_runs`: gold runs, with facts from their own record or from a model's record."""

from math import fsum

from pipeline.models.sql import Row
from pipeline.rules.ingestion import cell_of, columns, value_of
from pipeline.rules.ingestion.architectures import network_of_architecture
from pipeline.rules.utilization.cases import utilization_case
from schemas.records import Phase, Record, Records
from schemas.spelling import Spellings, find


def logged_runs(records: Records) -> list[Row]:
    """Return one row per gold run, as stated in its record."""
    rows, chips = [], records.chip_ids()
    for identifier, group in records.gold_runs.items():
        for run in group.runs:
            phase, architecture = records.gold_phase(group, run)
            if phase and architecture:
                owner = records.models[run.model] if run.model else group
                rows.append(
                    {
                        "gold_group_id": identifier,
                        **columns(run, "run hours_cover note", run_evidence="evidence", model_id="model"),
                        **columns(records.models.get(run.model or "", run), "name published"),
                        "architecture_id": f"{run.model or identifier}/{run.phase if run.model else run.run}",
                        "owner": group.owner,
                        "measured_by": cell_of(group.measured_by),
                        "network": (network := network_of_architecture(architecture, phase)),
                        "utilization_case": utilization_case(network, phase.example_unit),
                        **columns(phase, "example_unit examples_seen steps batch sequence_length"),
                        **columns(phase, stated_precision="precision"),
                        **columns(phase, architecture_passes_per_example="passes_per_example"),
                        **_time_columns(phase, owner, records, chips),
                    }
                )
    return rows


def _time_columns(phase: Phase, owner: Record, records: Records, chips: Spellings) -> Row:
    """Return the columns of a gold run about its chips and time, with the quotes that state its data and its time.

    Allocations may use the same chips in turn, so `chips` is the largest number, whereas chip-seconds are summed.
    """
    first = phase.hardware[0]
    hardware_id = find(first.chip.value, chips) if first.chip else None
    cores = value_of(records.hardware[hardware_id].cores_per_chip) if hardware_id else None
    counts = [allocation.chips.amount for allocation in phase.hardware if allocation.chips]
    data, time = (
        next((quote for fact in facts if fact for quote in owner.quotes_of(fact)), None)
        for facts in ((phase.examples, phase.steps), (first.chip_time, first.duration))
    )
    return {
        "hardware_id": hardware_id,
        "chips": max(counts, default=None),
        "chip_seconds": fsum(allocation.chip_seconds(cores) or 0.0 for allocation in phase.hardware),
        **columns(data, data_text="text", data_found_at="found_at"),
        **columns(time, time_text="text", time_found_at="found_at"),
    }
