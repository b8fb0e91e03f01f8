"""Explanation of one estimate as text: its inputs with evidence and source, its formulas with their numbers, its result."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

from pipeline.commands.account import Tables, Written, one
from pipeline.commands.output import number, prose
from pipeline.commands.terminal import Heading, Strong
from pipeline.publishing import headline_text
from schemas.vocabulary import INDEPENDENCE, OUTCOMES, SEPARATOR, Evidence, Independence, Outcome, UtilizationKind

Record = dict[str, Any]  # the content of its file
LONGEST_VALUE = 200  # characters of a fact's value, such as a list of layers
SCALED = re.compile(
    r"\s*(\*\s*(10*|1?e\d+|10\*\*\d+)|/\s*100)(?![\d.*])"
)  # "93M" and "46 %" are number words for the value, no arithmetic
DERIVED = {"quoted": "derived from quoted words", "table": "derived from a table"}
RULES = {  # reason of a precision, by `precision_rule`
    "stated": "stated",
    "only_format": "the chip's only format",
    "no_fast_16bit": "the chip has no fast 16-bit format",
    "large_industry_run": "filled: large runs of industry take the chip's fastest 16-bit format, bf16 where fp16 is no faster",
    "before_sixteen_bit": "filled: published before 16-bit training was usual",
    "best_sixteen_bit": "filled: the chip's fastest 16-bit format, bf16 where fp16 is no faster",
}


def summary(tables: Tables, identifier: str) -> list[str]:
    """The result of one model in a few lines, with signs of an error, and the missing facts where there is no estimate."""
    return [*_headline(tables, identifier), *_missing(tables, identifier)]


def explanation(tables: Tables, identifier: str, written: Written) -> list[str]:
    """Everything behind one model's estimate, one line an item; `written` has the records of its tables, as `account.written`."""
    name = written["models", identifier]["name"]
    lines: list[str] = [Heading(f"{name} ({identifier})"), *_headline(tables, identifier), ""]
    for part in sorted(row["part_id"] for row in tables["lineages"] if row["model_id"] == identifier):
        is_base = part != identifier
        lines += (
            [Heading(f"{'Base model ' if is_base else ''}{part}"), ""] if is_base or len(tables["models"]) > 1 else []
        )
        lines += [Heading("Facts"), *_facts(part, tables, written), *_remarks(written["models", part]), ""]
        lines += [Heading("Method 1: counting operations"), *_counted(part, tables), ""]
        lines += [Heading("Method 2: GPU time x peak x utilization"), *_timed(part, tables, written), ""]
    return [*lines, Heading("Headline"), *_reasons(tables, identifier), *_missing(tables, identifier)]


def _number(value: float | None, unit: str = "FLOP") -> str:
    return "unknown" if value is None else f"{number(value, 4)} {unit}".rstrip()


def _headline(tables: Tables, identifier: str) -> Iterator[str]:
    row = one(tables["estimates"], model_id=identifier)
    if row["training_flop"] is None:
        yield "training compute: unknown"
    else:
        interval = f"90 % interval {number(row['training_flop_low'])} to {number(row['training_flop_high'])}"
        yield Strong(f"training compute: {_number(row['training_flop'])} ({interval}; {row['headline_method']})")
        yield headline_text.certainty(row)
    yield f"by operations: {_number(row['operation_count_flop'])}{_aside(row['operation_count_basis'])}"
    if row["gpu_time_flop"] is None:
        yield "by GPU time: unknown"
    else:
        informed = f"{_number(row['gpu_time_informed_flop'])} at {row['utilization_fraction']:.3g}{_aside(row['utilization_basis'])}"
        yield f"by GPU time: {_number(row['gpu_time_flop'])} at the default utilization, {informed}"
    why = headline_text.unused_report(_reconciled(tables, identifier))
    yield f"reported by its authors: {_number(row['reported_flop'])}{f' (not used: {why})' if why else ''}"
    yield from _agreement(row, tables)
    if row["imputed_inputs"]:
        yield f"filled by defaults: {row['imputed_inputs']}"
    for run in tables["completed_runs"]:
        if run["is_examples_inconsistent"]:
            yield (
                f"{run['model_id']} {run['phase']}: its steps x batch do not go with its examples and epochs;"
                f" {_number(run['examples_seen'], 'examples')} are counted. Is batch in the unit of the examples?"
            )


def _reconciled(tables: Tables, identifier: str) -> list[dict[str, Any]]:
    """The rows of `reconciliations` of the model, first, and of its base models."""
    own = {row["part_id"] for row in tables["lineages"] if row["model_id"] == identifier}
    rows = [row for row in tables["reconciliations"] if row["model_id"] in own]
    return sorted(rows, key=lambda row: (row["model_id"] != identifier, row["model_id"]))


def _reasons(tables: Tables, identifier: str) -> Iterator[str]:
    row = one(tables["estimates"], model_id=identifier)
    sentence = one(tables["sentences"], model_id=identifier)["headline_sentence"]
    for line in headline_text.lines(_reconciled(tables, identifier), sentence, row["training_flop"]):
        yield f"  {prose(line)}"


def _agreement(row: dict[str, Any], tables: Tables) -> Iterator[str]:
    if row["method_ratio"] is None:
        return
    from pipeline.records import params

    limit = params.load().reconcile.dispute_ratio
    verdict = (
        f"disputed, likeliest cause: {row['dispute_cause']}"
        if row["is_disputed"]
        else f"the methods agree within {limit:g}x"
    )
    implied = f"implied utilization {row['implied_utilization_fraction']:.3g}"
    yield f"ratio of operations to GPU time: {row['method_ratio']:.3g}; {verdict}; {implied}"
    if said := INDEPENDENCE[Independence(row["independence"])]:
        yield said
    yield from headline_text.dispute(one(tables["sentences"], model_id=row["model_id"]))


def _remarks(model: Record) -> Iterator[str]:
    if model.get("note"):
        yield f"  note: {model['note']}"
    if model.get("missing"):
        yield f"  looked for and not found: {', '.join(map(_sought, model['missing']))}"


def _aside(basis: str | None) -> str:
    return f" ({basis})" if basis else ""


def _facts(part: str, tables: Tables, written: Written) -> Iterator[str]:
    named = {
        allocation["hardware_id"] for allocation in tables["completed_allocations"] if allocation["model_id"] == part
    }
    shown: dict[str, str] = {}
    quotes = defaultdict(list)
    for row in tables["fact_quotes"]:
        quotes[row["record_kind"], row["record_id"], row["path"]].append(row)
    for fact in tables["facts"]:
        is_peak = fact["record_kind"] == "hardware" and fact["record_id"] in named and fact["path"].startswith("peaks")
        if not is_peak and (fact["record_kind"], fact["record_id"]) != ("models", part):
            continue
        record = written[fact["record_kind"], fact["record_id"]]
        how = f"; worked out: {fact['derived']}{_assumed(fact, record)}" if fact["derived"] else ""
        where = f"{fact['record_id']} {fact['path']}" if is_peak else fact["path"]
        again = shown.get(where.split(" (")[0]) == fact["written"]  # the same value with another piece of evidence
        shown[where] = fact["written"]
        value = "the same" if again else _shortened(fact["written"])
        seen = _seen(fact, quotes[fact["record_kind"], fact["record_id"], fact["path"]], record)
        yield f"  {where} = {value} [{_evidence(fact)}] {seen}{how}{_outcome(fact, record)}{_unused(fact, record)}"


def _sought(missing: str | Record) -> str:
    if isinstance(missing, str):
        return missing
    where = [f"in {' and '.join(missing['looked_in'])}"] if missing.get("looked_in") else []
    settled = [f"{missing['would_settle']} would settle it"] if missing.get("would_settle") else []
    return f"{missing['fact']} ({'; '.join([*where, *settled])})" if where or settled else str(missing["fact"])


def _assumed(fact: dict[str, Any], record: Record) -> str:
    """What the arithmetic assumes, and why."""
    if not fact["assumptions"] or fact["record_kind"] != "models":
        return ""
    from schemas.records import Assumption

    assumed = {
        name: Assumption.model_validate(record["assumptions"][name]) for name in fact["assumptions"].split(SEPARATOR)
    }
    return "".join(f", {name} assumed as {each.written}: {each.reason}" for name, each in assumed.items())


def _seen(fact: dict[str, Any], quotes: list[dict[str, Any]], record: Record) -> str:
    """The publications of a fact, the places in them and the words."""
    if quotes:
        return "; ".join(f'{_cited(record, each["source"], each["locator"])}: "{each["text"]}"' for each in quotes)
    if fact["evidence"] == Evidence.ASSUMED:
        return "no source states it"
    if fact["source"] is None:
        return "stated in the record, without a source"
    how = f"via {fact['via']}" if fact["via"] else "wording not read"
    return f"{_cited(record, fact['source'])}: {how}"


def _cited(record: Record, key: str, locator: str | None = None) -> str:
    source = record["sources"][key]
    return ", ".join(filter(None, (source["title"], source.get("url"), locator)))


def _shortened(written: str) -> str:
    """A value short enough for a line: the number and kinds of layers of a long list, else the beginning."""
    if len(written) <= LONGEST_VALUE:
        return written
    if written.startswith('[{"kind"'):
        kinds = Counter(layer["kind"] for layer in json.loads(written))
        return f"{kinds.total()} layers: {', '.join(f'{number} {kind}' for kind, number in kinds.items())}"
    return f"{written[:LONGEST_VALUE]}…"


def _evidence(fact: dict[str, Any]) -> str:
    """The evidence of a fact; where its value was derived, how."""
    derived = SCALED.sub("", re.sub(r"(?<=\d)[eE]\+?(?=\d)", "e", fact["derived"] or ""))
    is_arithmetic = re.fullmatch(r"[\d.e()\s*/+-]+", derived) and re.search(r"[*/+-]", derived)
    return DERIVED.get(fact["evidence"], fact["evidence"]) if is_arithmetic else str(fact["evidence"])


def _outcome(fact: dict[str, Any], record: Record) -> str:
    """The outcome of comparing an external estimate with ours."""
    place = re.fullmatch(r"external_estimates\[(\d+)\]", fact["path"])
    if place is None:
        return ""
    other = record["external_estimates"][int(place[1])]
    why = f": {other['note']}" if other.get("note") else ""
    return f"; {OUTCOMES[Outcome(other['outcome'])]}{why}"


def _unused(fact: dict[str, Any], record: Record) -> str:
    """Why GPU time is not multiplied by a stated utilization; empty where it is, and for other facts."""
    place = re.fullmatch(r"training\[(\d+)\]\.utilization", fact["path"])
    stated = record["training"][int(place[1])]["utilization"] if place else None
    if stated is None or stated["kind"] != UtilizationKind.HFU:
        return ""
    note = f" {stated['note']}" if stated.get("note") else ""
    return f"; not used: it stands as HFU, which counts activations that are computed again.{note}"


def _counted(part: str, tables: Tables) -> Iterator[str]:
    for row in tables["operation_estimates"]:
        if row["model_id"] != part:
            continue
        run = one(tables["completed_runs"], model_id=part, phase=row["phase"])
        unit = run["example_unit"]
        count = next(
            (each for each in tables["operation_counts"] if each["architecture_id"] == run["architecture_id"]), None
        )
        if count:
            yield (
                f"  {row['phase']}: the architecture has {count['parameters']:.6g} parameters; one {_counted_example(run, unit)} takes {_number(count['forward_flop'])} forward"
                f" ({_number(count['forward_flop_full_attention'])} with full attention) and {_number(count['backward_flop'])} backward"
            )
        yield (
            f"  {row['phase']}: ({_number(row['forward_flop_per_example'])} forward + {_number(row['backward_flop_per_example'])} backward)"
            f" x {_number(run['examples_seen'], _plural(unit))}{_aside(run['examples_seen_basis'])} = {_number(row['operation_count_flop'])}{_aside(row['operation_count_basis'])}"
        )


def _plural(unit: str) -> str:
    """An example unit in the plural, without underscores.

    >>> _plural("game_position"), _plural("second_of_audio")
    ('game positions', 'seconds of audio')
    """
    first, *rest = unit.replace("_", " ").split(" of ")
    return " of ".join([f"{first}s", *rest])


def _counted_example(run: dict[str, Any], unit: str) -> str:
    """The example that the architecture was counted for: one, or a sequence of tokens."""
    share = run["architecture_passes_per_example"]
    return unit.replace("_", " ") if share in (None, 1) else f"sequence of {1 / share:.6g} {_plural(unit)}"


def _timed(part: str, tables: Tables, written: Written) -> Iterator[str]:
    for row in tables["gpu_time_estimates"]:
        if row["model_id"] != part:
            continue
        own = one(tables["completed_allocations"], model_id=part, phase=row["phase"], allocation=row["allocation"])
        chip = (
            written["hardware", own["hardware_id"]]["name"]
            if own["hardware_id"]
            else f"unknown chip, {own['hardware_basis']}"
        )
        peak = row["chip_peak_flop"] / own["chip_seconds"] if row["chip_peak_flop"] else None
        rule = own["precision_rule"]
        why = "" if rule == "stated" else f", rule {rule}: {RULES[rule]}"
        precision = f"{own['precision']} ({own['precision_basis']}{why})"
        yield (
            f"  {row['phase']}[{row['allocation']}], {chip}, {precision}: {_number(own['chip_seconds'], 'chip-seconds')}{_aside(own['chip_seconds_basis'])}"
            f" x {_number(peak, 'FLOP/s')} x {row['default_utilization_fraction']:g} = {_number(row['gpu_time_flop'])};"
            f" x {row['utilization_fraction']:.3g} ({row['utilization_basis']}) = {_number(row['gpu_time_informed_flop'])}"
        )


def _missing(tables: Tables, identifier: str) -> Iterator[str]:
    row = one(tables["estimates"], model_id=identifier)
    runs = [run for run in tables["completed_runs"] if run["model_id"] == identifier]
    if row["operation_count_flop"] is None:
        absent = [] if runs else ["a training phase"]
        absent += (
            ["examples with epochs, or steps with batch"] if any(run["examples_seen"] is None for run in runs) else []
        )
        counts = [each for each in tables["operation_estimates"] if each["model_id"] == identifier]
        needs = "an architecture, forward_flop, connections, or network with parameters (and sequence_length where the unit is a token)"
        absent += [needs] if any(each["forward_flop_per_example"] is None for each in counts) else []
        yield f"operations cannot be counted; missing: {'; '.join(absent) or 'a base model with a count'}"
    if row["gpu_time_flop"] is None:
        yield "GPU time gives no estimate; missing: chips with duration, or chip_time (these are never filled), for each phase and base model"
