"""Rows of facts and of the words that support them, for one record with a fact of every kind of evidence."""

import pytest

from pipeline.records import loading
from pipeline.rules.ingestion import external, facts, source_of
from schemas.facts import Quote
from schemas.records import Record, Setting, Source

RECORD = """\
name: Net
organization: A university
organization_kind: academia
published: 2020
domain: vision
scope: single
sources: {paper: {kind: authors, title: A paper}, blog: {kind: official, title: A post}}
quotes:
  games: {source: paper, where: section 2, text: 29 million games, read_in: conversion, found_at: github-copy:1}
  moves: {source: blog, text: 200 moves each, found_at: "https://example.org"}
  total: {source: blog, where: table 3, text: 2e20 FLOP, found_at: "https://example.org"}
connections: {value: 60, source: paper}
training:
  - phase: pretraining
    example_unit: game_position
    examples: {value: 5.8e9, quote: [games, moves], derived: 29e6 * 200}
    epochs: {value: 1, source: paper, via: "table 1", note: A remark.}
external_estimates:
  - {id: blog, value: 2e20 FLOP, quote: total, inputs: same_time, labelled_before: true, outcome: agrees, method: gpu_time}
  - {id: talk, value: 1 petaflop, source: paper, inputs: own, outcome: differs, note: One phase.}
"""
ON_THE_WEB = {"source": "blog", "read_in": None, "found_at": "https://example.org"}
GAMES = {"source": "paper", "text": "29 million games", "locator": "section 2", "read_in": "conversion", "found_at": "github-copy:1"}  # fmt: skip
MOVES = {**ON_THE_WEB, "text": "200 moves each", "locator": None}
TOTAL = {**ON_THE_WEB, "text": "2e20 FLOP", "locator": "table 3"}
KEY = {"record_kind": "models", "record_id": "net"}


@pytest.fixture
def records(tmp_path):
    (tmp_path / "net.yaml").write_text(RECORD)
    return loading.load([tmp_path / "net.yaml"])


def test_a_fact_has_a_source_and_its_words(records):
    found = {row["path"]: row for row in facts.facts(records)}
    assert found["training[0].examples"] == {
        **KEY, "model_id": "net", "path": "training[0].examples", "written": "5800000000", "amount": 5.8e9, "unit": None, "bound": None, "evidence": "quoted",
        "source": "paper", "title": "A paper", "url": None, "text": "29 million games", "found_at": "github-copy:1", "locator": "section 2", "via": None, "derived": "29e6 * 200", "assumptions": None, "assumption_reasons": None, "note": None,
        "inherited_from": None, "fact_status": "makers",
    }  # fmt: skip
    seen = {path: (row["evidence"], row["source"], row["text"], row["via"]) for path, row in found.items()}
    assert seen["training[0].epochs"] == ("table", "paper", None, "table 1")
    assert seen["connections"] == ("unseen", "paper", None, None)
    assert seen["external_estimates[0]"] == ("quoted", "blog", "2e20 FLOP", None)


@pytest.mark.parametrize(("stated", "quotes", "source"), [
    (24, {"authors": "as BERT", "third_party": "24 layers"}, "third_party"),
    (24, {"third_party": "24 layers", "authors": "L=24"}, "authors"),
    (24, {"press": "24", "third_party": "24 layers", "authors": "as BERT", "analysis": "24"}, "press"),
    ("2 * 12", {"authors": "12 each", "third_party": "2 stacks"}, "third_party"),  # one factor
    ("2 * 12", {"third_party": "24", "authors": "2 of 12"}, "authors"),
    ("base", {"third_party": "deep", "authors": "12"}, "third_party"),  # without a figure: the first
])  # fmt: skip
def test_makers_state_a_fact_if_they_have_its_figure(stated, quotes, source):
    record = Record.model_construct(
        sources={kind: Source.model_construct(kind=kind) for kind in quotes},
        quotes={kind: Quote.model_construct(source=kind, text=text) for kind, text in quotes.items()},
    )
    value = str(stated if isinstance(stated, int) else "24" if "*" in stated else "deep")
    fact = Setting.model_construct(value=value, derived=stated if isinstance(stated, str) else None, quote=[*quotes])
    assert source_of(record, fact) == source


def test_every_sentence_stands_once(records):
    assert list(facts.quotes(records)) == [{**KEY, **words} for words in (GAMES, MOVES, TOTAL)]


def test_a_fact_rests_on_its_quotes_in_its_order(records):
    assert list(facts.fact_quotes(records)) == [
        {**KEY, "path": "training[0].examples", "quote_index": 0, **GAMES},
        {**KEY, "path": "training[0].examples", "quote_index": 1, **MOVES},
        {**KEY, "path": "external_estimates[0]", "quote_index": 0, **TOTAL},
    ]


def test_an_external_estimate_has_its_id_and_its_words(records):
    words = {name: TOTAL[name] for name in ("source", "locator", "text", "found_at")} | {"title": "A post", "url": None}
    theirs = dict.fromkeys(("stated_bound", "stated_flop_low", "stated_flop_high", "stated_confidence"))
    assert external.external_estimates(records) == [
        {
            "model_id": "net", "external_estimate_id": "blog", "stated_flop": 2e20, **theirs, "stated_method": "gpu_time", "inputs": "same_time", "labelled_before": True, "outcome": "agrees",
            "evidence": "quoted", **words, "via": None, "note": None,
        },
        {
            "model_id": "net", "external_estimate_id": "talk", "stated_flop": 1e15, **theirs, "stated_method": None, "inputs": "own", "labelled_before": None, "outcome": "differs",
            "evidence": "unseen", "source": "paper", "title": "A paper", "url": None, **dict.fromkeys(("locator", "text", "found_at", "via")), "note": "One phase.",
        },
    ]  # fmt: skip


def test_what_a_user_states_has_no_source(tmp_path):
    bare = RECORD.split("sources:")[0] + "stated_by_user: true\nconnections: {value: 60}\n"
    (tmp_path / "own.yaml").write_text(bare)
    (row,) = facts.facts(loading.load([tmp_path / "own.yaml"]))
    assert (row["path"], row["evidence"], row["source"]) == ("connections", "stated_by_user", None)


def test_a_bound_says_which_end_it_is(tmp_path):
    bounded = RECORD.replace("connections: {value: 60", "connections: {at_least: 60")
    (tmp_path / "net.yaml").write_text(bounded)
    found = {row["path"]: row for row in facts.facts(loading.load([tmp_path / "net.yaml"]))}
    row = found["connections"]
    assert (row["written"], row["amount"], row["bound"]) == ("at least 60", 60, "at_least")


def test_a_fact_names_what_it_assumes(tmp_path):
    """Its other factors remain quoted; a fact with only assumed factors is assumed."""
    moves = "assumptions: {moves: {low: 150, high: 250, reason: By the size of the board.}}\n"
    assuming = RECORD.replace(
        "connections: {value: 60, source: paper}\n", f"{moves}connections: {{low: 150, high: 250, derived: moves}}\n"
    )
    assuming = assuming.replace("{value: 5.8e9,", "{low: 4.35e9, high: 7.25e9,").replace("29e6 * 200", "29e6 * moves")
    (tmp_path / "net.yaml").write_text(assuming)
    found = {row["path"]: row for row in facts.facts(loading.load([tmp_path / "net.yaml"]))}
    keys = ("evidence", "fact_status", "source", "assumptions")
    shown = {path: tuple(row[key] for key in keys) for path, row in found.items()}
    assert shown["training[0].examples"] == ("quoted", "assumed", "paper", "moves")
    assert shown["connections"] == ("assumed", "assumed", None, "moves")


def test_what_was_not_found_says_where_it_was_looked_for(tmp_path):
    missing = "missing: [steps, {fact: precision, looked_in: [paper, blog], would_settle: The code.}, steps]\n"
    (tmp_path / "net.yaml").write_text(RECORD + missing)
    assert facts.missing_facts(loading.load([tmp_path / "net.yaml"])) == [
        {"model_id": "net", "path": "steps", "looked_in": None, "would_settle": None},
        {"model_id": "net", "path": "precision", "looked_in": "paper | blog", "would_settle": "The code."},
    ]
