"""Format a user's own training run as text: the MFU, then the account, the forecast, and what was filled in."""

from collections.abc import Callable, Iterator
from typing import Any

from pipeline.answers import account_text
from pipeline.answers.terminal import Aside, Heading, Strong
from pipeline.base.text.numbers import amount, energy, flop, interval, mass, money, number, percent, short_count
from pipeline.publishing.rows import Row
from pipeline.publishing.screen import LABELS
from pipeline.publishing.screen_evidence import word_of
from schemas.vocabulary import CostBasis, HeadlineMethod

Run = dict[str, Any]
METHODS = {  # for each column: the method, its name, the options that it needs, and those that add it
    "operation_count_flop": (
        HeadlineMethod.OPERATION_COUNT,
        "operations",
        "--parameters (or --config) with --tokens, or --images and --epochs, or --steps and --batch",
        "--parameters with --tokens, or --config: a count is more certain than GPU time",
    ),
    "gpu_time_flop": (
        HeadlineMethod.GPU_TIME,
        "GPU time",
        "--chips with --days, or --chip-hours (time is never filled in); for --chips with --hardware, days are"
        " forecast",
        "--chips with --days and --hardware: then GPU time confirms or contradicts the count",
    ),
}
TAKEN = {  # for each rule that forecasts utilization, the reason for its value
    "default": "the default, which logged whole runs of language models reach",
    "whole_runs": "three quarters of the default or of what similar runs reach, because whole runs lose a quarter",
}
# For each amount: its label, its format, and the factors by which chip-hours are multiplied.
AMOUNTS: dict[str, tuple[str, Callable[[float], str], str]] = {
    "energy_kwh": ("energy", energy, "power"),
    "cost_usd": ("cost", money, "price of a chip-hour"),
    "co2_kg": ("CO2", mass, "grid and power"),
}


def screen(account: Any) -> Iterator[str]:
    """Yield an account as text. A user's own run has its MFU or forecast, and any assumed sequence length."""
    yield from _lines(account) if "narrowing" in account else account_text.screen(account)


def _lines(run: Run) -> Iterator[str]:
    account: Any = run
    if any(figure["name"] == "days" for figure in run["filled"]):
        yield Heading("for one day, because neither data nor days are stated")
    number_and_word = "   ".join(filter(None, (account["answer"]["number"], word_of(account))))
    length = run["assumed_length"]
    at_length = f", at an assumed sequence length of {length:,.0f}" if length else ""
    if run["base_model"] and run["own_training_flop"] is not None:
        ends = interval(*(run[f"own_training_flop_{end}"] for end in ("low", "high")))
        yield Strong(f"its own training: {flop(run['own_training_flop'])}, 90 % interval {ends}{at_length}")
        names = {part["model_id"]: part["name"] for part in run["parts"]}
        yield f"with its base model {names.get(run['base_model'], run['base_model'])}: {number_and_word}"
        yield from _mfu(run["mfu"]) if run["mfu"] else ()
    else:
        yield from _mfu(run["mfu"]) if run["mfu"] else ()
        yield Strong(f"training compute: {number_and_word}{at_length}")
    above = account["answer"]["thresholds"]
    yield from [f"  {LABELS['thresholds']:<11}{above}"] if above else []
    yield from account_text.share_of_base(account)
    yield from _operations(run)
    yield from _uncounted_parts(run)
    yield from _forecast(run) if "left_out" in run else ()
    yield from _footprint(run)
    if run["dispute"] and not run["base_model"]:
        yield from account_text.comparison(account)
    yield from account_text.contradictions(account)
    yield from run["remarks"]
    if run.get("taken"):
        yield Heading("taken from the files:")
        yield from ("  {name}: {value} ({place})".format(**taken) for taken in run["taken"])
    if run.get("total_flos"):
        yield _total_of_the_trainer(run)
    if run["filled"]:
        yield Heading("filled in:")
    yield from ("  {name}: {value} ({reason})".format(**figure) for figure in run["filled"])
    if run["narrowing"]:
        whose = " of its own training" if run["base_model"] else ""
        yield Heading(f"what would narrow the interval{whose}:")
        yield from (f"  {limit['how']}" for limit in run["narrowing"])
    yield Aside("every formula, and the basis of the footprint: `estimate --explain`")


def _total_of_the_trainer(run: Run) -> str:
    """Return the total that the trainer states, how far it is from our count, and why."""
    total, count = run["total_flos"], run["parts"][0]["operation_count_flop"]
    if not count:
        return f"the trainer's own total_flos: {flop(total)}"
    why = "6 operations per parameter, without embeddings and attention, and per number of the input (token, pixel)"
    return f"the trainer's own total_flos: {flop(total)}, {total / count:.2g} times our count; it takes {why}"


def explanation(account: Any) -> Iterator[str]:
    """Yield everything behind the number and, for a user's own run, the basis of its footprint and similar runs."""
    if "narrowing" not in account:
        yield from account_text.explanation(account)
        return
    own_part, *bases = account["parts"]
    yield from _uncounted_parts(account)
    if account["mfu"]:
        yield from _mfu(account["mfu"])
    if "left_out" in account:
        own_part = {**own_part, "allocations": account["planned_allocations"]}
    yield from account_text.explanation({**account, "parts": [own_part, *bases]})
    if "left_out" in account:
        yield Heading(f"nearest of the {account['whole_runs_number']} whole runs whose operations are counted:")
        for near in account["nearest_whole_runs"]:
            count = f"{amount(near['chips'])} x " if near["chips"] else ""
            machines = f"{count}{near['hardware_id']}, {near['precision']}"
            share = number(near["utilization_fraction"])
            yield f"  utilization {share}: {near['gold_group_id']}, {near['run']} ({machines})"


def _mfu(mfu: Row) -> Iterator[str]:
    """Yield the share of the chips' peak that this run reached, and the share that similar whole runs reach."""
    like = ""
    if mfu["like_runs_number"]:
        ends = f"{percent(mfu['like_low_fraction'])} to {percent(mfu['like_high_fraction'])}"
        like = f"; {mfu['like_runs_number']} whole runs of this kind: {ends}"
    peak = f"{mfu['peak_flop_per_second'] / 1e12:,.0f} TFLOP/s per chip, dense"
    ends = mfu["fraction_low"] and f" (90 %: {percent(mfu['fraction_low'])} to {percent(mfu['fraction_high'])})"
    yield Strong(f"MFU: {percent(mfu['fraction'])}{ends or ''} of {peak}{like}")
    if mfu["hardware_fraction"] > 1.001 * mfu["fraction"]:
        yield f"HFU: {percent(mfu['hardware_fraction'])}, with the forward pass computed twice"


def _operations(run: Run) -> Iterator[str]:
    """Yield the formulas for the operations of the model's own training."""
    own_part, changes = run["parts"][0], {"counted_forward_flop": None} if run["base_model"] else {}
    phases = [{**phase, **changes} for phase in own_part["phases"] if phase["operation_count_flop"] is not None]
    parts: Any = [{**own_part, "phases": phases, "allocations": []}]
    yield from account_text.formulas({**run, "parts": parts})


def _uncounted_parts(run: Run) -> Iterator[str]:
    """Yield the parts of the network that the count leaves out; with them, the number is a floor."""
    yield from (f"  not counted, so the number is a floor: {part}" for part in run["not_counted"])


def _forecast(run: Run) -> Iterator[str]:
    """Yield the figure that a plan leaves out, the chip-hours and the utilization."""
    yield Heading(f"forecast of {run['left_out']}, at the utilization of whole runs:")
    yield f"  {run['left_out']}: {_words(run, run['solved_for'], number)}"
    yield f"  chip-hours: {_words(run, 'chip_hours', short_count)}"
    yield f"  utilization: {_words(run, 'utilization', number)}"


def _footprint(run: Run) -> Iterator[str]:
    """Yield energy, cost and emissions of a run or plan: of its own training, and in total if it has a base model."""
    chips = run["parts"][0]["allocations"]
    for name, (label, words, _) in AMOUNTS.items() if chips else ():
        if run["base_model"] and "left_out" not in run:  # a plan is of its own training
            if run[f"own_{name}"] is not None:
                total = words(run[name]) if run[name] else "unknown"
                yield f"  {label}: {_words(run, f'own_{name}', words)}; with its base model's {total}"
        elif run[name] is not None:
            bare = sum((row["chip_seconds"] or 0) * (row["power_watts"] or 0) for row in chips) / 3.6e6
            alone = f"; chips only: {energy(bare)}" if name == "energy_kwh" and bare else ""
            yield f"  {label}: {_words(run, name, words)}{alone}"
        elif name == "cost_usd":
            yield f"  cost: {CostBasis(run['cost_basis']).words}"


def _words(run: Run, name: str, words: Callable[[float], str]) -> str:
    """Return an amount with its interval and, for a forecast, the input that widens the interval most."""
    middle, low, high = (run[f"{name}{end}"] for end in ("", "_low", "_high"))
    driver = run.get("interval_drivers", {}).get(name)
    if name in AMOUNTS:
        driver = driver and (AMOUNTS[name][2] if driver == "per_chip_hour" else "chip-hours")
    ends = "" if low == high else f" (90 %: {words(low)} to {words(high)})"
    return f"{words(middle)}{ends}{f'; main uncertainty: {driver}' if driver else ''}"
