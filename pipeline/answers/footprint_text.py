"""Format the energy, cost and greenhouse gas emissions of a training run as text."""

from collections.abc import Iterator
from math import fsum
from typing import Any

from pipeline.answers.terminal import Heading
from pipeline.base.text.numbers import energy, mass, money, number, short_count
from schemas.account import Account
from schemas.vocabulary import CostBasis, GridBasis, OverheadBasis

Row = dict[str, Any]


def lines(account: Account) -> Iterator[str]:
    """Yield energy, cost and emissions of the training run with intervals. Without a cost, yield why."""
    row: Row = account
    yield Heading("energy, cost and carbon")
    for name, column, words in (
        ("energy", "energy_kwh", energy),
        ("cost", "cost_usd", money),
        ("CO2 by the location of the chips", "co2_kg", mass),
    ):  # fmt: skip
        if row[column] is not None:
            ends = f"{words(row[f'{column}_low'])} to {words(row[f'{column}_high'])}"
            yield f"  {name}: {words(row[column])} (90 % interval {ends}){_basis(account, column)}"
            yield from _chip_energy(account) if column == "energy_kwh" else ()
        elif column == "cost_usd":
            yield f"  cost: {CostBasis(row['cost_basis']).words}"
    litres = [chips["water_litres"] for part in account["parts"] for chips in part["allocations"]]
    if litres and row["energy_kwh"] is not None and None not in litres:
        yield f"  water: {short_count(fsum(litres))} litres evaporated by cooling, within a factor of a few"


def _basis(account: Account, column: str) -> str:
    """Return what the cost or the emissions rest on: the nearest prices, or the grid factors; "" for other columns."""
    if column == "cost_usd":
        priced = (chips["nearest_price_date"] for part in account["parts"] for chips in part["allocations"])
        days = sorted({day for day in priced if day})
        words = CostBasis(dict(account)["cost_basis"]).words
        return f": {words}; nominal US dollars; nearest price of {' and '.join(days)}"
    if column == "co2_kg":
        grids = {(chips["grid_place"], chips["grid_year"], chips["grid_basis"]): chips["grid_g_per_kwh"]
                 for part in account["parts"] for chips in part["allocations"]}  # fmt: skip
        return ": " + "; ".join(
            f"{number(grams)} g/kWh, {place} {year} ({GridBasis(basis).words})"
            for (place, year, basis), grams in grids.items()
        )
    return ""


def _chip_energy(account: Account) -> Iterator[str]:
    """Yield one line per combination of server and data centre factors, with the energy of only the chips."""
    kinds: dict[tuple[float, float, str], float] = {}
    for chips in (chips for part in account["parts"] for chips in part["allocations"]):
        if chips["chip_load_ratio"] is not None:  # the power and the time of these chips are known
            kind = chips["chip_load_ratio"], chips["facility_overhead_ratio"], chips["facility_overhead_basis"]
            kinds[kind] = kinds.get(kind, 0) + chips["chip_seconds"] * chips["power_watts"] / 3.6e6
    for (load, overhead, basis), kwh in kinds.items():
        yield (
            f"    chips only, at design power, as in model cards: {energy(kwh)}; x {number(load)} for servers,"
            f" x {number(overhead)} for the data centre ({OverheadBasis(basis).words})"
        )
