"""Format an account as text for a terminal: one screen (`show`), or everything behind the number (`explain`)."""

from collections.abc import Iterator, Mapping
from typing import Any

from pipeline.answers import footprint_text, guidelines
from pipeline.answers.terminal import Heading, Strong
from pipeline.base.text.cells import fact_value, mark_unread
from pipeline.base.text.numbers import amount, bound_text, flop, interval, number, short_count, times, units
from pipeline.publishing.account import facts_of
from pipeline.publishing.screen import lines as answer_lines
from pipeline.publishing.screen_evidence import READ
from pipeline.publishing.screen_methods import machine
from schemas import vocabulary
from schemas.account import Account
from schemas.plain_text import one_line

Row = Mapping[str, Any]


def screen(account: Account) -> Iterator[str]:
    """Yield the lines of one screen about a model: its answer, and the commands that lead on."""
    row: Row = account
    model_id, ways = row["model_id"], []
    if row["training_flop"] is None:
        ways.append("flopledger estimate --parameters N --tokens N")
    if account["cite"]:
        ways.append(f"flopledger explain {model_id}")
        ways += [f"cite {model_id}"] if row["training_flop"] is not None else []
    title, figure, *rest = answer_lines(account, ways)
    yield Heading(title)
    yield Strong(figure)
    yield from rest
    yield from contradictions(account) if not account["cite"] else ()  # a user's own record


def contradictions(account: Account) -> Iterator[str]:
    """Yield a line for each phase whose steps contradict its data."""
    for phase in (phase for part in account["parts"] for phase in part["phases"]):
        if phase["is_examples_inconsistent"]:
            name = phase["phase"].replace("_", " ")
            yield (
                f"{name}: steps x batch contradicts examples x epochs; {amount(phase['examples_seen'])}"
                f" {units(phase['example_unit'])} are counted. Is batch in the unit of the examples?"
            )


def share_of_base(row: Row) -> Iterator[str]:
    """Yield the ratio of a model's own training to its base model's, as in the EU's guidelines, if it has a base."""
    share = guidelines.of_base(row)
    if share["third_of_base_flop"] is not None:
        side = "above" if share["is_above_third_of_base"] else "below"
        yield (
            f"its own training is {number(row['own_to_base_ratio'])} times its base model's, {side} a third (EU"
            f" guidelines, paragraph {guidelines.MODIFICATION}: above a third, the modifier counts as the provider)"
        )


def formulas(account: Account) -> Iterator[str]:
    """Yield both methods with the numbers that they multiply, for the model and its base models."""
    for part in account["parts"]:
        whose = f" of {part['name']}" if len(account["parts"]) > 1 else ""
        if part["phases"]:
            yield Heading(f"operations{whose}")
            for phase in part["phases"]:
                yield from _count_lines(phase)
        if part["allocations"]:
            yield Heading(f"GPU time{whose}")
            yield from (f"  {line}" for allocation in part["allocations"] for line in _time_lines(allocation))
            if part["gpu_time_used_reason"]:
                yield f"  {_used_gpu_time(part)}"


def explanation(account: Account) -> Iterator[str]:
    """Yield everything behind the number: the answer, formulas, facts with their quotes, and statistics."""
    row: Row = account
    below = dict.fromkeys(("footprint", "not_found"))  # told in full below
    yield from answer_lines({**account, "answer": {**account["answer"], **below}}, [])
    yield from contradictions(account)
    yield from formulas(account)
    yield from map(other_line, account["others"])
    yield from comparison(account)
    sources: dict[str, Row] = {source["source"]: source for source in account["publications"]}
    for group, facts in account["facts"].items():
        if facts:
            yield Heading(f"facts: {group}")
            yield from (f"  {_fact(fact, sources)}" for fact in facts)  # type: ignore[attr-defined]
    own = ", on its own training" if len(account["parts"]) > 1 else ""
    yield from [f"note{own}: {account['note']}"] if account["note"] else []
    yield from (f"erratum: {erratum['figure']}: {erratum['explanation']}" for erratum in account["errata"])
    yield from contributions(account)
    yield from missing_facts(account)
    yield from footprint_text.lines(account)
    if account["aliases"]:
        yield f"also called: {', '.join(account['aliases'])}"
    yield from (
        f"source: {', '.join(filter(None, (source['title'], source['url'])))}" for source in account["publications"]
    )
    if row["training_flop"] is not None:
        yield Heading("statistics")
        shares = ((50, "p25", "p75"), (80, "p10", "p90"), (90, "low", "high"), (95, "p2_5", "p97_5"))
        ends = (f"{share} %: {interval(*(row[f'training_flop_{end}'] for end in ends))}" for share, *ends in shares)
        yield f"  intervals: {'; '.join(ends)}"


def other_line(other: Row) -> str:
    """Return a total stated by others, with its words."""
    verdict = f", {other['verdict']}" if other["verdict"] else ""
    place = f", {other['place']}" if other["place"] else ""
    year = f" ({other['year']})" if other["year"] else ""
    return f"{other['title'] or other['external_estimate_id']}{year}{place}: {figure(other)}{verdict}{_words(other)}"


def _words(row: Row) -> str:
    """Return the words of a source and the record's remark, if there are any."""
    words = f' ("{one_line(row["text"])}")' if row["text"] else ""
    return f"{words}. {row['note']}" if row["note"] else words


def contributions(account: Account) -> Iterator[str]:
    """Yield the work that the result depends on and that the estimate leaves out."""
    for part in account["parts"]:
        for row in part["contributions"]:
            whose = f" of {part['name']}" if len(account["parts"]) > 1 else ""
            name = f", {row['name']}" if row["name"] else ""
            kind = vocabulary.Accounting(row["accounting"]).words
            yield f"not included{whose}: {kind}{name}, {flop(row['flop'])}{_words(row)}"


def missing_facts(account: Account) -> Iterator[str]:
    """Yield the facts that we did not find, where we looked, and what would settle them."""
    titles = {source["source"]: source["title"] for source in account["publications"]}
    known = {fact["path"].rpartition(".")[2] for fact in facts_of(account) if fact["status"] in READ}
    for missing in account["missing"]:
        places = [titles.get(place) or place for place in (missing["looked_in"] or "").split(" | ")]
        settled = f" (what would settle it: {missing['would_settle']})" if missing["would_settle"] else ""
        kind = "not settled" if missing["fact"] in known else "not found"
        yield f"{kind}: {missing['label']}{', in ' if places[0] else ''}{'; '.join(places)}{settled}"


def figure(other: Row) -> str:
    """Return someone else's figure, with the interval and the word for certainty that they give."""
    ends = f", {interval(other['low'], other['high'])}" if other["low"] is not None else ""
    word = f" ({other['confidence']})" if other["confidence"] else ""
    return f"{bound_text(flop(other['flop']), other['bound'])}{ends}{word}"


def comparison(account: Account) -> Iterator[str]:
    """Yield why the two methods differ; nothing unless they are disputed."""
    if dispute := account["dispute"]:
        apart = times(dict(account)["method_ratio"])
        yield f"The two methods differ by {apart} at the default utilization. {dispute['sentence']}"


def _machines(chips: Row) -> str:
    """Return the chips and their time, with ranges and bounds as stated."""
    analyst, precision = vocabulary.Basis.ANALYST, ""
    whose = " (with figures by analysts or the press)" if chips["chip_seconds_basis"] == analyst else ""
    if chips["precision"]:
        is_of_analysts = chips["precision_basis"] == analyst
        known = analyst if is_of_analysts else vocabulary.PrecisionRule(chips["precision_rule"])
        precision = f"; precision {known.words}"
    return f"{machine(chips)}{whose or _parentheses(None, chips['chip_seconds_class'])}{precision}"


def _count_lines(phase: Row) -> Iterator[str]:
    """Yield the arithmetic of a phase's operation count."""
    name = phase["phase"].replace("_", " ")
    unit = (phase["example_unit"] or "example").replace("_", " ")
    if phase["counted_forward_flop"] is not None:
        share = phase["passes_per_example"]  # below 1 if one counted pass covers several examples
        example = unit if share in (None, 1) else f"sequence of {amount(1 / share)} {units(phase['example_unit'])}"
        has_backward = phase["backward_flop_per_example"] != 0
        backward = f" and {number(phase['counted_backward_flop'], 4)} backward" if has_backward else ""
        yield (
            f"  {name}: the network has {short_count(phase['counted_parameters'])} parameters; one {example} takes"
            f" {number(phase['counted_forward_flop'], 4)} FLOP forward{backward}"
        )
    if phase["operation_count_flop"] is None:
        missing = "the examples seen are" if phase["examples_seen"] is None else "the operations of the network are"
        yield f"  {name}: not counted; {missing} not known"
        return
    yield (
        f"  {name}: ({number(phase['forward_flop_per_example'], 4)} forward +"
        f" {number(phase['backward_flop_per_example'], 4)} backward)"
        f" per {unit} x {number(phase['examples_seen'], 4)}"
        f" {units(phase['example_unit'])}{_parentheses(phase['examples_seen_basis'], phase['examples_class'])}"
        f" = {number(phase['operation_count_flop'], 4)} FLOP{_count_aside(phase['operation_count_basis'])}"
    )


def _time_lines(chips: Row) -> Iterator[str]:
    """Yield the arithmetic of GPU time for one group of chips."""
    yield f"{chips['phase'].replace('_', ' ')}: {_machines(chips)}"
    if chips["gpu_time_flop"] is None:
        lacking = "number of chips or their time is not stated (time is never filled in)"
        yield f"  no estimate: the {'peak of the chip is not known' if chips['chip_hours'] else lacking}"
        return
    yield (
        f"  {number(chips['chip_seconds'], 4)} chip-seconds x {number(chips['peak_flop_per_second'], 4)} FLOP/s"
        f" x {number(chips['default_utilization_fraction'])} (default) = {number(chips['gpu_time_flop'], 4)} FLOP;"
        f" x {number(chips['utilization_fraction'])}{_parentheses(chips['utilization_basis'])} ="
        f" {number(chips['gpu_time_informed_flop'], 4)} FLOP"
    )
    if chips["peak_words"]:
        peak = chips["peak_words"]
        words = f' "{one_line(peak["text"])}"' if peak["text"] else ""
        yield f"  peak: {', '.join(filter(None, (peak['title'], peak['url'])))}{words}"


def _fact(fact: Row, sources: Mapping[str, Row]) -> str:
    """Return a fact on one line: its name, value, evidence and quotes."""
    worked = f" = {fact['worked_out']}" if fact["worked_out"] else ""
    assumed = f" ({fact['assumption_reasons']})" if fact["assumption_reasons"] else ""
    is_unread = fact["status"] == vocabulary.FactStatus.NOT_READ
    known = "" if is_unread else vocabulary.Evidence(fact["evidence"]).words
    quotes = "; ".join(
        f"{', '.join(filter(None, (sources.get(quote['source'], {}).get('title'), quote['place'])))}"
        f': "{one_line(quote["text"])}"'
        for quote in fact["quotes"]
    )
    via = fact["via"] and f"via {fact['via']}"
    source = sources.get(fact["source"], {})
    where = quotes or ", ".join(filter(None, (known, source.get("title"), source.get("url"), via)))
    inherited = fact["inherited_from"] and f"As in its sibling {fact['inherited_from']}."
    note = "".join(f" {remark}" for remark in (inherited, fact["unused"], fact["note"]) if remark)
    value = mark_unread(fact_value(fact["value"]), is_unread)
    return f"{fact['label']}: {value}{worked}{assumed} [{where}]{note}"


def _used_gpu_time(part: Row) -> str:
    """Return the GPU time that the headline uses or that the count is compared with, and why it is this one."""
    is_headline = part["evidence_class"] == vocabulary.EvidenceClass.GPU_TIME
    use = "our number" if is_headline else "compared with the count" if part["operation_count_flop"] else "GPU time"
    reason = vocabulary.GpuTimeReason(part["gpu_time_used_reason"]).words
    return f"{use}: {flop(part['gpu_time_used_flop'])}, {reason}"


def _count_aside(basis: str | None) -> str:
    """Return where a count comes from; nothing for a reported one, because it may give only FLOP per example."""
    return "" if basis == vocabulary.Basis.REPORTED else _parentheses(basis)


def _parentheses(basis: str | None, input_class: str | None = None) -> str:
    if input_class in vocabulary.PARTLY:
        return f" ({vocabulary.PARTLY[input_class]})"
    return f" ({vocabulary.Basis(basis).words})" if basis else ""
