"""Rows of `logged_runs`: gold runs, with facts from their own record or from a model's record."""

from math import fsum

from pipeline.models.sql import Row
from pipeline.rules.ingestion import amount, joined, same
from pipeline.rules.ingestion.architectures import network_of_architecture
from pipeline.rules.utilization.cases import utilization_case
from schemas.facts import Fact, Quote
from schemas.records import Architecture, GoldRun, Phase, Record, Records
from schemas.spelling import Spellings, find


def logged_runs(records: Records) -> list[Row]:
    """Return one row per gold run, as stated in its record."""
    logged, chips = [], records.chip_ids()
    for identifier, group in records.gold_runs.items():
        for run in group.runs:
            phase, architecture = records.gold_phase(group, run)
            if phase and architecture:
                owner = records.models[run.model] if run.model else group
                logged.append(
                    {
                        "gold_group_id": identifier,
                        **same(run, "run hours_cover note"),
                        "owner": group.owner,
                        "measured_by": joined(group.measured_by),
                        **_named(identifier, run, records),
                        **_trained(phase, architecture),
                        **_timed(phase, owner, records, chips),
                        "run_evidence": run.evidence.value,
                    }
                )
    return logged


def _named(identifier: str, run: GoldRun, records: Records) -> Row:
    model = records.models.get(run.model or "")
    return {
        "name": model.name if model else run.name,
        "model_id": run.model,
        "published": model.published if model else run.published,
        "architecture_id": f"{run.model}/{run.phase}" if model else f"{identifier}/{run.run}",
    }


def _trained(phase: Phase, architecture: Architecture) -> Row:
    network = network_of_architecture(architecture, phase)
    return {
        "network": network.value if network else None,
        "utilization_case": utilization_case(network, phase.example_unit).value,
        **same(phase, "example_unit examples_seen steps batch sequence_length"),
        "architecture_passes_per_example": phase.passes_per_example,
        "stated_precision": phase.precision.value.value if phase.precision else None,
    }


def _timed(phase: Phase, owner: Record, records: Records, chips: Spellings) -> Row:
    first = phase.hardware[0]
    hardware_id = find(first.chip.value, chips) if first.chip else None
    cores = amount(records.hardware[hardware_id].cores_per_chip) if hardware_id else None
    counts = [allocation.chips.amount for allocation in phase.hardware if allocation.chips]
    data, time = (_words(facts, owner) for facts in ((phase.examples, phase.steps), (first.chip_time, first.duration)))
    return {
        "hardware_id": hardware_id,
        "chips": max(counts, default=None),
        "chip_seconds": fsum(allocation.chip_seconds(cores) or 0.0 for allocation in phase.hardware),
        "data_text": data.text if data else None,
        "data_found_at": data.found_at if data else None,
        "time_text": time.text if time else None,
        "time_found_at": time.found_at if time else None,
    }


def _words(facts: tuple[Fact | None, ...], owner: Record) -> Quote | None:
    return next((quote for fact in facts if fact for quote in owner.quotes_of(fact)), None)
