"""Sentences about a model: every kind in the ledger, which follow a user's params.yaml in numbers and texts."""

import pytest

from pipeline.rules import dispute_sentences
from schemas.params import Params
from schemas.vocabulary import EvidenceClass
from tests.builders import allocation_facts, fact, facts_of, made_together, parameters, subject

# 3 x 288e6 x 1e12 = 8.64e20, a third of 1000 chips x 86,400 s x 1e14 x 0.3 = 2.592e21
RANGE = {"example_unit": "token", "examples": {"low": 2e11, "high": 5e12, "source": "paper"}, "epochs": fact(1), "precision": fact("fp16")}  # fmt: skip
DISPUTED = subject(
    training=[{"phase": "pretraining", **RANGE, "hardware": [allocation_facts("tensor-chip")]}],
    forward_flop=fact("288e6 FLOP"),
)
ONE_PASS = subject(
    training=[{"phase": "pretraining", **facts_of({"example_unit": "token", "examples": 1e12})}], **parameters(1e9)
)
NAMES = ("estimates", "sentences")


def rows_of_both(folder, params, **choices):
    """Return rows of `estimates` and `sentences` of both models, with these settings instead of the ledger's."""
    blocks = params.model_dump()
    for block, stated in choices.items():
        blocks[block] |= stated
    models = made_together(folder, [DISPUTED, ONE_PASS], NAMES, Params(**blocks))
    return [{**one["estimates"][0], **dict(*one["sentences"])} for one in models]


def test_a_users_ratio_of_disputes_is_followed_in_numbers_and_texts(tmp_path, params):
    """The count is a third of the GPU time: it needs 3 / 2 times the data for 2x, 3 / 2.5 times for 2.5x."""
    ours, _ = rows_of_both(tmp_path, params)
    assert (ours["is_disputed"], ours["dispute_cause"]) == (True, "data")
    assert ours["dispute_sentence"].endswith("; 1.5x more would end the dispute).")
    theirs, _ = rows_of_both(tmp_path, params, reconcile={"dispute_ratio": 2.5})
    assert theirs["dispute_sentence"].endswith("; 1.2x more would end the dispute).")
    none, _ = rows_of_both(tmp_path, params, reconcile={"dispute_ratio": 4.0})
    assert (none["is_disputed"], none["dispute_cause"], "dispute_sentence" in none) == (False, None, False)


def test_a_users_first_year_of_one_pass_is_followed_in_numbers_and_texts(tmp_path, params):
    """Published in 2021, one pass assumed: ln 1.5 is within the 90 % of a weak count; ln 4 gives 4^1.644854 = 9.78."""
    _, ours = rows_of_both(tmp_path, params)
    _, theirs = rows_of_both(tmp_path, params, impute={"one_pass_first_year": 2022})
    assert ours["training_flop_high"] / ours["training_flop"] == pytest.approx(2.3748, rel=1e-4)
    assert theirs["training_flop_high"] / theirs["training_flop"] == pytest.approx(4**1.644854, rel=1e-4)


def test_every_dispute_has_its_sentences_and_nothing_else_has(tables):
    disputed = {row["model_id"] for row in tables["estimates"] if row["is_disputed"]}
    assert {row["model_id"] for row in tables["sentences"]} == disputed
    assert all(row["dispute_sentence"] for row in tables["sentences"])
    assert {row["evidence_class"] for row in tables["estimates"]} - {None} == {word.value for word in EvidenceClass}


RUN = {"is_cause_stated": False, "method_ratio": 0.25, "implied_utilization_fraction": 0.06, "like_low_fraction": 0.2,
       "like_high_fraction": 0.3}  # fmt: skip


@pytest.mark.parametrize(("cause", "run", "words"), [
    ("slow_unlike_others", {}, "Unexplained; the count implies 6 % of the peak (similar runs are expected to reach 20 % to 30 %)."),
    ("slow_as_like_runs", {"like_low_fraction": None}, "Unexplained; the count implies 6 % of the peak."),
    ("slow_unlike_others", {"is_cause_stated": True, "dispute_reason": "The log shows it."}, "The log shows it."),
    ("machine", {"like_low_fraction": None}, "Chip, precision, number or time is not certain."),
])  # fmt: skip
def test_a_dispute_says_what_its_run_shows(cause, run, words):
    assert dispute_sentences._dispute(RUN | {"dispute_cause": cause} | run) == words
