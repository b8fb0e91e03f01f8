"""Arithmetic in `derived`: values, the effect of assumptions, and the names and numbers in it."""

import pytest

from schemas.arithmetic import arithmetic, names, numbers, value_range


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("64 * 512", 32_768),
        ("-(3 - 5) / 4", 0.5),
        ("3.1 * 10**6", 3.1e6),
        ("five", None),
        ("(9**99)**99", None),  # overflows
        ("__import__('os')", None),
        ("2 if 1 else 3", None),
        ("True * 5e6", None),
    ],
)
def test_arithmetic_is_numbers_and_operators_alone(expression, value):
    assert arithmetic(expression) == value


@pytest.mark.parametrize(
    ("expression", "ends", "expected"),
    [
        ("29e6 * moves * 1600", {"moves": (150, 250)}, (6.96e12, 1.16e13)),
        ("100 / moves", {"moves": (2, 5)}, (20, 50)),  # the larger one gives the smaller result
        ("moves / games", {"moves": (2, 8), "games": (1, 4)}, (0.5, 8)),
        ("2 * 3", {"moves": (2, 5)}, (6, 6)),
        ("moves * games", {"moves": (2, 5)}, None),
    ],
)
def test_a_range_reaches_from_the_least_to_the_largest(expression, ends, expected):
    assert value_range(expression, ends) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("29e6 * moves * moves * games_2", ["moves", "games_2"]),
        ("twenty-four", []),
        ("P600 at 12 TFLOPS/GPU", []),
        ("moves.real * 2", []),
    ],
)
def test_names_stand_in_arithmetic_alone(expression, expected):
    assert names(expression) == expected


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("512 * 8 * 1.5e3", ["512", "8", "1.5e3"]),
        ("3.1 * 10**6 + 2**20", ["3.1"]),  # a power of ten, and of 1024
        ("2**7 * 10**-3", ["2", "7"]),
        ("five to 6", []),
    ],
)
def test_numbers_are_those_that_somebody_must_have_stated(expression, expected):
    assert numbers(expression) == expected
