"""Accounts unlike any in the ledger: half of it unknown, with hostile text, or very long."""

import copy
import random
import re

import pytest

from pipeline.answers import account_text, output
from pipeline.publishing import account, database

CONTROLS = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.fixture(scope="module")
def accounts():
    with database.reading() as book:
        return list(account.accounts(book, ["alphago-zero", "flan-palm-540b", "gpt-3", "gpt-4", "seq2seq"], None))


def texts(model_account):
    return [*account_text.screen(model_account), *account_text.explanation(model_account)]


def without_some(value, draw):
    """Return the account with a third of all numbers unknown and some items of each list missing, except where null is not allowed."""
    if isinstance(value, dict):
        return {key: held if key in NEVER_NULL else without_some(held, draw) for key, held in value.items()}
    if isinstance(value, list):
        return [without_some(held, draw) for held in value if draw.random() > 0.2]
    return None if not isinstance(value, str) and draw.random() < 0.3 else value


NEVER_NULL = {"model_id", "name", "phase", "example_unit", "allocation", "path", "label", "value", "evidence", "external_estimate_id",
              "word", "published", "organization", "training_flop", "training_flop_low", "training_flop_high", "source", "title", "flop",
              "precision_rule", "figure", "explanation", "cause", "sentence", "would_settle", "text", "account_version", "parts"}  # fmt: skip


def test_what_is_half_known_is_said_without_what_is_missing(accounts):
    draw = random.Random(3)
    for _ in range(40):
        for model_account in accounts:
            for line in texts(without_some(model_account, draw)):
                assert not re.search(r"\bNone\b|\bnan\b", line), line


@pytest.mark.parametrize(("group", "changes", "words"), [
    ("phases", {"examples_class": "assumed"}, " x 3e11 tokens (partly assumed) = "),
    ("phases", {"examples_class": "unread"}, " x 3e11 tokens (partly not read) = "),
    ("allocations", {"chip_seconds_bound": "at_most"}, " V100 SXM2 × at most 14.8 days × "),
    ("allocations", {"stated_duration": "at most 14.8 day"}, " V100 SXM2 × at most 14.8 days × "),
    ("allocations", {"is_days_worked_out": True, "chip_seconds_bound": "at_most"}, "at most 3.55M hours of V100 SXM2"),
    ("allocations", {"chip_seconds_class": "assumed"}, " TFLOP/s (fp16) (partly assumed); "),
    ("allocations", {"chip_hours": None, "days": None}, "unknown hours of V100 SXM2"),
    ("allocations", {"gpu_time_flop": None}, "    no estimate: the peak of the chip is not known"),
    ("allocations", {"gpu_time_flop": None, "chip_hours": None}, "    no estimate: the number of chips or their time is"),
])  # fmt: skip
def test_a_bound_an_assumption_and_what_is_not_known_are_said(accounts, group, changes, words):
    model_account = copy.deepcopy(accounts[2])
    assert not any(words in line for line in texts(model_account))
    model_account["parts"][0][group][0] |= changes
    assert any(words in line for line in texts(model_account))


def test_words_cannot_move_the_cursor_or_turn_the_text(accounts, capsys):
    model_account = copy.deepcopy(accounts[2])
    hostile = "a\x1b[31mb\x07\u202ec\u2066d\n\te"
    model_account |= {"name": hostile, "note": hostile, "organization": hostile, "aliases": [hostile]}
    model_account["facts"]["data"][0] |= {"value": hostile, "note": hostile}
    model_account["facts"]["data"][0]["quotes"][0]["text"] = hostile
    model_account["publications"][0]["title"] = hostile
    output.tell(texts(model_account))
    shown = capsys.readouterr().out
    assert "a" in shown
    assert not CONTROLS.search(shown)


def test_ten_thousand_facts_are_ten_thousand_lines_of_a_bounded_length(accounts):
    model_account = copy.deepcopy(accounts[2])
    fact = model_account["facts"]["network"][0] | {"value": "9" * 100_000}
    model_account["facts"]["network"] = [fact] * 10_000
    lines = list(account_text.explanation(model_account))
    assert 10_000 < len(lines) < 10_200
    assert max(map(len, lines)) < 5_000
