"""Plant slips in records and check which of them `validate` refuses: `make hostile SEEDS="9001 9002"`.

Only slips that change a FLOP column when the checks are off count.
"""

import argparse
import copy
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any, NamedTuple

from pydantic import ValidationError

from pipeline.architectures import placed_layers
from pipeline.architectures.network import ArchitectureError, Lengths
from pipeline.base.paths import RECORDS
from pipeline.base.text.numerals import amounts
from pipeline.engines import in_memory
from pipeline.models import sql
from pipeline.records import loading, params, yaml_text
from pipeline.records.checks.chips import Chips
from pipeline.records.checks.links import CrossChecks
from pipeline.records.checks.record import LoadedRecord
from pipeline.records.checks.siblings import SiblingChecks, Siblings
from pipeline.records.checks.single_record import OwnChecks
from pipeline.rules import plausibility
from schemas.arithmetic import arithmetic
from schemas.records import Model, Records
from schemas.vocabulary import Domain, ExampleUnit, Precision

FLOP = ("operation_count_flop", "gpu_time_flop", "reported_flop")
MOVED = 1.005  # a factor
DISPUTE_RATIO = params.load().reconcile.dispute_ratio
NODE = 8  # chips
FIRST = re.compile(r"\d+(?:\.\d+)?(?:e[+-]?\d+)?")
TIMES = dict(
    two.split(":") for two in "hour:day day:week week:day minute:hour chip_hour:chip_day chip_day:chip_hour".split()
)
UNSEEN = "a fact left out"  # nothing to compare
Record = dict[str, Any]
Slip = Callable[[Record, random.Random, bool], bool]  # a function that plants a slip and returns whether it could


class Mutant(NamedTuple):
    """A record with one slip."""

    kind: str
    identifier: str
    content: Record


def facts(record: Record, key: str) -> list[Record]:
    """Return the facts with this name, of the record or its phases."""
    phases = record.get("training") or []
    owners = [record, *phases, *(chips for phase in phases for chips in phase.get("hardware") or [])]
    return [owner[key] for owner in owners if isinstance(owner.get(key), dict) and "value" in owner[key]]


def scaled(factor: float, *keys: str, only: str = "") -> Slip:
    """Return the slip that multiplies one of these facts; `only` is a key that the fact must have, such as `via`."""

    def plant(record: Record, dice: random.Random, is_dressed: bool) -> bool:
        candidates = [
            fact for key in keys for fact in facts(record, key) if not only or (only in fact and "quote" not in fact)
        ]
        return bool(candidates) and put(dice.choice(candidates), lambda number: number * factor, is_dressed=is_dressed)

    return plant


def put(fact: Record, change: Callable[[float], float], *, is_dressed: bool) -> bool:
    """Change the number of a fact, and return whether it differs. In a dressed slip, `derived` matches it."""
    number, space, unit = str(fact["value"]).partition(" ")
    with suppress(ValueError):
        changed = f"{change(float(number)):.12g}"
        fact["value"] = f"{changed}{space}{unit}" if unit else float(changed)
        if is_dressed:
            repeated = FIRST.sub(lambda first: f"{change(float(first[0])):.12g}", str(fact.get("derived", "")), count=1)
            result = arithmetic(repeated)
            is_repeated = result is not None and math.isclose(result, float(changed), rel_tol=1e-3)
            fact["derived"] = repeated if is_repeated else changed
        return changed != f"{float(number):.12g}"
    return False


def time_unit(record: Record, dice: random.Random, is_dressed: bool) -> bool:
    times = [fact for key in ("duration", "chip_time") for fact in facts(record, key)]
    fact = dice.choice(times) if times else {"value": ""}
    number, _, unit = str(fact["value"]).partition(" ")
    if unit not in TIMES:
        return False
    fact["value"] = f"{number} {TIMES[unit]}"
    if is_dressed:
        fact["derived"] = fact.get("derived", number)
    return True


def transposed(record: Record, dice: random.Random, is_dressed: bool) -> bool:
    keys = ("parameters", "examples", "batch", "steps", "chips", "duration", "chip_time")
    numbers = [fact for key in keys for fact in facts(record, key)]

    def exchange(number: float) -> float:
        digits = f"{number:.12e}"
        return float(re.sub(r"^(\d)\.(\d)", lambda two: f"{two[2]}.{two[1]}", digits)) if digits[2] != "0" else number

    return bool(numbers) and put(dice.choice(numbers), exchange, is_dressed=is_dressed)


def nodes(record: Record, dice: random.Random, is_dressed: bool) -> bool:
    chips = [fact for fact in facts(record, "chips") if isinstance(fact["value"], int) and fact["value"] % NODE == 0]
    return bool(chips) and put(dice.choice(chips), lambda number: number / NODE, is_dressed=is_dressed)


def example_unit(record: Record, dice: random.Random, is_dressed: bool) -> bool:
    phase = dice.choice(record.get("training") or [{}])
    others = [unit.value for unit in ExampleUnit if unit.value != phase.get("example_unit")]
    phase["example_unit"] = dice.choice(others)
    return not is_dressed and "phase" in phase


def word(key: str, others: Callable[[Record], Iterable[str]]) -> Slip:
    """Return the slip that replaces a fact's word by another."""

    def plant(record: Record, dice: random.Random, is_dressed: bool) -> bool:
        candidates = facts(record, key)
        if not candidates:
            return False
        fact = dice.choice(candidates)
        fact["value"] = dice.choice([other for other in others(record) if other != fact["value"]])
        if is_dressed:
            fact["derived"] = str(fact["value"])
        return True

    return plant


def year(record: Record, dice: random.Random, is_dressed: bool) -> bool:
    published = str(record["published"])
    record["published"] = f"{int(published[:4]) + dice.choice([-1, 1])}{published[4:]}"
    return not is_dressed and published[4:] != "-02-29"


def domain(record: Record, dice: random.Random, is_dressed: bool) -> bool:
    record["domain"] = dice.choice([other.value for other in Domain if other.value != record["domain"]])
    return not is_dressed


def left_out(record: Record, dice: random.Random, is_dressed: bool) -> bool:
    phases = record.get("training") or []
    owners = [*phases, *(chips for phase in phases for chips in phase.get("hardware") or [])]
    named = ("examples", "epochs", "steps", "batch", "chips", "duration", "chip_time")
    places = [(owner, key) for owner in owners for key in named if key in owner]
    if places and not is_dressed:
        owner, key = dice.choice(places)
        del owner[key]
    return bool(places) and not is_dressed


def another_number(key: str) -> Slip:
    """Return the slip that takes another number of the fact's quote, of about its magnitude."""

    def plant(record: Record, dice: random.Random, is_dressed: bool) -> bool:
        places = []
        for fact in facts(record, key):
            names = fact.get("quote") or []
            texts = [record["quotes"][name]["text"] for name in ([names] if isinstance(names, str) else names)]
            stated = amount_of(fact)
            worths = [worth for text in texts for number in amounts(text) for worth in number.worths]
            places += [
                (fact, worth) for worth in worths if stated and 1e-3 < worth / stated < 1e3 and not near(worth, stated)
            ]
        if not places:
            return False
        fact, worth = dice.choice(places)
        return put(fact, lambda _: worth, is_dressed=is_dressed)

    return plant


def amount_of(fact: Record) -> float | None:
    """Return the number of a fact as written, without its unit."""
    with suppress(ValueError):
        return float(str(fact.get("value")).partition(" ")[0]) or None
    return None


def near(one: float, other: float) -> bool:
    """Return whether two numbers differ by at most 10 %."""
    return math.isclose(one, other, rel_tol=0.1)


def forgotten(*keys: str) -> Slip:
    """Return the slip that leaves out one of these keys, of the record or a phase."""

    def plant(record: Record, dice: random.Random, is_dressed: bool) -> bool:
        owners = [(owner, key) for owner in (record, *(record.get("training") or [])) for key in keys if owner.get(key)]
        if owners and not is_dressed:
            owner, key = dice.choice(owners)
            del owner[key]
        return bool(owners) and not is_dressed

    return plant


def total_for_active(record: Record, dice: random.Random, is_dressed: bool) -> bool:
    total, active = record.get("parameters"), record.get("active_parameters")
    if not isinstance(total, dict) or not isinstance(active, dict) or not {"value", "quote"} <= total.keys():
        return False
    record["active_parameters"] = dict(total)
    return True


def epochs_twice(record: Record, dice: random.Random, is_dressed: bool) -> bool:
    for phase in record.get("training") or []:
        examples, epochs = phase.get("examples"), phase.get("epochs")
        passes = amount_of(epochs) if isinstance(epochs, dict) and "value" in epochs else None
        if isinstance(examples, dict) and passes and passes > 1.1 and amount_of(examples):
            before = examples.get("derived", f"{amount_of(examples):.12g}")
            if put(examples, lambda number, passes=passes: number * passes, is_dressed=False):
                examples |= {"derived": f"{before} * {passes:.12g}"} if is_dressed else {}
                return True
    return False


def data_of_base(contents: Mapping[str, Record]) -> Slip:
    """Return the slip that takes the examples of the base model, with their quotes."""

    def plant(record: Record, dice: random.Random, is_dressed: bool) -> bool:
        base = record.get("base_model")
        theirs = contents.get(base["value"] if isinstance(base, dict) else str(base))
        of_base = next(
            (phase["examples"] for phase in (theirs or {}).get("training") or [] if phase.get("examples")), None
        )
        ours = next((phase for phase in record.get("training") or [] if isinstance(phase.get("examples"), dict)), None)
        if not theirs or ours is None or not of_base or not of_base.get("quote"):
            return False
        names = [of_base["quote"]] if isinstance(of_base["quote"], str) else of_base["quote"]
        own_source = next(iter(record["sources"]))
        for name in names:
            record["quotes"][f"base-{name}"] = theirs["quotes"][name] | {"source": own_source}
        ours["examples"] = of_base | {"quote": [f"base-{name}" for name in names]}
        return True

    return plant


def slips(records: Records, contents: Mapping[str, Record]) -> dict[str, Slip]:
    """Return the kinds of slip by name."""

    def fitting(record: Record) -> list[str]:
        return [
            name for name, chip in records.hardware.items()
            if chip.released and chip.released.value[:4] <= str(record["published"])[:4]
        ]  # fmt: skip

    times_ten = {
        f"{key} x 10": scaled(10.0, key)
        for key in ("parameters", "examples", "batch", "steps", "epochs", "chips", "duration", "chip_time")
    }
    words = {f"{key}, magnitude": scaled(1e-3, key) for key in ("parameters", "examples", "steps", "batch")}
    cells = ("parameters", "examples", "chips", "duration", "chip_time", "reported_flop", "epochs", "batch")
    return {
        **times_ten, **words, "examples / 10": scaled(0.1, "examples"), "reported_flop x 10": scaled(10.0, "reported_flop"),
        "sequence_length x 10": scaled(10.0, "sequence_length"), "unit of time": time_unit, "unit of examples": example_unit, "nodes for chips": nodes,
        "year": year, "domain": domain, "chip": word("chip", fitting), "format": word("precision", lambda _: [*map(str, Precision)]),
        **{f"{key}, another number of the quote": another_number(key) for key in ("examples", "batch", "duration", "chips", "steps")},
        "a forgotten switch": forgotten("is_forward_only", "has_frozen_weights"), "total for active parameters": total_for_active,
        "examples x epochs": epochs_twice, "the base's data": data_of_base(contents), "the cluster's chips": scaled(4.0, "chips"),
        "digits transposed": transposed, "a cell of a table": scaled(10.0, *cells, only="via"), UNSEEN: left_out,
    }  # fmt: skip


def drawn(
    records: Records, contents: Mapping[str, Record], seed: int, number: int, *, is_dressed: bool
) -> Iterator[Mutant]:
    """Yield up to `number` mutants of each kind, from randomly drawn records."""
    for kind, slip in slips(records, contents).items():
        dice, left = random.Random(f"{seed} {kind}"), number
        for identifier in dice.sample(sorted(contents), len(contents)):
            content = copy.deepcopy(contents[identifier])
            if left and slip(content, dice, is_dressed):
                left -= 1
                yield Mutant(kind, identifier, content)


class Judge:
    """The results of `validate` for one record among all others."""

    def __init__(self, records: Records) -> None:
        self.records, self.chips = records, Chips(records)
        self.organizations, self.siblings = records.organization_ids(), Siblings(records)

    def loaded(self, mutant: Mutant) -> LoadedRecord | None:
        """Return the record of a mutant; None if its shape is invalid or it has no network: no column could change."""
        with suppress(ValidationError, ArchitectureError):
            model = Model.model_validate(mutant.content)
            for phase in model.training:
                if architecture := model.architecture_of(phase):
                    placed_layers(architecture.settings, Lengths(*phase.sequence_lengths))
            text, file = yaml_text.Text(mutant.content, ""), str(RECORDS / "models" / f"{mutant.identifier}.yaml")
            return LoadedRecord("models", mutant.identifier, model, text, file)
        return None

    def mistakes(self, loaded: LoadedRecord) -> list[str]:
        """Return the fields with mistakes, except those found by comparing the record's two methods."""
        checks = (
            OwnChecks(loaded),
            CrossChecks(loaded, self.records, self.chips, self.organizations),
            SiblingChecks(loaded, self.siblings),
        )
        return [mistake.field for check in checks for mistake in check.mistakes()]

    def remarks(self, loaded: LoadedRecord, row: Mapping[str, Any]) -> bool:
        """Return whether `validate` remarks more on a record than before its slip."""
        before = LoadedRecord(
            "models", loaded.identifier, self.records.models[loaded.identifier], loaded.text, loaded.file
        )
        more = len([*OwnChecks(loaded).remarks()]) > len([*OwnChecks(before).remarks()])
        are_both = plausibility.two_methods(row) is not None
        return more or (are_both and plausibility.are_far_apart(row, DISPUTE_RATIO) and not loaded.record.dispute)

    def counted(self, models: Mapping[str, Model]) -> dict[str, Mapping[str, Any]]:
        """Return both methods of these models by id, as if none had a base model."""
        alone = {name: model.model_copy(update={"base_model": []}) for name, model in models.items()}
        few = replace(self.records, models=alone, measurements={}, errata={})
        rows = sql.rows(in_memory.make(["reconciliations"], few, params.load())["reconciliations"])
        return {row["model_id"]: row for row in rows}


def moved(before: Mapping[str, Any], after: Mapping[str, Any]) -> bool:
    """Return whether a FLOP column differs between two rows."""
    return any(
        (before[name] is None) != (after[name] is None)
        or (before[name] and not 1 / MOVED < after[name] / before[name] < MOVED)
        for name in FLOP
    )


def verdicts(judge: Judge, mutants: Iterable[Mutant]) -> Iterator[tuple[Mutant, str]]:
    """Yield each mutant with a valid shape: refused, passed, or without effect on any FLOP column."""
    planted = {f"{mutant.identifier}--{place}": mutant for place, mutant in enumerate(mutants)}
    read = {name: loaded for name, mutant in planted.items() if (loaded := judge.loaded(mutant))}
    before = judge.counted(
        {name: judge.records.models[name] for name in {mutant.identifier for mutant in planted.values()}}
    )
    after = judge.counted({name: loaded.record for name, loaded in read.items()})
    above = plausibility.runs_above_peak(after.values())
    for name, loaded in read.items():
        is_refused = name in above or judge.mistakes(loaded)
        verdict = "refused" if is_refused else "remarked" if judge.remarks(loaded, after[name]) else "passed"
        yield planted[name], verdict if moved(before[planted[name].identifier], after[name]) else "moves nothing"


def table(counts: Mapping[str, Counter[str]]) -> Iterator[str]:
    """Yield the report: for each kind, the share refused or remarked on among slips that change a FLOP column."""
    columns = ("refused", "remarked", "passed", "moves nothing")
    yield f"{'slip':<36}{''.join(f'{name:>15}' for name in columns)}{'noticed %':>11}"
    comparable = sum((verdicts for kind, verdicts in counts.items() if kind != UNSEEN), Counter())
    for kind, count in [*counts.items(), (f"all but {UNSEEN}", comparable)]:
        noticed = count["refused"] + count["remarked"]
        moving = noticed + count["passed"]
        share = f"{100 * noticed / moving:.1f}" if moving else "-"
        yield f"{kind:<36}{''.join(f'{count[name]:>15}' for name in columns)}{share:>11}"


def main() -> None:
    """Print the report for bare slips, and for slips that `derived` repeats."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seeds", nargs="*", type=int, default=[1], help="by which records are drawn")
    parser.add_argument("--number", type=int, default=10, help="mutants of a kind and seed")
    parser.add_argument("--passing", action="store_true", help="name each slip that moves a FLOP column and passes")
    options = parser.parse_args()
    records = loading.load([RECORDS])
    texts = {name: yaml_text.read(RECORDS / "models" / f"{name}.yaml", name)[0] for name in records.models}
    contents = {name: text.content for name, text in texts.items() if text and "like" not in text.content}
    judge = Judge(records)
    for is_dressed in (False, True):
        counts: dict[str, Counter[str]] = {}
        for seed in options.seeds:
            mutants = drawn(records, contents, seed, options.number, is_dressed=is_dressed)
            for mutant, verdict in verdicts(judge, mutants):
                counts.setdefault(mutant.kind, Counter())[verdict] += 1
                if options.passing and verdict == "passed":
                    print(f"  {mutant.kind} in {mutant.identifier}")
        print(f"\nslips {'with a derived that repeats them' if is_dressed else 'as they are'}, seeds {options.seeds}")
        print("\n".join(table(counts)))


if __name__ == "__main__":
    main()
