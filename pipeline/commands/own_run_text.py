"""A user's own training run as text: its MFU first, then the account, the forecast, and what was filled in."""

from collections.abc import Callable, Iterator
from typing import Any

from pipeline.base.text.numbers import amount, energy, mass, money, number, percent, short
from pipeline.commands import account_text, footprint_text
from pipeline.commands.terminal import Heading, Strong
from pipeline.publishing.rows import Row
from schemas.vocabulary import CostBasis, HeadlineMethod

Run = dict[str, Any]
METHODS = {  # by column: the method, its basis, the figures that it lacks, and what it would add as the second method
    "operation_count_flop": (
        HeadlineMethod.OPERATION_COUNT,
        "operations",
        "--parameters (or --config) with --tokens, or --images and --epochs, or --steps and --batch",
        "--parameters with --tokens, or --config: a count is known better than GPU time",
    ),
    "gpu_time_flop": (
        HeadlineMethod.GPU_TIME,
        "GPU time",
        "--chips with --days, or --chip-hours (time is never filled); of --chips with --hardware days are forecast",
        "--chips with --days and --hardware: then GPU time confirms or contradicts the count",
    ),
}
TAKEN = {  # reasons for the utilization of a future run
    "default": "the default, which logged whole runs of language models reach",
    "whole_runs": "three quarters of what measurements of similar runs predict, because whole runs lose a quarter",
}
AMOUNTS: dict[str, tuple[str, Callable[[float], str]]] = {  # amounts of a forecast: label and format
    "chip_hours": ("chip-hours", short),
    "utilization": ("utilization", number),
    "energy_kwh": ("energy", energy),
    "cost_usd": ("cost", money),
    "co2_kg": ("CO2", mass),
}
PER_CHIP_HOUR = {"energy_kwh": "power", "cost_usd": "price of a chip-hour", "co2_kg": "grid and power"}


def screen(account: Any) -> Iterator[str]:
    """Yield an account as text; for a user's own run, with its MFU or forecast."""
    return lines(account) if "narrowing" in account else account_text.screen(account)


def lines(run: Run) -> Iterator[str]:
    """Yield the answer as text; the first line states it if the sequence length is assumed."""
    first, *rest = _lines(run)
    length = run["assumed_length"]
    yield type(first)(f"{first}, at an assumed sequence length of {length:,.0f}") if length else first
    yield from rest


def _lines(run: Run) -> Iterator[str]:
    account: Any = run
    is_plan = "left_out" in run
    if any(each["name"] == "days" for each in run["filled"]):
        yield Heading("of one day, as neither data nor days are stated:")
    if run["mfu"]:
        yield from _mfu(run["mfu"])
    yield from account_text.number_of(account)
    yield from account_text.how_made(account)
    if run["threshold_total"] is not None:
        yield account_text.chances(account)
    yield from account_text.share_of_base(account)
    yield from account_text.formulas(_known_parts(account, is_plan=is_plan))
    yield from _forecast(run) if is_plan else footprint_text.lines(account)
    for column, (_, name, how, _) in METHODS.items():
        if run[column] is None and not is_plan:
            yield f"by {name}: unknown; state {how}"
    yield from account_text.comparison(account)
    yield from account_text.inconsistent(account)
    yield from run["remarks"]
    if run["filled"]:
        yield Heading("filled in:")
    yield from ("  {name}: {value} ({reason})".format(**each) for each in run["filled"])
    if run["narrowing"]:
        whose = " of its own training" if run["base_model"] else ""
        yield Heading(f"what would narrow the interval{whose}:")
        yield from (f"  {each['how']}" for each in run["narrowing"])


def _mfu(mfu: Row) -> Iterator[str]:
    """Yield the share of the chips' peak that the operations reached, and the share that similar whole runs reach."""
    like = ""
    if mfu["like_runs_number"]:
        ends = f"{percent(mfu['like_low_fraction'])} to {percent(mfu['like_high_fraction'])}"
        like = f"; {mfu['like_runs_number']} whole runs of this kind: {ends}"
    peak = f"{mfu['peak_flop_per_second'] / 1e12:,.0f} TFLOP/s per chip, dense"
    yield Strong(f"MFU: {percent(mfu['fraction'])} of {peak}{like}")
    if mfu["hardware_fraction"] > 1.001 * mfu["fraction"]:
        yield f"HFU: {percent(mfu['hardware_fraction'])}, with the forward pass computed twice"


def _forecast(run: Run) -> Iterator[str]:
    """Yield the forecast as text."""
    yield Heading(f"forecast of {run['left_out']}, at the utilization of whole runs:")
    yield f"  {run['left_out']}: {_words(run, run['solved_for'], number)}"
    for name, (label, words) in AMOUNTS.items():
        if run[name] is not None:
            yield f"  {label}: {_words(run, name, words)}"
        elif name == "cost_usd":
            yield f"  cost: {CostBasis(run['cost_basis']).words}"
    yield f"  nearest of {run['whole_runs_number']} whole runs whose operations are counted:"
    for near in run["nearest_whole_runs"]:
        count = f"{amount(near['chips'])} x " if near["chips"] else ""
        machines = f"{count}{near['hardware_id']}, {near['precision']}"
        yield f"    utilization {number(near['utilization_fraction'])}: {near['gold_group_id']}, {near['run']} ({machines})"


def _words(run: Run, name: str, words: Callable[[float], str]) -> str:
    """Return an amount with its interval, and the factor that contributes most to the interval."""
    middle, low, high = (run[f"{name}{end}"] for end in ("", "_low", "_high"))
    driver = run["interval_drivers"].get(name)
    if name in PER_CHIP_HOUR:
        driver = driver and (PER_CHIP_HOUR[name] if driver == "per_chip_hour" else "chip-hours")
    ends = "" if low == high else f" (90 %: {words(low)} to {words(high)})"
    return f"{words(middle)}{ends}{f'; widest: {driver}' if driver else ''}"


def _known_parts(account: Any, *, is_plan: bool) -> Any:
    """Return the account without phases and chips about which nothing is known, or whose utilization the operations give."""
    is_measured = account["mfu"] is not None and account["mfu"]["is_measured"]
    if not is_plan and not is_measured:
        return account
    known = {"phases": "operation_count_flop", "allocations": "gpu_time_flop"}
    parts = [
        {**part, **{rows: [row for row in part[rows] if row[flop] is not None] for rows, flop in known.items()}}
        for part in account["parts"]
    ]
    if is_measured:
        parts[0]["allocations"] = []
    return {**account, "parts": parts}
