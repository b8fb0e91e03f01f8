"""Energy of training: the default load and overhead of each allocation, and sums with their intervals (methods, section 8)."""

from collections.abc import Mapping
from typing import Any

import narwhals as nw

from pipeline.formulas.energy import energy_kwh
from pipeline.formulas.uncertainty import high, low, spread, variance
from pipeline.rules import totals
from pipeline.rules.frames import Frame

SUMMED = {"energy_kwh": ("energy_log_sd",)}
OTHER = "other"  # owners whose data centres no record describes
Cases = Mapping[str, float]


def estimated(
    completed_allocations: Frame, hardware: Frame, models: Frame,
    loads: tuple[Cases, Cases], overheads: tuple[Cases, Cases],
) -> Frame:  # fmt: skip
    """Allocations with the energy that they took, in kWh; null where the chip or its time is not known.

    `loads` and `overheads` have values and log standard deviations: by kind of chip, and by owner and first year ("Google 2013").
    """
    is_tpu = (nw.col("generation") == "tpu").fill_null(False)
    load, load_log_sd = (nw.when(is_tpu).then(nw.lit(each["tpu"])).otherwise(nw.lit(each["gpu"])) for each in loads)
    overhead, overhead_log_sd = (_by_owner(each) for each in overheads)
    known = ~nw.col("power_watts").is_null() & ~nw.col("chip_seconds").is_null()
    return (
        completed_allocations.join(
            hardware.select("hardware_id", "generation", "power_watts"), on="hardware_id", how="left"
        )
        .join(models.select("model_id", "published_year", "parent_organization"), on="model_id", how="left")
        .with_columns(
            chip_load_ratio=nw.when(known).then(load),
            facility_overhead_ratio=nw.when(known).then(overhead),
            energy_log_sd=nw.when(known).then(
                spread(variance(nw.col("chip_seconds_log_sd"), load_log_sd, overhead_log_sd))
            ),
        )
        .with_columns(
            energy_kwh=energy_kwh(
                nw.col("chip_seconds"),
                nw.col("power_watts"),
                nw.col("chip_load_ratio"),
                nw.col("facility_overhead_ratio"),
            )
        )
    )


def of_models(energy_estimates: Frame) -> Frame:
    """One row a model: the sum over its allocations, null where one is not known."""
    return totals.totals(energy_estimates, SUMMED)


def with_interval(frame: Frame) -> Frame:
    """The frame with the 5 % and 95 % points of `energy_kwh`."""
    median, log_sd = nw.col("energy_kwh"), nw.col("energy_log_sd")
    return frame.with_columns(energy_kwh_low=low(median, log_sd), energy_kwh_high=high(median, log_sd))


def _by_owner(cases: Cases) -> Any:
    """The entry of the model's owner, the latest that is not after the year of publication, else the owner's first."""
    by_owner: dict[str, dict[int, float]] = {}
    for case, value in cases.items():
        owner, year = case.rsplit(" ", 1)
        by_owner.setdefault(owner, {})[int(year)] = value
    chain: Any = nw
    for owner, years in sorted(by_owner.items()):
        if owner != OTHER:
            chain = chain.when((nw.col("parent_organization") == owner).fill_null(False)).then(_of_year(years))
    other = _of_year(by_owner[OTHER])
    return other if chain is nw else chain.otherwise(other)


def _of_year(years: Mapping[int, float]) -> Any:
    chain: Any = nw
    for year in sorted(years, reverse=True)[:-1]:
        chain = chain.when(nw.col("published_year") >= year).then(nw.lit(years[year]))
    first = nw.lit(years[min(years)])
    return first if chain is nw else chain.otherwise(first)
