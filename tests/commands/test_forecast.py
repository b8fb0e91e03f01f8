"""Forecasts of the figure that a plan leaves out."""

import json

import pytest

from tests.builders import typed

PLAN = {"parameters": "13B", "tokens": "4T", "chips": "512", "days": "30"}


def planned(**figures):
    words = [word for key, value in figures.items() for word in (f"--{key}", value)]
    return json.loads(typed("estimate", *words, "--hardware", "H100", "--json").stdout)


def test_days_are_operations_over_what_the_chips_do():
    answer = planned(parameters="13B", tokens="4T", chips="512", utilization="0.4")
    assert answer["days"] == pytest.approx(6 * 13e9 * 4e12 / (512 * 989.4e12 * answer["utilization"]) / 86400, rel=1e-3)
    assert answer["chip_hours"] == pytest.approx(answer["days"] * 24 * 512)
    assert answer["days_low"] < answer["days"] < answer["days_high"]
    assert set(answer["probabilities"]) == {"1e23", "1e25", "1e26"}


@pytest.mark.parametrize(("name", "key"), [("days", "days"), ("tokens", "examples_seen"), ("parameters", "parameters")])
def test_what_is_left_out_follows_from_the_rest(name, key):
    answer = planned(**{key: value for key, value in PLAN.items() if key != name})
    assert answer["solved_for"] == key
    rest = {other: value for other, value in PLAN.items() if other not in (name, "days")}
    again = planned(**rest, **{name: str(answer[key])}) if name != "days" else answer
    assert again["days"] == pytest.approx(answer["days"] if name == "days" else 30, rel=0.01)


def test_language_takes_the_default_and_all_else_three_quarters_of_the_prediction(tmp_path):
    answer = planned(parameters="13B", tokens="4T", chips="512")
    assert answer["utilization"] == pytest.approx(0.3)
    assert ["utilization", "0.3"] in [[figure["name"], figure["value"]] for figure in answer["filled"]]
    images = planned(config="resnet50", chips="16", days="6")
    assert images["left_out"] == "images"
    (chips,) = images["parts"][0]["allocations"]
    assert images["utilization"] == pytest.approx(0.75 * chips["utilization_fraction"])
    assert images["examples_seen_low"] < images["examples_seen"] < images["examples_seen_high"]
    none = planned(images="1M", epochs="90", chips="8", days="2")
    assert "left_out" not in none


def test_nothing_is_forecast_where_two_figures_are_left_out():
    assert "solved_for" not in planned(parameters="13B", tokens="4T")


def test_with_a_forecast_nothing_is_called_unknown():
    words = "estimate --parameters 13B --tokens 4T --chips 512 --hardware H100".split()
    told = typed(*words).stdout
    assert "unknown" not in told
    assert "no estimate" not in told
    assert "above      the EU's 1e23 indication of general-purpose AI: probability 99 %" in told
    answer = json.loads(typed(*words, "--json").stdout)
    for name in ("days", "chip_hours", "utilization", "energy_kwh", "cost_usd", "co2_kg"):
        assert answer[f"{name}_low"] < answer[name] < answer[f"{name}_high"]
    assert answer["interval_drivers"]["days"] == "utilization"
    # the energy is that of the same chips for the stated time
    again = json.loads(typed(*words, "--days", str(answer["days"]), "--json").stdout)
    assert again["energy_kwh"] == pytest.approx(answer["energy_kwh"])
    assert again["cost_usd"] == pytest.approx(answer["cost_usd"])


def test_what_a_plan_saved_is_taken_by_other_verbs(tmp_path):
    plan = "estimate --parameters 13B --tokens 4T --chips 512 --hardware H100 --json --save plan.yaml".split()
    answer = json.loads(typed(*plan, folder=tmp_path).stdout)
    again = json.loads(typed("show", "plan.yaml", "--json", folder=tmp_path).stdout)
    assert (again["left_out"], again["days"]) == ("days", answer["days"])
    for words in ("thresholds", "export --eu --out eu.html", "estimate"):
        verb, *options = words.split()
        assert typed(verb, "plan.yaml", *options, folder=tmp_path).returncode == 0
