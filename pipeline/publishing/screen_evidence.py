"""The lines of an answer about evidence: who states the inputs, what the number covers, and how sure it is."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from pipeline.base.text.numbers import join_words, probability, times
from schemas.vocabulary import (
    NAMES_SEPARATOR,
    Accounting,
    Basis,
    Confidence,
    Evidence,
    EvidenceClass,
    FactStatus,
    InputClass,
    Scope,
    SourceKind,
    TotalState,
    WeakReason,
    fact_name,
)

Row = Any
INPUTS = {  # the input to which each fact of a record belongs
    **dict.fromkeys(("parameters", "active_parameters", "forward_flop", "connections", "network"), "network"),
    **dict.fromkeys(("examples", "epochs", "steps", "batch", "sequence_length", "target_length"), "data"),
    **dict.fromkeys(("chip", "chips"), "chips"),
    **dict.fromkeys(("duration", "chip_time"), "chip time"),
    "precision": "precision",
    "utilization": "utilization",
}
MOST_NAMES, MOST_FACTS = 2, 3
MOST_OFF = 0.1  # as `confident_off_by_two`
LARGE = 0.1  # share of a total from which on a part decides how sure it is (headline_totals.sql)
READ = (FactStatus.MAKERS, FactStatus.OTHERS)
SOUND = (EvidenceClass.CONFIRMED, EvidenceClass.STATED)
NOT_FROM_MAKERS = "size and data not from makers"
OF_PARTS = {"network": " settings of the network", "data": " figures of the data"}
IN_PART = tuple(OF_PARTS.values())
LONGEST = 60  # characters of words from a record


def first_words(words: Sequence[str], most: int) -> str:
    """Return the first words of a list and how many more there are.

    >>> first_words(["a", "b", "c", "d"], 2), first_words(["a", "b"], 2)
    ('a, b and 2 more', 'a and b')
    """
    more = len(words) - most
    return f"{', '.join(words[:most])} and {more} more" if more > 0 else join_words(list(words)) if words else ""


def input_name(path: str) -> str | None:
    """Return the input to which a fact belongs; None for facts that no method multiplies.

    >>> paths = ("architecture.layers", "training[0].batch", "training[0].hardware[0].chips", "country")
    >>> [input_name(path) for path in paths]
    ['network', 'data', 'chips', None]
    """
    name = "network" if "architecture" in path else INPUTS.get(path.rpartition(".")[2])
    return name if name in ("network", "data") or path.startswith("training") else None


def inputs_of(row: Row) -> dict[str, list[str]]:
    """Return the inputs of a model's own training by where they come from; `kinds` are of the others."""
    groups: dict[str, dict[str, int]] = {group.value: {} for group in FactStatus}
    kinds = set[str]()
    own = row["parts"][0]
    is_by_layer = any("architecture" in fact["path"] for fact in row["facts"])
    unused = set() if any(phase["stated_utilization_fraction"] for phase in own["phases"]) else {"utilization"}
    unused |= set() if own["gpu_time_flop"] else {*INPUTS.values()} - {*OF_PARTS}
    unused |= set() if own["operation_count_flop"] else {*OF_PARTS}
    for fact in row["facts"]:
        path, _, repeated = fact["path"].partition(" (")
        name, group = input_name(path), fact["status"]
        is_unused = is_by_layer and name == "network" and "architecture" not in path  # such as the stated parameters
        if name and not repeated and not is_unused and name not in unused:
            groups[group][name] = groups[group].get(name, 0) + 1
            kinds |= {fact["source_kind"]} if group == "others" else set()
    for chips in own["allocations"] if own["gpu_time_flop"] is not None else []:
        groups["assumed"] |= {"chip": 1} if (chips["hardware_basis"] or "").startswith("default") else {}
        groups["assumed"] |= {"precision": 1} if chips["precision_basis"] == Basis.ASSUMED else {}
    if any(phase["examples_seen_basis"] == Basis.ASSUMED for phase in own["phases"]):
        groups["assumed"]["epochs"] = 1
    number = {part: sum(names.get(part, 0) for names in groups.values()) for part in OF_PARTS}
    words = {
        group: [
            f"{found} of {number[name]}{OF_PARTS[name]}" if found < number.get(name, 0) else name
            for name, found in names.items()
        ]
        for group, names in groups.items()
    }
    return {**words, "kinds": [kind.short for kind in SourceKind if kind in kinds]}


def coverage(row: Row) -> str:
    """Return the training that the number covers and what it leaves out of the work that the result rests on."""
    own, model = row["parts"][0], row["model"]
    kinds = {phase["phase"]: phase["accounting"] for phase in own["phases"]}
    work = [Accounting(kind).words_of(phase) for phase, kind in kinds.items() if kind]
    work = [*dict.fromkeys(work)] or ["what the stated total covers"]
    is_league = Accounting.REINFORCEMENT_LEARNING in kinds.values()
    scope = Scope(model["scope"])
    of = "of all models of the family" if scope == Scope.POPULATION and not is_league else scope.words
    note = f"({cut(model['scope_note']).rstrip('.')})" if model["scope_note"] else ""
    left: dict[str, list[str]] = {}
    networks = "networks it builds on" + (", perhaps over 10 % more" if row["estimate"]["omits_network"] else "")
    for contribution in (contribution for part in row["parts"] for contribution in part["contributions"]):
        kind = Accounting(contribution["accounting"])
        is_network = kind == Accounting.PRETRAINING
        names = left.setdefault(networks if is_network else kind.words, [])
        names += filter(None, [contribution["name"]])
    has_base, is_total = row["estimate"]["base_model"], row["estimate"]["training_flop"] is not None
    if has_base and is_total:
        work.append("its base models" if NAMES_SEPARATOR in has_base or len(row["parts"]) > 2 else "its base model")
    missing = [f"{kind}{f' ({first_words(names, MOST_NAMES)})' if names else ''}" for kind, names in left.items()]
    left_out = f", without {first_words(missing, MOST_FACTS)}" if missing else ""
    return " ".join(filter(None, (join_words(work), of, note))) + left_out


def cut(text: str) -> str:
    """Return as many whole sentences of a text as fit, at least the beginning of the first.

    >>> cut("One. Two."), len(cut("word " * 50)) < 72
    ('One. Two.', True)
    """
    kept = ""
    for sentence in re.split(r"(?<=\.) (?=[A-Z])", text):
        if kept and len(kept) + len(sentence) > LONGEST:
            break
        kept = f"{kept} {sentence}".strip()
    return kept if len(kept) <= LONGEST else f"{kept[:LONGEST].rpartition(' ')[0]} …"


def certainty(row: Row, inputs: dict[str, list[str]]) -> str | None:
    """Return how sure the number is, with its reasons: what weakens it, and who states which inputs."""
    reasons, told = _reasons(row), _input_sources(inputs)
    if row["model"]["stated_by"]:
        reasons.insert(0, NOT_FROM_MAKERS if inputs["makers"] else "nothing from makers")
    own, is_whole = "own part: " if row["estimate"]["base_model"] else "", row["estimate"]["training_flop"] is not None
    if told:
        reasons.append(f"{own * is_whole}{'; '.join(told)}")
        phases = row["parts"][0]["phases"]
        reasons += ["a published figure is wrong (erratum)"] if row["errata"] else []
        reasons += ["its steps contradict its data"] if phases and phases[0]["is_examples_inconsistent"] else []
    own = own if reasons and not is_whole else ""
    return ": ".join(filter(None, (word_of(row["estimate"]), own + "; ".join(reasons)))) or None


def _input_sources(inputs: dict[str, list[str]]) -> list[str]:
    """Return who states which inputs, the weakest first; an input that is weak in part is named only there."""
    told, weaker = list[str](), set[str]()
    for group in reversed(FactStatus):
        names = [name for name in inputs[group.value] if name not in weaker]
        if group == FactStatus.MAKERS:
            names = [f"the rest of the {name.split()[-1]}" if name.endswith(IN_PART) else name for name in names]
        whose = group.words or f"by {first_words(inputs['kinds'], MOST_NAMES)}"
        told += [f"{whose}: {join_words(names)}"] if names else []
        weaker.update(name for name in names if not name.endswith(IN_PART))
    return told


def word_of(estimate: Row) -> str | None:
    """Return the probability that a total is within 2×, and the word for it and its sources."""
    if (off := estimate["off_by_two_fraction"]) is None:
        return None
    word = Confidence(estimate["confidence"])
    is_low = off > MOST_OFF and word != Confidence.SPECULATIVE
    link = "so" if is_low else "and" if word == Confidence.CONFIDENT else "but"
    by_sources = "" if is_low else " by its sources"
    return f"{probability(1 - off)} likely within 2×, {link} {word.replace('_', ' ')}{by_sources}"


def _reasons(row: Row) -> list[str]:
    """Return what decides how sure the number is, for the model and its large base models."""
    estimate, (own, *bases) = row["estimate"], row["parts"]
    is_unread = own["weak_reason"] in (WeakReason.NETWORK_UNREAD, WeakReason.DATA_UNREAD)  # the groups of inputs say so
    least = LARGE * (estimate["training_flop"] or 0)
    bases = bases if least else []  # without a total: its own part
    reasons = ["its base model is our inference"] if bases and row["model"]["base_evidence"] == Evidence.ASSUMED else []
    large = [part for part in row["parts"] if (part["own_training_flop"] or 0) >= least]
    reasons += [_evidence(own) or _dispute(own)] if own in large and not is_unread else []
    weak: dict[str, list[str]] = {}
    for base in bases:
        by_others = NOT_FROM_MAKERS if base["stated_by"] else ""
        words = by_others or _dispute(base) if base["evidence_class"] in SOUND else _evidence(base)
        if base in large and words:
            weak.setdefault(words, []).append(base["name"])
    reasons += [f"{first_words(names, MOST_NAMES)}: {words}" for words, names in weak.items()]
    if estimate["total_state"] == TotalState.OWN_IMPUTED:
        reasons.append("own training as in similar models")
    if estimate["named_second"] is not None and estimate["gap_ratio"]:
        reasons.append(f"widened by a figure {times(estimate['gap_ratio'])} away")
    return [reason for reason in reasons if reason]


def _dispute(part: Row) -> str:
    """Return that the two methods dispute a part, if they do."""
    count, time = part["operation_count_flop"], part["gpu_time_flop"]
    return "the two methods differ by more than 2×" if count and time and not 0.5 <= count / time <= 2 else ""


def _evidence(part: Row) -> str:
    """Return what the evidence class of a part rests on, in words; nothing for a count of stated inputs."""
    words = {
        EvidenceClass.CONFIRMED: "the authors' own total confirms the count",
        EvidenceClass.REPORTED: "a stated total that no count could check",
        EvidenceClass.GPU_TIME: "only GPU time"
        if part["operation_count_flop"] is None
        else "its record sides with GPU time",
    }
    if part["evidence_class"] == EvidenceClass.GPU_TIME and part["chip_seconds_class"] == InputClass.ASSUMED:
        return f"{words[EvidenceClass.GPU_TIME]}, itself assumed"
    if part["evidence_class"] == EvidenceClass.WEAK and part["weak_reason"]:
        return WeakReason(part["weak_reason"]).words
    return words.get(part["evidence_class"], "")


def reason_without_total(row: Row) -> str:
    """Return why a model has no total."""
    (own, *bases), estimate = row["parts"], row["estimate"]
    names = [base["name"] for base in bases if base["training_flop"] is None] + unrecorded_bases(row)
    lacking = [f"the training compute of {first_words(names, MOST_NAMES)}"] if names else []
    if estimate["own_training_flop"] is None:
        phases = own["phases"]
        has_network = estimate["parameters"] or any(phase["forward_flop_per_example"] is not None for phase in phases)
        has_data = any(phase["examples_seen"] is not None for phase in phases)
        of_count = ["the size of the network"] * (not has_network) + ["the size of the data"] * (not has_data)
        is_timed = any(chips["chip_hours"] for chips in own["allocations"])
        of_time = "the rest of the chip time" if is_timed else "chips with their time"
        lacking.append(f"{join_words(of_count or ['operations of a phase'])} for a count, and {of_time} for GPU time")
    return f"{lack(estimate)}: we lack {'; and '.join(lacking)}"


def lack(estimate: Row) -> str:
    """Return what is lacking of a model without a total."""
    return "no number of our own" if estimate["training_flop_at_least"] is None else "no total"


def unrecorded_bases(row: Row) -> list[str]:
    """Return the names of base models that have no record."""
    recorded = {part["model_id"] for part in row["parts"]}
    names = (row["estimate"]["base_model"] or "").split(NAMES_SEPARATOR)
    return [name for name in names if name and name not in recorded]


def facts_not_found(missing: Iterable[Row], facts: Iterable[Row]) -> str | None:
    """Return the facts that we looked for and did not find, with the number of documents read.

    A fact that the record quotes, for another phase or for all sizes, is left to `explain` (as in stated_facts.sql).
    """
    found = {fact["path"].partition(" (")[0].rpartition(".")[2] for fact in facts if fact["status"] in READ}
    missing = [fact for fact in missing if fact["fact"] not in found]
    names = [*dict.fromkeys(fact_name(fact["fact"]).partition(" (")[0] for fact in missing)]
    most = max((len(fact["looked_in"].split(" | ")) for fact in missing if fact["looked_in"]), default=0)
    where = f" (in {f'up to {most} documents' if most > 1 else '1 document'})" if most else ""
    return f"{first_words(names, MOST_FACTS)}{where}" if names else None
