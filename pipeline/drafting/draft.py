"""A draft of a record from publications: candidates of every kind, written as a file to choose from, a page to tick and a commented record."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ValidationError

from pipeline.drafting import kinds, proposals, ranking
from pipeline.drafting.candidates import Extractor
from pipeline.drafting.checking import ARXIV
from pipeline.drafting.documents import Document
from pipeline.drafting.names import LEAST_MENTIONS, LEAST_OF_FAMILY, Target
from pipeline.drafting.ranking import Candidate
from pipeline.paths import replace_file
from pipeline.text.html_text import json_in_html, policy

MOST_CANDIDATES = 3  # of a kind that are shown
LEAST_PROBABILITY = 0.02  # of a candidate that is shown
PAGE = Path(__file__).with_name("page.html")
REQUIRED = ("organization", "organization_kind", "published", "domain")
SOURCE_KEYS = {"config": "configuration", "markdown": "card"}  # by form; of others "paper"
EXAMPLE_UNITS = {
    "token": r"tokens?", "image": r"images?|pictures|photos|image-text pairs|text-image pairs", "sentence_pair": r"sentence[- ]pairs", "second_of_audio": r"hours? of|hours",
    "word": r"words", "protein_sequence": r"proteins?|protein sequences", "video_clip": r"videos|clips", "game_position": r"positions|games", "frame": r"frames", "molecule": r"molecules", "text_sequence": r"sequences|sentences|documents|examples",
}  # fmt: skip


class DraftError(ValueError):
    """A draft that cannot be made or accepted; the message is one line for each problem."""


class Choice(BaseModel):
    """A candidate or a proposal as it is shown and accepted. `quotes` are the words it rests on, each with its source and place."""

    kind: str
    written: str
    derived: str | None
    quotes: list[dict[str, str]]
    probability: float | None = None  # None: worked out
    is_sure: bool = False
    why: list[str] = []
    note: str | None = None


class Draft(BaseModel):
    """What publications propose for one model: choices by kind, the first the most probable, and what contradicts."""

    model: str
    aliases: list[str]
    sources: dict[str, dict[str, Any]]
    choices: dict[str, list[Choice]]
    conflicts: dict[str, str]


def make(documents: list[Document], target: Target, chips: Mapping[str, str], found_at: str | None = None) -> Draft:
    """The draft of a model from these documents. Raises DraftError where none of them is about it."""
    refused = [problem for document in documents if (problem := _not_about(document, target))]
    if len(refused) == len(documents):
        raise DraftError("\n".join(refused))
    sources: dict[str, dict[str, Any]] = {}
    key_of: dict[int, str] = {}
    occurrences = []
    for document in documents:
        key = _unused(SOURCE_KEYS.get(document.form, "paper"), sources)
        sources[key] = _source(document, found_at)
        of_kind = Extractor(target, chips).occurrences(document)
        key_of |= {id(candidate.passage): key for candidate in of_kind}
        occurrences += of_kind
    ranked = ranking.ranked(occurrences)
    choices: dict[str, list[Choice]] = {}
    worked_out = proposals.proposals(ranked)
    for kind in kinds.BY_NAME:
        of_kind = [
            _of_candidate(candidate, key_of)
            for candidate in ranked.get(kind, [])[:MOST_CANDIDATES]
            if candidate.probability >= LEAST_PROBABILITY
        ]
        shown = {choice.written for choice in of_kind}
        for proposal in worked_out:
            if proposal.kind == kind and proposal.written not in shown and len(of_kind) < 2 * MOST_CANDIDATES:
                shown.add(proposal.written)
                of_kind.append(_of_proposal(proposal, key_of))
        if of_kind:
            choices[kind] = of_kind
    conflicts = {kind: differing for kind, of_kind in ranked.items() if (differing := proposals.conflict(of_kind))}
    name, *aliases = target.names
    return Draft(model=name, aliases=aliases, sources=sources, choices=choices, conflicts=conflicts)


def _not_about(document: Document, target: Target) -> str | None:
    """Why a document is not about the model, in a line; None where it may be."""
    if document.form == "config":
        return None
    mentions = sum(len(target.pattern.findall(passage.text)) for passage in document.passages)
    if not mentions:
        return f"{document.name}: does not name {target.names[0]!r}; give the name that it uses with --model or --alias"
    of_family = sum(len(target.family_pattern.findall(passage.text)) for passage in document.passages)
    if mentions < LEAST_MENTIONS and of_family < LEAST_OF_FAMILY and not target.family_pattern.search(document.title):
        return f"{document.name}: names {target.names[0]!r} {mentions} time{'s' if mentions > 1 else ''} only and is titled {document.title[:80]!r}: the publication of another model?"
    return None


def _unused(name: str, taken: Iterable[str]) -> str:
    """The name, with a number where it is taken."""
    return next(free for free in (name, *(f"{name}-{number}" for number in range(2, 99))) if free not in taken)


def _source(document: Document, found_at: str | None) -> dict[str, Any]:
    number = ARXIV.search(Path(document.name).name)
    url = f"https://arxiv.org/abs/{number[1]}" if number else None
    copy = found_at or (f"https://arxiv.org/abs/{number[0]}" if number else Path(document.name).name)
    return {
        "kind": "authors",
        "title": document.title or Path(document.name).name,
        "url": url,
        "found_at": copy,
        "file": Path(document.name).name,
    }


def _quote(candidate: Candidate, key_of: Mapping[int, str]) -> dict[str, str]:
    best = candidate.best
    return {
        "source": key_of[id(best.passage)],
        "where": best.passage.where,
        "text": candidate.quote,
        "figure": best.passage.text[best.start : best.end],
    }


def _of_candidate(candidate: Candidate, key_of: Mapping[int, str]) -> Choice:
    return Choice(
        kind=candidate.kind,
        written=candidate.written,
        derived=candidate.derived,
        quotes=[_quote(candidate, key_of)],
        probability=round(candidate.probability, 3),
        is_sure=candidate.is_sure,
        why=list(candidate.why),
    )


def _of_proposal(proposal: proposals.Proposal, key_of: Mapping[int, str]) -> Choice:
    quotes = {candidate.quote: _quote(candidate, key_of) for candidate in proposal.rests_on}
    return Choice(
        kind=proposal.kind,
        written=proposal.written,
        derived=proposal.derived,
        quotes=list(quotes.values()),
        note=proposal.note,
    )


# Files


def write(draft: Draft, folder: Path) -> list[Path]:
    """Writes candidates.json, draft.yaml and ticks.html, which opens offline; returns their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    page = PAGE.read_text(encoding="utf-8")
    allowed = policy(page.partition("<script>")[2].partition("</script>")[0])
    texts = {
        "candidates.json": draft.model_dump_json(indent=1) + "\n",
        "draft.yaml": commented(draft),
        "ticks.html": page.replace("POLICY", allowed).replace('"DRAFT"', json_in_html(draft.model_dump())),
    }
    for name, text in texts.items():
        replace_file(folder / name, lambda beside, text=text: beside.write_text(text, encoding="utf-8"))
    return [folder / name for name in texts]


def commented(draft: Draft) -> str:
    """The record with every candidate as a comment above where its fact would stand."""
    lines = [
        '# Candidates: nothing of this is a fact until a person has read its words and takes the "# " off. CONTRIBUTING.md has the rules.',
        *_head(draft),
        "quotes: {}",
    ]
    for kind, of_kind in draft.choices.items():
        lines.append(f"# {kinds.BY_NAME[kind].path}:")
        if kind in draft.conflicts:
            lines.append(f"#   {_plain(draft.conflicts[kind])}")
        for place, choice in enumerate(of_kind, 1):
            support = (
                "worked out"
                if choice.probability is None
                else f"{choice.probability:.2f}{', sure' if choice.is_sure else ''}"
            )
            lines.append(f"#   {place}  {fact_text(choice, ['…'])}  ({support})")
            lines += [
                f"#      “{_plain(quote['text'])}” ({quote['source']}, {quote['where'] or 'no heading'})"
                for quote in choice.quotes
            ]
            if choice.why or choice.note:
                lines.append(f"#      {_plain(choice.note or '; '.join(choice.why))}")
    return "\n".join(lines) + "\n"


def _plain(text: str) -> str:
    # A line break or control sign of a publication would end the comment.
    return re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+", " ", text)


def _head(draft: Draft) -> list[str]:
    lines = [f"name: {_text(draft.model)}"]
    if draft.aliases:
        lines.append(f"aliases: [{', '.join(map(_text, draft.aliases))}]")
    lines += [f'{key}: ""' for key in REQUIRED]
    lines += ["scope: single", "sources:"]
    for key, source in draft.sources.items():
        url = f", url: {_text(source['url'])}" if source["url"] else ""
        lines.append(f"  {key}: {{kind: {source['kind']}, title: {_text(source['title'])}{url}}}")
    return lines


def _text(words: str) -> str:
    return json.dumps(_plain(words), ensure_ascii=False)


def fact_text(choice: Choice, quotes: list[str]) -> str:
    """The fact as a record writes it, naming these quotes."""
    is_number = re.fullmatch(r"[\d.]+(?:e[+-]?\d+)?", choice.written)
    value = (
        choice.written
        if is_number or choice.kind in ("chip", "precision") or " " in choice.written
        else _text(choice.written)
    )
    low, _, high = value.partition(" to ")
    parts = [f"low: {low}", f"high: {high}"] if high else [f"value: {value}"]
    if choice.kind == "reported_flop":
        parts.append("method: unknown")
    if choice.kind == "utilization":
        parts.append(f"kind: {_utilization_kind(choice)}")
    parts.append(f"quote: {quotes[0] if len(quotes) == 1 else '[' + ', '.join(quotes) + ']'}")
    if choice.derived:
        parts.append(f"derived: {_text(choice.derived)}")
    if choice.note:
        parts.append(f"note: {_text(choice.note)}")
    return "{" + ", ".join(parts) + "}"


def _utilization_kind(choice: Choice) -> str:
    sentence = choice.quotes[0]["text"]
    if re.search(r"MFU|model FLOPs?", sentence, re.IGNORECASE):
        return "mfu"
    return "hfu" if re.search(r"HFU|hardware FLOPs?", sentence, re.IGNORECASE) else "judgement"


# Accepting


def accept(candidates: Mapping[str, Any], ticks: Any, family: str | None = None) -> str:
    """The record of the ticked choices: `ticks` is {"model": …, "ticks": {kind: place from 1 on}}. Raises DraftError."""
    draft = of_json(candidates)
    chosen = _chosen(draft, ticks)
    quotes: dict[str, tuple[str, dict[str, str]]] = {}
    facts: dict[str, str] = {}
    for kind, choice in chosen.items():
        names = []
        for quote in choice.quotes:
            known = quotes.get(quote["text"])
            name = known[0] if known else _unused(kind.replace("_", "-"), {name for name, _ in quotes.values()})
            quotes.setdefault(quote["text"], (name, quote))
            names.append(name)
        facts[kind] = fact_text(choice, names)
    return "\n".join([*_head(draft), *_quotes_text(quotes, draft), *_facts_text(facts, chosen, family)]) + "\n"


def of_json(content: Any) -> Draft:
    """The draft of the content of candidates.json. Raises DraftError."""
    try:
        return Draft.model_validate(content)
    except ValidationError:
        raise DraftError("candidates.json is not of `flopledger draft --out`; make it again") from None


def _chosen(draft: Draft, ticks: Any) -> dict[str, Choice]:
    if not isinstance(ticks, dict) or not isinstance(ticks.get("ticks"), dict):
        raise DraftError('no ticks: the file has {"model": …, "ticks": {"parameters": 1, …}}')
    problems = []
    if ticks.get("model") != draft.model:
        problems.append(f"ticks are of {ticks.get('model')!r}, the candidates of {draft.model!r}")
    chosen = {}
    for kind, place in ticks["ticks"].items():
        choices = draft.choices.get(kind, [])
        if not isinstance(place, int) or isinstance(place, bool) or not 0 <= place <= len(choices):
            problems.append(f"{kind}: {place!r} is no choice; there are {len(choices)}")
        elif place:
            chosen[kind] = choices[place - 1]
    if problems:
        raise DraftError("\n".join(problems))
    if not chosen:
        raise DraftError("nothing is ticked")
    return chosen


def _quotes_text(quotes: Mapping[str, tuple[str, dict[str, str]]], draft: Draft) -> list[str]:
    lines = ["quotes:"]
    for text, (name, quote) in quotes.items():
        where = f"where: {_text(quote['where'])}, " if quote["where"] else ""
        found_at = draft.sources[quote["source"]]["found_at"]
        lines.append(
            f"  {name}: {{source: {quote['source']}, {where}text: {_text(text)}, found_at: {_text(found_at)}}}"
        )
    return lines


def _facts_text(facts: Mapping[str, str], chosen: Mapping[str, Choice], family: str | None) -> list[str]:
    lines = [f"{kind}: {text}" for kind, text in facts.items() if "." not in kinds.BY_NAME[kind].path]
    of_network = {kind: text for kind, text in facts.items() if kinds.BY_NAME[kind].path.startswith("architecture.")}
    if of_network:
        mark = "" if family else "# "
        lines += [
            f"{mark}architecture:",
            f"{mark}  family: {family or '…  # state it (pipeline/architectures), then take the marks off'}",
        ]
        lines += [f"{mark}  {kind}: {float(chosen[kind].written):.0f}" for kind in of_network]
        lines.append(f"{mark}  evidence:")
        for kind, text in of_network.items():
            rest = re.sub(r"^\{value: [^,]+, ", "", text)[:-1]
            lines.append(f"{mark}    - {{covers: [{kind}], {rest}}}")
    inner = {kind: text for kind, text in facts.items() if kinds.BY_NAME[kind].path.startswith("training")}
    if inner:
        lines += ["training:", "  - phase: pretraining", f"    example_unit: {_example_unit(chosen)}"]
        lines += [f"    {kind}: {text}" for kind, text in inner.items() if ".hardware" not in kinds.BY_NAME[kind].path]
        hardware = [f"{kind}: {text}" for kind, text in inner.items() if ".hardware" in kinds.BY_NAME[kind].path]
        if hardware:
            lines.append("    hardware:")
            lines += [f"      {'- ' if place == 0 else '  '}{text}" for place, text in enumerate(hardware)]
    return lines


def _example_unit(chosen: Mapping[str, Choice]) -> str:
    if "examples" in chosen:
        quote = chosen["examples"].quotes[0]
        after = quote["text"].partition(quote["figure"])[2]
        places = {
            unit: word.start()
            for unit, words in EXAMPLE_UNITS.items()
            if (word := re.search(rf"\b(?:{words})\b", after))
        }
        if places:
            return min(places, key=places.__getitem__)
    return '""'
