"""How well candidates find the facts that records quote: by kind, domain and form, on papers whose text stood aside while rules were written.

`python -m tests.benchmarks.draft_accuracy FOLDER` reads papers from FOLDER (html/2205.01068.html, pdf/…, tex/…; none is part of the ledger), names those that
are absent, and prints the tables. `--fit` fits the weights to the half that is looked at. Papers are split by the checksum of their arXiv
number and SEED, so that the halves are the same everywhere.
"""

import argparse
import hashlib
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from pipeline.drafting import kinds, proposals, ranking, reading
from pipeline.drafting.candidates import Extractor, Occurrence
from pipeline.drafting.checking import ARXIV
from pipeline.drafting.contradictions import factors, is_as_written, is_definition, kind_of, stands, values_of
from pipeline.drafting.documents import Document, UnreadableError
from pipeline.drafting.figures import is_same
from pipeline.drafting.locating import Index
from pipeline.drafting.names import Target, others_of
from pipeline.paths import ROOT
from pipeline.records import ledger
from schemas import records as schema
from schemas.facts import Seen
from schemas.records import Model, Records

SEED = "flop-ledger-draft-1"
FORMS = {"html": "html", "pdf": "pdf", "tex": "tex"}  # folder, ending
PENALTY = 2.0  # of the weights' squares


# Arithmetic that proposals.py is meant for: sequences times their length, nodes times chips, cores over two, times the batch.
NAMED = re.compile(r"\d[\d.e]*(?:\*\d[\d.e]*){1,2}\*?|\d[\d.e]*\*?/2|\d[\d.e]*\*?/\d[\d.e]*\*?")
NAMED_KINDS = ("batch", "chips", "examples", "epochs", "feed_forward_width", "sequence_length", "steps")


@dataclass(frozen=True)
class Known:
    """A fact that a record quotes from a paper. `sort` is as_is, definition, arithmetic or absent (its words are not in this text)."""

    model: str
    paper: str
    path: str
    kind: str
    values: tuple[float | str, ...]
    sort: str


def known_facts(identifier: str, record: Model, paper: str, source: str, index: Index) -> Iterator[Known]:
    """The facts of the twenty kinds that a record quotes from this source."""
    matches = {name: index.locate(quote.text).match for name, quote in record.quotes.items() if quote.source == source}
    for path, fact in schema.facts(record):
        kind, values = kind_of(path), values_of(fact)
        if kind and values and any(name in matches for name in fact.quote):
            sort = _sort(kind, fact) if stands(fact, matches) else "absent"
            yield Known(identifier, paper, path, kind, values, sort)


def _sort(kind: str, fact: Seen) -> str:
    if is_definition(kind, fact):
        return "definition"
    if is_as_written(kind, fact):
        return "as_is"
    is_named = NAMED.fullmatch(factors(fact).replace(" ", "").replace("**", "*").strip("*"))
    return "named arithmetic" if is_named and kind in NAMED_KINDS else "arithmetic"


@dataclass
class Case:
    """One model in one paper of one form: its known facts and the occurrences found."""

    model: str
    paper: str
    form: str
    domain: str
    known: list[Known]
    kinds_of_record: set[str]
    occurrences: list[Occurrence]


def is_scored(paper: str) -> bool:
    """Whether a paper belongs to the half that is scored and not read."""
    return hashlib.sha256(f"{SEED}:{paper}".encode()).digest()[0] % 2 == 0


def papers(folder: Path, form: str) -> dict[str, Path]:
    """Files of papers by arXiv number."""
    found = {}
    for path in sorted((folder / form).glob(f"*.{FORMS[form]}")):
        number = ARXIV.search(path.name)
        if number:
            found[number[1]] = path
    return found


def cited(records: Records) -> dict[str, list[tuple[str, str]]]:
    """Models and the keys of their sources, by arXiv number."""
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for identifier, record in sorted(records.models.items()):
        for key, source in record.sources.items():
            number = ARXIV.search(source.url or "")
            if number and any(quote.source == key for quote in record.quotes.values()):
                found[number[1]].append((identifier, key))
    return found


def cases(folder: Path, form: str, records: Records, scored: bool) -> list[Case]:
    """Every model in every paper of a form that is there, of one half."""
    made = []
    chips = records.chip_ids()
    available = papers(folder, form)
    for paper, models in sorted(cited(records).items()):
        if is_scored(paper) != scored or paper not in available:
            continue
        try:
            document = reading.parse(available[paper])
        except UnreadableError as problem:
            print(f"{paper}: {problem}", file=sys.stderr)
            continue
        made += list(_of_document(document, paper, form, models, records, chips))
    return made


def _of_document(
    document: Document, paper: str, form: str, models: list[tuple[str, str]], records: Records, chips: Mapping[str, str]
) -> Iterator[Case]:
    index = Index(document)
    for identifier, key in models:
        record = records.models[identifier]
        target = Target(record.name, tuple(record.aliases), others_of(records, record.name))
        if not any(target.is_named(passage.text) for passage in document.passages) and not target.family_pattern.search(
            document.title
        ):
            continue  # the paper of another model, which the record cites for something else
        known = list(known_facts(identifier, record, paper, key, index))
        if known:
            every = {kind for path, _ in schema.facts(record) if (kind := kind_of(path))}
            yield Case(
                identifier,
                paper,
                form,
                record.domain.value,
                known,
                every,
                Extractor(target, chips).occurrences(document),
            )


# Fitting


def fit(every: list[Case]) -> dict[str, float]:
    """Weights that make the facts of these cases most probable, with a penalty on their squares; each paper counts alike whatever its models."""
    names: dict[str, int] = {}
    rows: list[dict[int, float]] = []
    groups: list[tuple[int, int, list[int], float]] = []  # first row, end, rows that are right, weight
    count = Counter(case.paper for case in every)
    for case in every:
        for kind in kinds.BY_NAME:
            gold = [each for each in case.known if each.kind == kind and each.sort != "absent"]
            if not gold and kind in case.kinds_of_record:
                continue  # the record has it from elsewhere: the paper may state it or not
            if not gold and any(each.kind == kind for each in case.known):
                continue
            own = [each for each in case.occurrences if each.kind == kind]
            right = [
                place
                for place, each in enumerate(own)
                if any(each.is_value(value) for fact in gold for value in fact.values)
            ]
            if gold and not right or not own:
                continue
            start = len(rows)
            rows.append({names.setdefault(ranking.NOTHING + kind, len(names)): 1.0})
            rows += [
                {names.setdefault(name, len(names)): value for name, value in each.features.items()} for each in own
            ]
            groups.append(
                (start, len(rows), [start + 1 + place for place in right] or [start], count[case.paper] ** -0.5)
            )
    matrix = np.zeros((len(rows), len(names)))
    for place, row in enumerate(rows):
        for column, value in row.items():
            matrix[place, column] = value

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        scores = matrix @ weights
        total, slope = PENALTY / 2 * float(weights @ weights), PENALTY * weights
        change = np.zeros(len(rows))
        for start, end, right, weight in groups:
            own = scores[start:end]
            probability = np.exp(own - own.max())
            probability /= probability.sum()
            of_right = np.zeros(end - start)
            places = np.array(right) - start
            mass = probability[places].sum()
            of_right[places] = probability[places] / max(mass, 1e-300)
            total -= weight * float(np.log(max(mass, 1e-300)))
            change[start:end] = weight * (probability - of_right)
        return total, slope + matrix.T @ change

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return {name: round(float(found.x[place]), 4) for name, place in sorted(names.items())}


# Scores


@dataclass(frozen=True)
class Placed:
    """A known fact and the place of the first candidate that has its value; None where none has."""

    known: Known
    domain: str
    place: int | None
    is_proposed: bool  # by arithmetic


def placed(every: Iterable[Case], weights: Mapping[str, float]) -> list[Placed]:
    """The place of every known fact among the candidates of its kind."""
    made = []
    for case in every:
        candidates = ranking.ranked(case.occurrences, weights)
        worked_out = proposals.proposals(candidates)
        for fact in case.known:
            own = candidates.get(fact.kind, [])
            place = next(
                (
                    number
                    for number, each in enumerate(own, 1)
                    if any(each.best.is_value(value) for value in fact.values)
                ),
                None,
            )
            is_proposed = any(
                each.kind == fact.kind and is_same(each.value, value)
                for each in worked_out
                for value in fact.values
                if isinstance(value, float)
            )
            made.append(Placed(fact, case.domain, place, is_proposed))
    return made


def share(found: Iterable[Placed], most: int) -> float:
    """Share of facts among the first `most` candidates."""
    every = list(found)
    return sum(each.place is not None and each.place <= most for each in every) / len(every) if every else float("nan")


def sure(every: Iterable[Case], weights: Mapping[str, float]) -> tuple[int, int]:
    """How many candidates marked as sure are right, of how many, among kinds that the record quotes from the paper."""
    right = marked = 0
    for case in every:
        for kind, own in ranking.ranked(case.occurrences, weights).items():
            gold = [fact for fact in case.known if fact.kind == kind and fact.sort == "as_is"]
            if gold and own[0].probability >= ranking.SURE:
                marked += 1
                right += any(own[0].best.is_value(value) for fact in gold for value in fact.values)
    return right, marked


def lacking(every: Iterable[Case], weights: Mapping[str, float]) -> tuple[int, int]:
    """How many proposed kinds the record does not have at all, of how many proposed: kinds whose first candidate is more probable than nothing."""
    absent = proposed = 0
    for case in every:
        for kind, own in ranking.ranked(case.occurrences, weights).items():
            nothing = 1 - sum(each.probability for each in own)
            if own[0].probability > nothing:
                proposed += 1
                absent += kind not in case.kinds_of_record
    return absent, proposed


def report(every: list[Case], weights: Mapping[str, float], title: str) -> list[str]:
    """The tables of one half in one form."""
    found = placed(every, weights)
    plain = [each for each in found if each.known.sort == "as_is"]
    by_paper: dict[str, list[Placed]] = defaultdict(list)
    for each in plain:
        by_paper[each.known.paper].append(each)
    lines = [f"{title}: {len(by_paper)} papers, {len(every)} models, {len(found)} facts ({_counts(found)})"]
    lines.append(_line("all facts", plain))
    mean = [sum(share(own, most) for own in by_paper.values()) / max(len(by_paper), 1) for most in (1, 3, 10)]
    lines.append(f"  {'mean of papers':<24}{len(by_paper):>5} {mean[0]:>7.2f}{mean[1]:>7.2f}{mean[2]:>7.2f}")
    lines.append(_line("language", [each for each in plain if each.domain == "language"]))
    lines.append(_line("other domains", [each for each in plain if each.domain != "language"]))
    lines += [
        _line(kind, own) for kind in kinds.BY_NAME if (own := [each for each in plain if each.known.kind == kind])
    ]
    for sort in ("named arithmetic", "arithmetic", "definition"):
        own = [each for each in found if each.known.sort == sort]
        right = sum(each.is_proposed or (each.place or 11) <= 3 for each in own)
        lines.append(f"  by {sort}: {right} of {len(own)} proposed")
    right, marked = sure(every, weights)
    absent, proposed = lacking(every, weights)
    lines.append(
        f"  marked sure: {right} of {marked} right; kinds proposed that the record lacks: {absent} of {proposed}"
    )
    return lines


def _counts(found: Iterable[Placed]) -> str:
    return ", ".join(f"{number} {sort}" for sort, number in sorted(Counter(each.known.sort for each in found).items()))


def _line(name: str, found: list[Placed]) -> str:
    return f"  {name:<24}{len(found):>5} " + "".join(f"{share(found, most):>7.2f}" for most in (1, 3, 10))


def main(words: list[str] | None = None) -> None:
    """Prints the tables; with --fit first fits the weights and writes them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "folder", type=Path, nargs="?", default=ROOT / "papers", help="folder of papers: html/, pdf/, tex/"
    )
    parser.add_argument("--fit", action="store_true", help="fit weights.json to the half that is looked at")
    parser.add_argument("--half", choices=["looked-at", "scored", "both"], default="both")
    parser.add_argument("--form", choices=[*FORMS, "all"], default="all")
    given = parser.parse_args(words)
    records = ledger.load_among()
    forms = list(FORMS) if given.form == "all" else [given.form]
    absent = [number for number in cited(records) if not any(number in papers(given.folder, form) for form in FORMS)]
    print(
        f"{len(absent)} of {len(cited(records))} cited papers are not in {given.folder} and are skipped: {' '.join(sorted(absent))}"
    )
    if len(absent) == len(cited(records)):
        return
    if given.fit:
        seen = [case for form in ("html", "tex") for case in cases(given.folder, form, records, scored=False)]
        weights = fit(seen)
        written = {
            "about": f"Fitted by `python -m tests.benchmarks.draft_accuracy --fit` to the looked-at half; seed {SEED}.",
            "weights": weights,
        }
        ranking.WEIGHTS.write_text(json.dumps(written, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
        ranking.fitted.cache_clear()
    weights = ranking.fitted()
    for form in forms:
        for name, scored in (("looked-at half", False), ("scored half", True)):
            if given.half in (name.split()[0], "both"):
                print("\n".join(report(cases(given.folder, form, records, scored), weights, f"{form}, {name}")))


if __name__ == "__main__":
    main()
