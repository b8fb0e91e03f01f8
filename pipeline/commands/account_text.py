"""Format an account as text for a terminal: one screen (`show`), or everything behind the number (`explain`)."""

from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.base.text.cells import fact_value, unread
from pipeline.base.text.numbers import (
    DAYS_WORKED_OUT,
    HARDLY,
    amount,
    bounded,
    flop,
    interval,
    number,
    percent,
    probability,
    short,
    times,
    units,
    written_date,
)
from pipeline.commands import footprint_text
from pipeline.commands.terminal import Aside, Heading, Strong
from pipeline.publishing import guidelines
from pipeline.publishing.account import DATA, MACHINE, RANGES, unseen_in
from schemas import vocabulary
from schemas.account import Account
from schemas.plain_text import one_line

LACKING = (
    "An estimate needs either the network (an architecture, or parameters with `network`) and the data of each phase (examples and"
    " epochs, or steps and batch), or the chips and their time, which is never filled in."
)
MOST_SOURCES = 8  # sources listed on one screen
Row = Mapping[str, Any]


def screen(account: Account) -> Iterator[str]:
    """Yield the lines of one screen about a model, with the answer first."""
    row: Row = account
    yield from answer(account)
    if row["training_flop"] is not None:
        yield from others(account)
    yield from comparison(account)
    yield from inconsistent(account)
    yield from _note(account)
    yield from (f"erratum: {erratum['figure']}: {erratum['explanation']}" for erratum in account["errata"])
    if account["cite"]:
        yield f"cite: {account['cite']['text']}"
    if row["operation_count_flop"] is not None or row["gpu_time_flop"] is not None:
        yield Heading("both methods")
        yield from methods(account)
    known = list(_known(account))
    if known:
        yield Heading("what else is known")
        yield from known
    if account["publications"]:
        yield Heading("sources")
    for source in account["publications"][:MOST_SOURCES]:
        yield f"  {', '.join(filter(None, (source['title'], source['url'])))}"
    if len(account["publications"]) > MOST_SOURCES:
        yield f"  and {len(account['publications']) - MOST_SOURCES} more: `flopledger show {row['model_id']} --json` has all"
    if row["training_flop"] is None:
        yield Aside("with your own assumptions: flopledger estimate --parameters N --tokens N, or --chips N --days N")
    if account["cite"]:  # only models in the ledger can be cited
        yield Aside(f"every fact and formula: flopledger explain {row['model_id']}")


def _note(account: Account) -> Iterator[str]:
    """Yield the record's note, which concerns only the model's own training."""
    if account["note"]:
        yield f"note{', on its own training' if len(account['parts']) > 1 else ''}: {account['note']}"


def inconsistent(account: Account) -> Iterator[str]:
    """Yield a line for each phase whose steps contradict its data."""
    for phase in (phase for part in account["parts"] for phase in part["phases"]):
        if phase["is_examples_inconsistent"]:
            name = phase["phase"].replace("_", " ")
            yield (
                f"{name}: steps x batch contradicts examples x epochs; {amount(phase['examples_seen'])} {units(phase['example_unit'])} are"
                " counted. Is batch in the unit of the examples?"
            )


def share_of_base(row: Row) -> Iterator[str]:
    """Yield the ratio of a model's own training to its base model's, as the EU's guidelines compare them; nothing if it has no base."""
    share = guidelines.of_base(row)
    if share["third_of_base_flop"] is not None:
        side = "above" if share["is_above_third_of_base"] else "below"
        yield (
            f"its own training is {number(row['own_to_base_ratio'])} times its base model's, {side} a third (EU guidelines, paragraph"
            f" {guidelines.MODIFICATION}: above a third, the modifier counts as the provider)"
        )


def formulas(account: Account) -> Iterator[str]:
    """Yield both methods with the numbers that they multiply, for the model and its base models."""
    for part in account["parts"]:
        whose = f" of {part['name']}" if len(account["parts"]) > 1 else ""
        if part["phases"]:
            yield Heading(f"operations{whose}")
            for phase in part["phases"]:
                yield from _counted(phase)
        if part["allocations"]:
            yield Heading(f"GPU time{whose}")
            yield from (f"  {line}" for allocation in part["allocations"] for line in _timed(allocation))
            if part["gpu_time_used_reason"]:
                yield f"  we use: {_taken(part)}"
        if part["second"] and len(account["parts"]) > 1:
            yield f"  {part['second']}"


def explanation(account: Account) -> Iterator[str]:
    """Yield everything behind the number: formulas, then facts in groups with their quotes, and finally statistics."""
    row: Row = account
    yield from headline(account)
    yield from inconsistent(account)
    yield from formulas(account)
    yield from others(account)
    for group, facts in account["facts"].items():
        if facts:
            yield Heading(f"facts: {group}")
            yield from (f"  {_fact(fact)}" for fact in facts)  # type: ignore[attr-defined]
    yield from _note(account)
    if account["answer"]["not_known"]:
        yield account["answer"]["not_known"]
    if row["training_flop"] is not None:
        yield Heading("statistics")
        ends = (f"{share} %: {interval(row[f'training_flop_{low}'], row[f'training_flop_{high}'])}" for share, low, high in
                ((50, "p25", "p75"), (80, "p10", "p90"), (90, "low", "high"), (95, "p2_5", "p97_5")))  # fmt: skip
        yield f"  intervals: {'; '.join(ends)}"


def answer(account: Account) -> Iterator[str]:
    """Yield the number, its interval, what it covers, how it was calculated and how certain it is."""
    row, words = dict(account), account["answer"]
    yield from headline(account)
    if row["training_flop"] is None:
        yield from others(account)
        if words["how"]:
            yield words["how"]
        if words["not_known"]:
            yield words["not_known"]
        if not account["cite"]:  # a user's own record
            yield LACKING
        return
    note = f" {account['scope_note']}" if account["scope_note"] else ""
    yield f"covers: {words['covers']}{note}"
    yield f"not included: {words['leaves_out']}"
    yield from _inputs(account)
    yield " ".join(filter(None, (words["how"], words["second"])))
    yield from filter(None, (words["origin"], words["confidence"]))


def headline(account: Account) -> Iterator[str]:
    """Yield the model's name and description, and its number."""
    row = dict(account)
    domain = (row["domain"] or "").replace("_", " ")
    about = [
        f"{row['name']} ({row['model_id']})",
        row["organization"],
        f"published {written_date(row['published'])}",
        domain,
    ]
    yield Heading(", ".join(filter(None, about)))
    yield from number_of(account)


def number_of(account: Account) -> Iterator[str]:
    """Yield the number and its interval."""
    row: Row = account
    if row["training_flop"] is None:
        least, own = row["training_flop_at_least"], row["own_training_flop"]
        yield Strong(f"training compute: at least {flop(least)}" if least else "training compute: unknown")
        if own is not None:
            ends = interval(row["own_training_flop_low"], row["own_training_flop_high"])
            yield f"its own training: {flop(own)}, 90 % interval {ends}"
    else:
        ends = interval(row["training_flop_low"], row["training_flop_high"])
        yield Strong(f"training compute: {flop(row['training_flop'])}, 90 % interval {ends}")
        yield account["answer"]["interval"] or ""


def _inputs(account: Account) -> Iterator[str]:
    row: Row = account
    inputs = []
    parts, unit = account["parts"], row["example_unit"]
    phases = [phase for part in parts for phase in part["phases"] if phase["example_unit"] == unit]
    times = [chips["chip_seconds_bound"] for part in parts for chips in part["allocations"]]
    if row["parameters"] is not None:
        active = row["active_parameters"]
        used = f" ({amount(active)} active)" if active and active != row["parameters"] else ""
        is_stated = any(fact["path"] == "parameters" for fact in account["facts"]["network"])
        inputs.append(f"{amount(row['parameters'])} parameters{used}{'' if is_stated else ' (counted)'}")
    if row["examples_seen"] is not None:
        seen = f"{amount(row['examples_seen'])} {units(row['example_unit'])}"
        networks = {phase["counted_parameters"] for phase in phases} - {None}
        everywhere = " in all phases that train" if len(networks) > 1 else ""
        inputs.append(bounded(seen, *(phase["examples_bound"] for phase in phases)) + everywhere)
    if row["chip_hours"] is not None:
        inputs.append(bounded(f"{amount(row['chip_hours'])} chip-hours", *times))
    if inputs:
        yield f"from: {', '.join(inputs)}"


def others(account: Account) -> Iterator[str]:
    """Yield the totals stated by the authors and by others."""
    if account["answer"]["reported"]:
        yield f"stated total: {account['answer']['reported']}"
    for other in account["others"]:
        verdict = f", {other['verdict']}" if other["verdict"] else ""
        place = f", {other['place']}" if other["place"] else ""
        words = f' ("{one_line(other["text"])}")' if other["text"] else ""
        note = f". {other['note']}" if other["note"] else ""
        year = f" ({other['year']})" if other["year"] else ""
        yield f"{other['title'] or other['external_estimate_id']}{year}{place}: {stated(other)}{verdict}{words}{note}"


def stated(other: Row) -> str:
    """Return someone else's figure, with the interval and the word for certainty that they give."""
    ends = f", {interval(other['low'], other['high'])}" if other["low"] is not None else ""
    word = f" ({other['confidence']})" if other["confidence"] else ""
    return f"{bounded(flop(other['flop']), other['bound'])}{ends}{word}"


def comparison(account: Account) -> Iterator[str]:
    """Yield why the two methods differ, or what their agreement shows."""
    row = dict(account)
    if account["dispute"]:
        yield f"The two methods differ by a factor of {times(row['method_ratio']).removesuffix('x')} at the default utilization. {account['dispute']['sentence']}"
        yield f"What would settle it: {account['dispute']['would_settle']}."
        yield from filter(None, [account["dispute"]["base_rate"]])
    elif account["answer"]["independence"]:
        yield account["answer"]["independence"]


def methods(account: Account) -> Iterator[str]:
    """Yield one line per method, and the utilization that the count implies."""
    row: Row = account
    counted = _count_aside(row["operation_count_basis"]) if row["operation_count_flop"] is not None else ""
    yield f"  by operations: {flop(row['operation_count_flop'])}{counted}"
    default = " at the default utilization" if row["gpu_time_flop"] is not None else ""
    yield f"  by GPU time: {flop(row['gpu_time_flop'])}{default}"
    if row["utilization_fraction"] is not None and row["gpu_time_informed_flop"] != row["gpu_time_flop"]:
        share = f"a utilization of {percent(row['utilization_fraction'])}{_aside(row['utilization_basis'])}"
        yield f"    {flop(row['gpu_time_informed_flop'])} at {share}"
    for part in account["parts"]:
        if part["gpu_time_used_reason"]:
            whose = f" of {part['name']}" if len(account["parts"]) > 1 else ""
            yield f"    we use{whose}: {_taken(part)}"
    if row["implied_utilization_fraction"] is not None:
        yield f"  the count implies a utilization of {percent(row['implied_utilization_fraction'])}"


def _known(account: Account) -> Iterator[str]:
    row: Row = account
    if row["threshold_total"] is not None:
        yield f"  {chances(account)}"
    if account["aliases"]:
        yield f"  also called: {', '.join(account['aliases'])}"
    for part in account["parts"]:
        for phase in part["phases"]:
            if phase["examples_seen"] is not None:
                seen = f"{amount(phase['examples_seen'])} {units(phase['example_unit'])}"
                yield _phase_line(account, part, phase, bounded(seen, phase["examples_bound"]), *DATA)
        for chips in part["allocations"]:
            yield _phase_line(account, part, chips, _machines(chips), *MACHINE)
    yield from footprint_text.lines(account)
    if row["imputed_inputs"]:
        names = [vocabulary.FACT_NAMES.get(word, word) for word in row["imputed_inputs"].split(vocabulary.SEPARATOR)]
        yield f"  assumed by default: {', '.join(names)}"
    if row["training_flop"] is not None and account["answer"]["not_known"]:
        yield f"  {account['answer']['not_known']}"


def _phase_line(account: Account, part: Any, place: Row, shown: str, *keys: str) -> str:
    """Return the line for a phase, marked if nobody read one of the facts with these keys in its source."""
    whose = f"{part['name']}, " if len(account["parts"]) > 1 else ""
    shown = unread(shown, unseen_in(account, part, place["phase"], *keys))
    return f"  {whose}{place['phase'].replace('_', ' ')}: {shown}"


def chances(account: Account) -> str:
    """Return the probabilities that the model exceeds the thresholds, as one line."""
    row: Row = account
    is_cumulative = row["threshold_total"] == vocabulary.ThresholdTotal.CUMULATIVE_FLOP
    of = " (for the cumulative total)" if is_cumulative else ""
    likely = sum((line["probability_above_fraction"] or 0) >= HARDLY for line in account["thresholds"])
    shown = account["thresholds"][: likely + 1]  # and the lowest of those that are very unlikely to be exceeded
    chances = (f"{probability(line['probability_above_fraction'])} above {line['word']}" for line in shown)
    return f"probability: {', '.join(chances)}{of}"


def _machines(chips: Row) -> str:
    """Return the chips and their time, with ranges and bounds as stated."""
    stated = {name: fact_value(chips[f"stated_{name}"]) for name in RANGES if chips[f"stated_{name}"]}
    number_of = stated.get("chips") or (chips["chips"] and amount(chips["chips"]))
    count = f"{number_of} x " if number_of else ""
    days, bound = "", chips["chip_seconds_bound"]
    hours = f"{'number of chips' if chips['days'] else 'time'} not stated"
    if chips["is_days_worked_out"]:
        days = f", {bounded(number(chips['days']), bound)} days{DAYS_WORKED_OUT}"
    elif chips["days"]:
        days = f", {stated.get('duration') or number(chips['days']) + ' days'}"
    if chips["chip_hours"]:
        hours = stated.get("chip_time") or bounded(f"{amount(chips['chip_hours'])} chip-hours", bound)
    analyst, precision = vocabulary.Basis.ANALYST, ""
    basis = chips["chip_seconds_basis"] if chips["chip_seconds_basis"] == analyst else None
    if chips["precision"]:
        is_of_analysts = chips["precision_basis"] == analyst
        known = analyst if is_of_analysts else vocabulary.PrecisionRule(chips["precision_rule"])
        precision = f"; {chips['precision']} ({known.words})"
    return f"{count}{chips['hardware'] or 'chips of unknown type'}{days}, {hours}{_aside(basis, chips['chip_seconds_class'])}{precision}"


def _counted(phase: Row) -> Iterator[str]:
    """Yield the arithmetic of a phase's operation count."""
    name = phase["phase"].replace("_", " ")
    unit = (phase["example_unit"] or "example").replace("_", " ")
    if phase["counted_forward_flop"] is not None:
        share = phase["passes_per_example"]  # below 1 if one counted pass covers several examples
        example = unit if share in (None, 1) else f"sequence of {amount(1 / share)} {units(phase['example_unit'])}"
        has_backward = phase["backward_flop_per_example"] != 0
        backward = f" and {number(phase['counted_backward_flop'], 4)} backward" if has_backward else ""
        yield (
            f"  {name}: the network has {short(phase['counted_parameters'])} parameters; one {example} takes"
            f" {number(phase['counted_forward_flop'], 4)} FLOP forward{backward}"
        )
    if phase["operation_count_flop"] is None:
        missing = "the examples seen are" if phase["examples_seen"] is None else "the operations of the network are"
        yield f"  {name}: not counted; {missing} not known"
        return
    yield (
        f"  {name}: ({number(phase['forward_flop_per_example'], 4)} forward + {number(phase['backward_flop_per_example'], 4)} backward)"
        f" per {unit} x {number(phase['examples_seen'], 4)} {units(phase['example_unit'])}{_aside(phase['examples_seen_basis'], phase['examples_class'])}"
        f" = {number(phase['operation_count_flop'], 4)} FLOP{_count_aside(phase['operation_count_basis'])}"
    )


def _timed(chips: Row) -> Iterator[str]:
    """Yield the arithmetic of GPU time for one group of chips."""
    yield f"{chips['phase'].replace('_', ' ')}: {_machines(chips)}"
    if chips["gpu_time_flop"] is None:
        lacking = "number of chips or their time is not stated (time is never filled in)"
        yield f"  no estimate: the {'peak of the chip is not known' if chips['chip_hours'] else lacking}"
        return
    yield (
        f"  {number(chips['chip_seconds'], 4)} chip-seconds x {number(chips['peak_flop_per_second'], 4)} FLOP/s"
        f" x {number(chips['default_utilization_fraction'])} (default) = {number(chips['gpu_time_flop'], 4)} FLOP;"
        f" x {number(chips['utilization_fraction'])}{_aside(chips['utilization_basis'])} = {number(chips['gpu_time_informed_flop'], 4)} FLOP"
    )
    if chips["peak_words"]:
        peak = chips["peak_words"]
        words = f': "{one_line(peak["text"])}"' if peak["text"] else ""
        yield f"  peak: {', '.join(filter(None, (peak['title'], peak['url'])))}{words}"


def _fact(fact: Row) -> str:
    """Return a fact on one line: its name, value, evidence and quotes."""
    worked = f" = {fact['worked_out']}" if fact["worked_out"] else ""
    assumed = f" ({fact['assumption_reasons']})" if fact["assumption_reasons"] else ""
    known = vocabulary.Evidence(fact["evidence"]).words if fact["evidence"] != vocabulary.Evidence.UNSEEN else ""
    quotes = "; ".join(f'{_cited(quote)}: "{one_line(quote["text"])}"' for quote in fact["quotes"])
    via = fact["via"] and f"via {fact['via']}"
    where = quotes or ", ".join(filter(None, (known, fact["title"], fact["url"], via)))
    inherited = fact["inherited_from"] and f"As in its sibling {fact['inherited_from']}."
    note = "".join(f" {remark}" for remark in (inherited, fact["unused"], fact["note"]) if remark)
    value = unread(fact_value(fact["value"]), fact["evidence"])
    return f"{fact['label']}: {value}{worked}{assumed} [{where}]{note}"


def _cited(quote: Row) -> str:
    return ", ".join(filter(None, (quote["title"], quote["place"])))


def _taken(part: Row) -> str:
    """Return the GPU time that the headline uses, and why."""
    return f"{flop(part['gpu_time_used_flop'])}, {vocabulary.GpuTimeReason(part['gpu_time_used_reason']).words}"


def _count_aside(basis: str | None) -> str:
    """Return where an operation count comes from, but nothing for a reported count: the report may give only FLOP per example."""
    return "" if basis == vocabulary.Basis.REPORTED else _aside(basis)


def _aside(basis: str | None, input_class: str | None = None) -> str:
    if input_class == vocabulary.InputClass.ASSUMED:
        return " (partly assumed)"
    return f" ({vocabulary.Basis(basis).words})" if basis else ""
