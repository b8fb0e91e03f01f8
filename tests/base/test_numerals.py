"""Numbers as sources write them, and the values that each may have."""

import pytest

from pipeline.base.text import numerals

WORDS = {
    "a word": ("175 billion parameters", [{175e9}]),
    "a letter": ("7B model on 350k images", [{7.0, 7e9}, {350.0, 350e3}]),
    "a power": ("3.14e23 or 2.5 × 10^6 or 6·10²³", [{3.14e23}, {2.5e6}, {6e23}]),
    "a power that a conversion made flat": ("60 ⇥ 104 iterations", [{60.0, 60e4}, {104.0}]),
    "a prefix of a unit": ("312 TFLOPS", [{312.0, 312e12}]),
    "a share": ("48 % MFU, 21.3 per cent", [{0.48}, {0.213}]),
    "groups": (
        "10,000 of 1_000_000 and 762 144 586",
        [{10e3}, {1e6}, {762.0, 762144586.0}, {144.0, 144586.0}, {586.0}],
    ),
    "groups of a formula": ("$1{,}024$ and 6,1906{,}190", [{1024.0}, {6190.0}]),
    "a decimal comma": ("3,44T tokens", [{3.44, 3.44e12}]),
    "a row of a CSV": ("753851,3121742086144,950.5", [{753851.0}, {3121742086144.0}, {950.5}]),
    "cells of a table": ("| 80 | 128 | 16,384 |", [{80.0}, {128.0}, {16384.0}]),
    "number words": ("twenty-four chips for five hundred days, a million steps", [{24.0}, {500.0}, {1e6}]),
    "a range": ("from three to six million tokens", [{3.0, 3e6}, {6e6}]),
    "Chinese": ("13 亿 and 6万", [{13e8}, {6e4}]),
    "the head of its column": ("Params (M) | 675", [{675.0, 675e6}]),
    "the name of a chip": ("on H800 and A100", []),
    "a pod": ("using TPUv5e-256", [{256.0}]),
}


@pytest.mark.parametrize(("text", "worths"), WORDS.values(), ids=WORDS)
def test_what_a_number_is_worth(text, worths):
    read = [sorted(amount.worths) for amount in numerals.amounts(text)]
    assert read == [pytest.approx(sorted(some)) for some in worths]


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("two weeks on 512 GPUs", {7 * 86400.0}),
        ("GPU Hours", {3600.0}),
        ("iteration (s): 430.21", {1.0}),
        ("Train (µs)", {1e-6}),
        ("took 5d", {86400.0}),
        ("48 H100 GPU days", {86400.0}),
        ("the steps", set()),
    ],
)
def test_the_units_of_time_that_words_name(text, seconds):
    assert numerals.times(text) == seconds


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("300 billion tokens", {"text"}),
        ("1.28M images", {"image", "video"}),
        ("12,000 hours * 50 samples/sec", {"audio"}),
        ("32B samples seen", set()),
    ],
)
def test_the_kinds_of_examples_that_words_name(text, kinds):
    assert numerals.examples(text) == kinds


def test_a_long_text_is_read_in_time_that_grows_with_it():
    text = "1 " + " " * 50_000 + "2 million " + "x-" * 50_000
    assert [amount.worths for amount in numerals.amounts(text)] == [{1.0}, {2e6}]
