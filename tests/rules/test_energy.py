"""Given chip time, chips and owners, the energy of training with its interval."""

import math

import pytest

from pipeline.rules import energy
from schemas.tables.completed_allocations import CompletedAllocations
from schemas.tables.energy_estimates import EnergyEstimates
from schemas.tables.hardware import Hardware
from schemas.tables.models import Models
from tests.builders import by_model, frame

CHIPS = [
    {"hardware_id": "gpu", "generation": "ampere", "power_watts": 400.0},
    {"hardware_id": "tpu", "generation": "tpu", "power_watts": 450.0},
    {"hardware_id": "old", "generation": None, "power_watts": 100.0},
    {"hardware_id": "silent", "generation": "hopper"},
]
LOADS = {"gpu": 1.1, "tpu": 0.7}, {"gpu": 0.2, "tpu": 0.3}
OVERHEADS = (
    {"Owner 2010": 1.2, "Owner 2020": 1.1, "other 2010": 2.0, "other 2015": 1.5},
    {"Owner 2010": 0.01, "Owner 2020": 0.02, "other 2010": 0.3, "other 2015": 0.4},
)


def rows_of(*allocations, year=2021, owner=None):
    timed = [
        {"model_id": "m", "phase": "p", "allocation": index, "hardware_id": chip, "chip_seconds": seconds, "chip_seconds_log_sd": 0.1 if seconds else None}
        for index, (chip, seconds) in enumerate(allocations)
    ]  # fmt: skip
    models = [{"model_id": "m", "published_year": year, "parent_organization": owner}]
    made = energy.estimated(frame(CompletedAllocations, timed), frame(Hardware, CHIPS), frame(Models, models), LOADS, OVERHEADS)  # fmt: skip
    return made.sort("allocation").collect("pyarrow").rows(named=True)


@pytest.mark.parametrize(
    ("chip", "kwh", "log_sd"),
    [
        ("gpu", 400 * 1.1 * 1.5 / 1000, math.hypot(0.1, 0.2, 0.4)),
        ("tpu", 450 * 0.7 * 1.5 / 1000, math.hypot(0.1, 0.3, 0.4)),
        ("old", 100 * 1.1 * 1.5 / 1000, math.hypot(0.1, 0.2, 0.4)),  # a chip of no named generation is no TPU
        ("silent", None, None),
        (None, None, None),
    ],
)
def test_an_hour_of_a_chip(chip, kwh, log_sd):
    (row,) = rows_of((chip, 3600.0))
    assert row["energy_kwh"] == (None if kwh is None else pytest.approx(kwh))
    assert row["energy_log_sd"] == (None if kwh is None else pytest.approx(log_sd))


def test_no_time_no_energy():
    (row,) = rows_of(("gpu", None))
    assert (row["energy_kwh"], row["chip_load_ratio"], row["facility_overhead_ratio"]) == (None, None, None)


@pytest.mark.parametrize(
    ("owner", "year", "overhead"),
    [
        ("Owner", 2025, 1.1),
        ("Owner", 2020, 1.1),
        ("Owner", 2019, 1.2),
        ("Owner", 2005, 1.2),  # its first
        ("Owner + School", 2021, 1.5),  # where it was trained is not said
        ("Somebody", 2021, 1.5),
        ("Somebody", 2014, 2.0),
        (None, 1999, 2.0),
    ],
)
def test_the_overhead_is_that_of_the_owner_and_year(owner, year, overhead):
    assert rows_of(("gpu", 1.0), year=year, owner=owner)[0]["facility_overhead_ratio"] == overhead


@pytest.mark.parametrize(
    ("parts", "kwh", "log_sd"), [([(3.0, 0.5), (1.0, 0.1)], 4.0, 0.4), ([(3.0, 0.5), (None, None)], None, None)]
)
def test_a_model_is_the_sum_of_all_its_allocations(parts, kwh, log_sd):
    rows = [
        {"model_id": "m", "phase": "p", "allocation": index, "energy_kwh": amount, "energy_log_sd": own}
        for index, (amount, own) in enumerate(parts)
    ]
    row = by_model(energy.with_interval(energy.of_models(frame(EnergyEstimates, rows))))["m"]
    assert (row["energy_kwh"], row["energy_log_sd"]) == (kwh, pytest.approx(log_sd) if kwh else None)
    if kwh:
        assert row["energy_kwh_high"] / kwh == pytest.approx(kwh / row["energy_kwh_low"]) == pytest.approx(math.exp(1.644854 * log_sd))  # fmt: skip
