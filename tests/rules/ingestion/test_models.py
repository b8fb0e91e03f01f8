"""Rows of the facts about each model as a whole, from records of models."""

import dataclasses

import pytest

from pipeline.rules.ingestion import models
from schemas.records import Model
from tests.builders import fact, miniature_defaults, subject


def records_of(**given):
    return dataclasses.replace(
        miniature_defaults(), models={name: Model.model_validate(each) for name, each in given.items()}
    )


def row_of(*args, **model):
    (row,) = models.models(records_of(subject=subject(*args, **model)))
    return row


def test_a_model_has_a_part_for_itself_and_for_each_base():
    given = records_of(base=subject(), tuned=subject(base_model="base"), twice=subject(base_model="tuned"))
    found = [(row["model_id"], row["part_id"]) for row in models.lineages(given)]
    assert found == [("base", "base"), ("tuned", "tuned"), ("tuned", "base"), ("twice", "twice"), ("twice", "tuned"), ("twice", "base")]  # fmt: skip


@pytest.mark.parametrize(
    ("hardware", "named"),
    [
        ([{"chip": "Tensor Chip"}, {"chip": "SC-1"}, {"chip": "tensor-chip"}], "small-chip + tensor-chip"),
        ([{"chip": "Tensor Chip"}, {"chips": 8}], None),  # one of the two chips is unknown
        ([], None),
    ],
)
def test_chips_are_named_where_all_are_known(hardware, named):
    assert row_of(hardware)["hardware"] == named


@pytest.mark.parametrize(
    ("published", "middle", "precision"),
    [
        ("1958", "1958-07-02", "year"),
        ("2020", "2020-07-02", "year"),  # 183 days of 366
        ("2012-12", "2012-12-16", "month"),
        ("2023-02", "2023-02-15", "month"),
        ("2012-12-31", "2012-12-31", "day"),
    ],
)
def test_a_date_stands_in_the_middle_of_its_period(published, middle, precision):
    row = row_of(published=published)
    assert (str(row["published_date"]), row["published_precision"]) == (middle, precision)
    assert row["published_year"] == int(published[:4])


def test_the_publication_is_the_authors_own_first():
    sources = {
        "news": {"kind": "press", "title": "News", "url": "https://news.example.org"},
        "card": {"kind": "official", "title": "Card", "url": "https://card.example.org"},
        "paper": {"kind": "authors", "title": "Paper"},
        "code": {"kind": "authors", "title": "Code", "url": "https://code.example.org"},
        "same": {"kind": "authors", "title": "Code again", "url": "https://code.example.org"},
    }
    row = row_of(sources=sources)
    assert row["source_url"] == "https://code.example.org"
    assert row["sources"] == "Paper | https://card.example.org | https://code.example.org | https://news.example.org"
    assert row_of()["source_url"] is None  # only a title
    assert row_of(sources={"paper": sources["news"]})["source_url"] is None  # written by others


def test_chips_are_the_most_that_a_phase_states():
    assert row_of([{"chips": 8}, {"chips": 64}, {"chip": "Tensor Chip"}])["chips"] == 64
    assert row_of([{"chip": "Tensor Chip"}])["chips"] is None


def test_the_middle_of_a_range_of_chips_is_a_whole_number():
    phase = {"phase": "p", "example_unit": "token", "hardware": [{"chips": {"low": 48, "high": 96, "source": "paper"}}]}
    assert row_of(training=[phase])["chips"] == 68  # 48 x 2^(1/2) = 67.88


def test_evidence_is_that_of_the_weakest_fact():
    """Facts of training are on data and time; facts of the network are those from which operations are counted."""
    quotes = {"q": {"source": "paper", "text": "one", "found_at": "https://example.org"}}
    quoted, table = {"quote": "q"}, {"source": "paper", "via": "table 1"}
    phase = {"phase": "p", "example_unit": "token", "examples": {"value": 1e9, **quoted}, "epochs": {"value": 1, **table}}  # fmt: skip
    counted = {"network": "decoder_only", "parameters": {"value": 1e9, **quoted}}
    row = row_of(training=[phase], quotes=quotes, **counted)
    assert (row["training_evidence"], row["network_evidence"]) == ("table", "quoted")
    row = row_of(training=[{**phase, "epochs": {"value": 1, "source": "paper"}}], quotes=quotes, **counted)
    assert row["training_evidence"] == "unseen"
    row = row_of(training=[{**phase, "epochs": {"value": 1, **quoted}}], quotes=quotes, parameters=fact(1e9))
    assert row["training_evidence"] == "quoted"
    assert row["network_evidence"] is None  # parameters from which nothing is counted
    moves = {"moves": {"low": 1.0, "high": 2.0, "reason": "A guess."}}
    row = row_of(
        training=[{**phase, "epochs": {"low": 1, "high": 2, "derived": "moves"}}], quotes=quotes, assumptions=moves
    )
    assert row["training_evidence"] == "assumed"


def test_a_phase_without_hardware_is_timed_with_another_or_not_at_all():
    phase, timed = {"phase": "a", "example_unit": "token"}, {"phase": "b", "example_unit": "token", "hardware": [{"chips": fact(8)}]}  # fmt: skip
    assert row_of(training=[phase, timed])["has_untimed_phase"] is True
    assert row_of(training=[{**phase, "timed_with": "b"}, timed])["has_untimed_phase"] is False


def test_a_reported_total_says_how_its_authors_came_to_it():
    row = row_of(reported_flop=fact("1e20 FLOP", method="gpu_time"))
    assert (row["reported_flop"], row["reported_method"]) == (1e20, "gpu_time")
    assert row_of()["reported_method"] is None


@pytest.mark.parametrize(
    ("stated", "found"),
    [({"convention": "full_attention"}, "full_attention"), ({"convention": "hardware"}, "hardware"), ({}, None)],
)
def test_a_reported_total_says_which_operations_it_counts(stated, found):
    row = row_of(reported_flop=fact("1e20 FLOP", method="unknown", **stated))
    assert row["reported_convention"] == found
    assert row["is_reported_hardware_flop"] == (found == "hardware")


@pytest.mark.parametrize(
    ("dispute", "found"),
    [
        ({"cause": "machine", "reason": "No chip is named."}, ("machine", "No chip is named.", None)),
        ({"cause": "data", "reason": "They say:", "quote": "passes"}, ("data", "They say: “about forty passes”", None)),
        ({"cause": "data", "quote": "passes", "sides_with": "time"}, ("data", "“about forty passes”", "time")),
        (None, (None, None, None)),
    ],
)
def test_a_dispute_has_the_cause_and_words_of_its_record(dispute, found):
    quotes = {"passes": {"source": "paper", "text": "about forty passes", "found_at": "page 2"}}
    row = row_of(quotes=quotes, dispute=dispute)
    assert tuple(row[f"dispute_{name}"] for name in ("stated_cause", "reason", "sides_with")) == found


@pytest.mark.parametrize(
    ("kind", "time", "shared"),
    [
        ("analysis", "told", "training[0].examples"),  # who guesses both may have worked one out from the other
        ("press", "told", "training[0].examples"),
        ("authors", "told", None),
        ("analysis", "paper", None),
    ],
)
def test_data_and_time_of_one_outsider_are_one_source(kind, time, shared):
    sources = {"told": {"kind": kind, "title": "t", "year": 2023}, "paper": {"kind": "authors", "title": "p", "year": 2023}}  # fmt: skip
    hours = [{"chip": fact("tensor-chip"), "chips": fact(1000), "duration": {"value": "30 day", "source": time}}]
    phase = {"phase": "p", "example_unit": "token", "examples": {"value": 1e12, "source": "told"}, "epochs": fact(1), "hardware": hours}  # fmt: skip
    assert row_of(training=[phase], sources=sources)["shared_input"] == shared
