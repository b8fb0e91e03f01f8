"""What a plan leaves out."""

import json

import pytest

from tests.builders import typed

PLAN = {"parameters": "13B", "tokens": "4T", "chips": "512", "days": "30"}


def planned(**figures):
    words = [word for key, value in figures.items() for word in (f"--{key}", value)]
    return json.loads(typed("estimate", *words, "--hardware", "H100", "--json").stdout)


def test_days_are_operations_over_what_the_chips_do():
    made = planned(parameters="13B", tokens="4T", chips="512", utilization="0.4")
    assert made["days"] == pytest.approx(6 * 13e9 * 4e12 / (512 * 989.4e12 * made["utilization"]) / 86400, rel=1e-3)
    assert made["chip_hours"] == pytest.approx(made["days"] * 24 * 512)
    assert made["days_low"] < made["days"] < made["days_high"]
    assert set(made["probabilities"]) == {"1e23", "1e25", "1e26"}


@pytest.mark.parametrize(("name", "key"), [("days", "days"), ("tokens", "examples_seen"), ("parameters", "parameters")])
def test_what_is_left_out_follows_from_the_rest(name, key):
    made = planned(**{key: value for key, value in PLAN.items() if key != name})
    assert made["solved_for"] == key
    rest = {other: value for other, value in PLAN.items() if other not in (name, "days")}
    again = planned(**rest, **{name: str(made[key])}) if name != "days" else made
    assert again["days"] == pytest.approx(made["days"] if name == "days" else 30, rel=0.01)


def test_nothing_is_forecast_where_two_figures_are_left_out():
    assert "solved_for" not in planned(parameters="13B", tokens="4T")
