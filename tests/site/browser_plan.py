"""The plan page: ten plans answered like the command line, refusals, and a page that fits a phone; the utilization page."""

import json

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
    {"parameters": 3e9, "chips": 64, "days": 60, "hardware": "nvidia-a100-sxm4", "precision": "bf16"},
    {"tokens": 2e12, "chips": 512, "days": 21, "hardware": "nvidia-h100-sxm5"},
    {"parameters": 30e9, "tokens": 1e12, "chips": 8, "hardware": "nvidia-h100-sxm5", "trained_in": "Germany"},
    {"parameters": 2e9, "tokens": 3e11, "chips": 128, "hardware": "google-tpu-v4"},
]
COMPARED = ("training_flop", "chip_hours", "utilization", "energy_kwh", "cost_usd", "co2_kg")
NAMES = {"tokens": "examples_seen"}


@pytest.mark.parametrize("plan", PLANS, ids=lambda plan: "-".join(f"{value}" for value in plan.values()))
def test_the_page_gives_what_the_command_line_gives(browser, disk, plan):
    if "plan.html" not in browser.driver.current_url:
        browser.open(f"{disk}/plan.html")
    row = browser.answer("(plan) => FLOP.plan(plan).then((answer) => answer.row)", PLAN | plan)
    assert "error" not in row, row
    words = [word for key, value in plan.items() for word in (f"--{key.replace('_', '-')}", f"{value:.15g}" if isinstance(value, float | int) else value)]  # fmt: skip
    told = json.loads(typed("estimate", *words, "--json").stdout)
    solved = told["solved_for"]
    assert NAMES.get(row["solved_for"], row["solved_for"]) == solved
    pairs = [(solved, "solved"), *((name, name) for name in COMPARED)]
    for theirs, mine in pairs:
        for end in ("", "_low", "_high"):
            assert row[mine + end] == pytest.approx(told[theirs + end], rel=1e-9), (theirs, end)
    for each in ("1e23", "1e25", "1e26"):
        assert row[f"probability_above_{each}_fraction"] == pytest.approx(told["probabilities"][each], rel=1e-9)


def test_four_figures_give_the_utilization_that_the_command_line_gives(browser, disk):
    """6 x 13e9 x 5.27e9 tokens in a day of 64 H100 of 989.4e12 FLOP/s: 7.51 %."""
    plan = {"parameters": 13e9, "tokens": 5.27e9, "chips": 64, "days": 1, "hardware": "nvidia-h100-sxm5"}
    browser.open("about:blank")
    browser.open(f"{disk}/plan.html#parameters=13B&tokens=5.27B&chips=64&days=1&hardware=nvidia-h100-sxm5")
    browser.until("return document.getElementById('plan').dataset.worked")
    assert "Utilization reached (MFU)7.51 %" in browser.run("return document.getElementById('plan-answer').textContent")
    row = browser.answer("(plan) => FLOP.plan(plan).then((answer) => answer.row)", PLAN | plan)
    words = [
        word for key, value in plan.items() for word in (f"--{key}", f"{value:.15g}" if key != "hardware" else value)
    ]
    told = json.loads(typed("estimate", *words, "--json").stdout)
    assert row["solved"] == pytest.approx(told["mfu"]["fraction"], rel=1e-9)
    for name in ("training_flop", "energy_kwh", "cost_usd", "co2_kg"):
        assert row[name] == pytest.approx(told[name], rel=1e-9)


@pytest.mark.parametrize("width", [360, 1440])
def test_the_address_holds_the_plan_and_the_answer_fits(browser, disk, width):
    browser.open("about:blank")
    browser.open(f"{disk}/plan.html#parameters=7B&tokens=2T&chips=256&hardware=nvidia-a100-sxm4", width=width)
    browser.until("return document.getElementById('plan').dataset.worked")
    answer = browser.run("return document.getElementById('plan-answer').textContent")
    told = json.loads(
        typed("estimate", *"--parameters 7B --tokens 2T --chips 256 --hardware A100 --json".split()).stdout
    )
    assert f"Days{told['days']:.3g} (90 %: {told['days_low']:.3g} to {told['days_high']:.3g})" in answer
    assert browser.run("return document.querySelectorAll('#plan-chart svg path').length") > 2
    assert browser.run("return document.documentElement.scrollWidth") <= width
    shown = browser.run(
        "const input = document.querySelector('#plan [name=tokens]'); input.value = '1T'; input.dispatchEvent(new Event('input', {bubbles: true}));"
        "return ['#plan-answer', '#plan-nearest', '#plan-chart svg'].map((each) => getComputedStyle(document.querySelector(each)).visibility)"
    )
    assert shown == ["hidden"] * 3  # an answer never stands below another plan
    browser.until("return location.hash.includes('tokens=1T')")
    assert browser.logged() == []


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ({"parameters": "7Bn"}, "'7Bn' is not a number above 0"),
        ({"days": "30", "utilization": "0.4"}, "The four figures give the utilization"),
        ({"chips": ""}, "State three of"),
        ({"hardware": "nvidia-v100-sxm2", "precision": "bf16"}, "no bf16 peak; it has fp16, fp32"),
    ],
)
def test_what_cannot_be_planned_is_one_line(browser, disk, figures, said):
    plan = {"parameters": "13B", "tokens": "4T", "chips": "512", "hardware": "nvidia-h100-sxm5", **figures}
    browser.open("about:blank")
    browser.open(f"{disk}/plan.html#{'&'.join(f'{name}={value}' for name, value in plan.items() if value)}")
    browser.until("return document.getElementById('plan').dataset.worked")
    assert said in browser.run("return document.getElementById('plan-say').textContent")


def test_a_chip_that_is_not_of_the_list_is_no_plan(browser, disk):
    browser.open("about:blank")
    browser.open(f"{disk}/plan.html#parameters=7B&tokens=2T&chips=256&hardware=H1000")
    browser.until("return document.getElementById('plan').dataset.worked")
    assert "Choose a chip" in browser.run("return document.getElementById('plan-say').textContent")
    assert not browser.run("return document.getElementById('plan-answer').textContent")


def test_the_utilization_page_answers_a_choice_as_the_command_line_does(browser, disk):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.support.ui import Select

    browser.open(f"{disk}/utilization.html")
    chosen = {"network": "language_transformer", "precision": "bf16", "chip": "nvidia-h100-sxm5", "chips": "4096"}
    for name, value in chosen.items():
        Select(browser.driver.find_element(By.ID, f"u-{name}")).select_by_value(value)
    browser.until("return document.body.dataset.shown === '4'")
    words = "--family language_transformer --precision bf16 --hardware nvidia-h100-sxm5 --chips 4096 --json"
    told = json.loads(typed("utilization", *words.split()).stdout)
    answer = browser.run("return document.getElementById('u-answer').textContent")
    assert f"Take {100 * told['taken']['p50']:.3g} % for a training run on 4,096 chips" in answer
    assert f"between {100 * told['measured']['p05']:.3g} % and {100 * told['measured']['p95']:.3g} %" in answer
    Select(browser.driver.find_element(By.ID, "u-chips")).select_by_value("")
    browser.until("return document.body.dataset.shown === '5'")
    answer = browser.run("return document.getElementById('u-answer').textContent")
    assert "for a training run on 1 to 16,384 chips" in answer
