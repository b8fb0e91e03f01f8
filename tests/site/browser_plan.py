"""The plan page: plans answered like the command line, refusals, and a page that fits a phone; the utilization page."""

import json
import re

import pytest

from tests.builders import typed

PLAN = {"parameters": None, "tokens": None, "chips": None, "days": None, "hardware": None, "precision": None,
        "utilization": None, "trained_in": None}  # fmt: skip
PLANS = [
    {"parameters": 13e9, "tokens": 4e12, "chips": 512, "hardware": "nvidia-h100-sxm5"},
    {"parameters": 7e9, "tokens": 2e12, "chips": 256, "hardware": "nvidia-a100-sxm4", "trained_in": "France"},
    {"parameters": 70e9, "tokens": 15e12, "days": 54, "hardware": "nvidia-h100-sxm5", "precision": "fp8"},
    {"parameters": 1e9, "tokens": 1e11, "days": 7, "hardware": "nvidia-v100-sxm2"},
    {"parameters": 405e9, "tokens": 15e12, "chips": 16384, "hardware": "nvidia-h100-sxm5", "utilization": 0.4},
    {"parameters": 8e9, "chips": 1024, "days": 30, "hardware": "nvidia-h100-sxm5"},
    {"tokens": 2e12, "chips": 512, "days": 21, "hardware": "nvidia-h100-sxm5"},
    {"parameters": 2e9, "tokens": 3e11, "chips": 128, "hardware": "google-tpu-v4"},
]
COMPARED = ("training_flop", "chip_hours", "utilization", "energy_kwh", "cost_usd", "co2_kg")
NAMES = {"tokens": "examples_seen"}
# 6 x 13e9 x 5.27e9 tokens in a day of 64 H100 of 989.4e12 FLOP/s: 7.51 %.
FOUR_FIGURES = {"parameters": 13e9, "tokens": 5.27e9, "chips": 64, "days": 1, "hardware": "nvidia-h100-sxm5"}
REFUSED = [  # changes of the page's first plan, and words of the refusal
    ({"parameters": "7Bn"}, "7Bn"),
    ({"days": "30", "utilization": "0.4"}, "four figures"),
    ({"chips": ""}, "chips, days"),
    ({"hardware": "nvidia-v100-sxm2", "precision": "bf16"}, "fp16, fp32"),
    ({"hardware": ""}, "Choose a chip"),
]


def answered(browser, disk, plan):
    """Return what the page and the command line answer to a plan."""
    if "plan.html" not in browser.run("return location.href"):
        browser.open(f"{disk}/plan.html")
    row = browser.answer("(plan) => FLOP.plan(plan).then((answer) => answer.row)", PLAN | plan)
    assert "error" not in row, row
    words = [word for key, value in plan.items() for word in (f"--{key.replace('_', '-')}", f"{value:.15g}" if isinstance(value, float | int) else value)]  # fmt: skip
    return row, json.loads(typed("estimate", *words, "--json").stdout)


def moved(browser, address):
    """Open this address of the plan page anew, even if only the part behind # differs, and wait for the answer."""
    browser.open("about:blank")
    browser.open(address, 360)
    browser.until("return document.getElementById('plan').dataset.worked")


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: "-".join(f"{value}" for value in plan.values()))
def test_the_page_gives_what_the_command_line_gives(browser, disk, plan):
    row, command = answered(browser, disk, plan)
    solved = command["solved_for"]
    assert NAMES.get(row["solved_for"], row["solved_for"]) == solved
    pairs = [(solved, "solved"), *((name, name) for name in COMPARED)]
    for theirs, ours in pairs:
        for end in ("", "_low", "_high"):
            assert row[ours + end] == pytest.approx(command[theirs + end], rel=1e-9), (theirs, end)
    for threshold in ("1e23", "1e25", "1e26"):
        probability = command["probabilities"][threshold]
        assert row[f"probability_above_{threshold}_fraction"] == pytest.approx(probability, rel=1e-9)


def test_four_figures_give_the_utilization_that_the_command_line_gives(browser, disk):
    row, command = answered(browser, disk, FOUR_FIGURES)
    assert row["solved"] == pytest.approx(command["mfu"]["fraction"], rel=1e-9)
    assert f"{100 * row['solved']:.3g}" == "7.51"
    for name in ("training_flop", "energy_kwh", "cost_usd", "co2_kg"):
        assert row[name] == pytest.approx(command[name], rel=1e-9)


def test_the_address_holds_the_plan_and_the_answer_fits_a_phone(browser, disk):
    moved(browser, f"{disk}/plan.html#parameters=7B&tokens=2T&chips=256&hardware=nvidia-a100-sxm4")
    answer = browser.run("return document.getElementById('plan-answer').textContent")
    words = "--parameters 7B --tokens 2T --chips 256 --hardware A100 --json"
    command = json.loads(typed("estimate", *words.split()).stdout)
    assert f"Days{command['days']:.3g} (90 %: {command['days_low']:.3g} to {command['days_high']:.3g})" in answer
    assert browser.run("return document.querySelectorAll('#plan-chart svg path').length") > 2
    assert browser.run("return document.documentElement.scrollWidth") <= 360
    hidden = browser.run(
        "const input = document.querySelector('#plan [name=tokens]'); input.value = '1T'; input.dispatchEvent(new Event('input', {bubbles: true}));"
        "return ['#plan-answer', '#plan-nearest', '#plan-chart svg'].map((part) => getComputedStyle(document.querySelector(part)).visibility)"
    )
    assert hidden == ["hidden"] * 3  # an answer never stands below another plan
    browser.until("return location.hash.includes('tokens=1T')")
    assert browser.logged() == []


def test_what_cannot_be_planned_is_refused_in_a_line(browser, disk):
    moved(browser, f"{disk}/plan.html#parameters=7B&tokens=2T&chips=256&hardware=H1000")
    say, worked = (
        "return document.getElementById('plan-say').textContent",
        "return Number(document.getElementById('plan').dataset.worked)",
    )
    assert "Choose a chip" in browser.run(say)
    for changes, words in REFUSED:
        before = browser.run(worked)
        plan = {
            "parameters": "13B",
            "tokens": "4T",
            "chips": "512",
            "days": "",
            "hardware": "nvidia-h100-sxm5",
            "precision": "",
            "utilization": "",
            **changes,
        }
        browser.run(
            "const form = document.getElementById('plan'); for (const [name, value] of Object.entries(arguments[0])) form.elements[name].value = value; form.dispatchEvent(new Event('input'))",
            plan,
        )
        browser.until(f"return (() => {{ {worked} }})() > {before}")
        assert words in browser.run(say), changes
        assert browser.run("return document.getElementById('plan-result').hidden")


def test_the_utilization_page_answers_a_choice_as_the_command_line_does(browser, served):
    browser.open(f"{served}/utilization.html")
    answer = "return document.getElementById('u-answer').textContent"
    for network, family, chip, chips, measures in (
        ("language_transformer", "language_transformer", "nvidia-h100-sxm5", "4096", ("p05", "p95")),
        ("other_transformer", "vit", "nvidia-a100-sxm4", "8", ("p50", "p05", "p95")),
    ):
        words = ("--family", family, "--precision", "bf16", "--hardware", chip, "--chips", chips, "--json")
        command = json.loads(typed("utilization", *words).stdout)
        for name, value in {"network": network, "precision": "bf16", "chip": chip, "chips": chips}.items():
            browser.type_in(f"#u-{name}", value)
        browser.until(f"return (() => {{ {answer} }})().includes({json.dumps(f'{int(chips):,} chips')})")
        shares = [command["taken"]["p50"], *(command["measured"][name] for name in measures)]
        assert re.search(".*".join(rf"\b{100 * share:.3g} %" for share in shares), browser.run(answer))
    browser.type_in("#u-chips", "")
    browser.until(f"return (() => {{ {answer} }})().includes('1 to 16,384 chips')")
