"""The tables of facts, each with the function that makes its rows from records."""

from collections.abc import Callable, Iterable
from typing import Any

from pipeline.models.sql import Row
from pipeline.rules.ingestion import (
    architectures,
    defaults,
    external,
    facts,
    gold_runs,
    hardware,
    measurements,
    models,
    organizations,
    prices,
    readings,
    runs,
    watched,
)
from schemas.params import Params
from schemas.records import Records

Rule = Callable[[Records], Iterable[Row]]


def _of_records(rule: Rule) -> Callable[[Records, Params], Iterable[Row]]:
    return lambda records, params: rule(records)


def _hardware(records: Records, params: Params) -> Iterable[Row]:
    return hardware.hardware(records, params.ingest.fast_16bit_ratio)


INGESTED: dict[str, Any] = {
    "models": _of_records(models.models),
    "lineages": _of_records(models.lineages),
    "contributions": _of_records(models.contributions),
    "organizations": _of_records(organizations.organizations),
    "organization_parents": _of_records(organizations.organization_parents),
    "runs": _of_records(runs.runs),
    "allocations": _of_records(runs.allocations),
    "hardware": _hardware,
    "peaks": _of_records(hardware.peaks),
    "hardware_prices": _of_records(prices.hardware_prices),
    "grid_factors": _of_records(prices.grid_factors),
    "defaults": _of_records(defaults.defaults),
    "year_peaks": _of_records(defaults.year_peaks),
    "layers": _of_records(architectures.layers),
    "sources": _of_records(facts.sources),
    "facts": _of_records(facts.facts),
    "quotes": _of_records(facts.quotes),
    "places": _of_records(facts.places),
    "fact_quotes": _of_records(facts.fact_quotes),
    "measurements": _of_records(measurements.measurements),
    "logged_runs": _of_records(gold_runs.logged_runs),
    "benchmark_runs": _of_records(measurements.benchmark_runs),
    "executed_flop": _of_records(measurements.executed_flop),
    "identifiers": _of_records(facts.identifiers),
    "keys": _of_records(facts.keys),
    "missing_facts": _of_records(facts.missing_facts),
    "reported_utilizations": _of_records(measurements.reported_utilizations),
    "rejected_measurements": _of_records(measurements.rejected_measurements),
    "external_estimates": _of_records(external.external_estimates),
    "errata": _of_records(external.errata),
    "adjudications": _of_records(external.adjudications),
    "watched_sources": _of_records(watched.watched_sources),
    "second_readings": _of_records(readings.second_readings),
}
