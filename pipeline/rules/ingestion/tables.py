"""The tables of facts, each with the function that makes its rows from records."""

from collections.abc import Callable, Iterable

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
)
from schemas.params import Params
from schemas.records import Records

RULES = {  # for each module, the tables made by its functions of the same names
    models: "models lineages contributions",
    organizations: "organizations organization_parents",
    runs: "runs allocations",
    hardware: "peaks",
    prices: "hardware_prices grid_factors",
    defaults: "defaults year_peaks",
    architectures: "layers",
    facts: "sources facts quotes places fact_quotes identifiers keys missing_facts",
    measurements: "measurements benchmark_runs executed_flop reported_utilizations rejected_measurements",
    gold_runs: "logged_runs",
    external: "external_estimates blind_test errata adjudications watched_sources",
    readings: "second_readings",
}


def _of_records(rule: Callable[[Records], Iterable[Row]]) -> Callable[[Records, Params], Iterable[Row]]:
    return lambda records, params: rule(records)


INGESTED: dict[str, Callable[[Records, Params], Iterable[Row]]] = {
    "hardware": lambda records, params: hardware.hardware(records, params.ingest.fast_16bit_ratio),
    **{name: _of_records(getattr(module, name)) for module, names in RULES.items() for name in names.split()},
}
