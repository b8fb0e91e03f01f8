"""The plan page: the command's answers, refusals, odd addresses, and a page that fits a phone; the utilization page."""

import json
import os
import random
import re

import pytest

from pipeline.answers import own_run
from pipeline.publishing import database
from tests.builders import typed
from tests.site.conftest import BUILT

NUMBER = int(os.environ.get("PLANS", "9"))  # how many plans are drawn
AMOUNTS = ("chip_hours", "utilization", "energy_kwh", "cost_usd", "co2_kg")
NAMES = {"tokens": "examples_seen", "images": "examples_seen"}  # figures that have another name in JSON
ENDS = ("", "_low", "_high")
KINDS = "parameters active_parameters base_model tuned frozen generated_tokens forward_flop images step_time".split()
REFUSED = [  # changes of the page's first plan, and words of the refusal
    ({"parameters": "7Bn"}, "7Bn"),
    ({"days": "30", "utilization": "0.4"}, "four figures"),
    ({"chips": "", "tokens": ""}, "tokens, chips, days"),
    ({"hardware": "nvidia-v100-sxm2", "precision": "bf16"}, "fp16, fp32"),
    ({"hardware": ""}, "Choose a chip"),
    ({"days": "0.1"}, "check parameters"),
    ({"base_model": "llama-3-1-8b"}, "leave out parameters"),
    ({"images": "1M"}, "tokens or images"),
    ({"config": "{'hidden_size': 4}"}, "not JSON"),
]


def three_digits(value):
    return float(f"{value:.3g}")


def drawn(number, coefficients):
    """Return plans of every kind, each of which leaves out another figure, drawn with a fixed seed."""
    draw = random.Random(7)
    plans = []
    for place in range(number):
        kind, size = KINDS[place % len(KINDS)], 10 ** draw.uniform(8, 11)
        base = draw.choice(sorted(coefficients["bases"])) if kind in ("base_model", "tuned") else None
        size = coefficients["bases"][base][2] / 2 if base else size
        chip = draw.choice(sorted(coefficients["chips"]))
        peaks, data = coefficients["chips"][chip]["peaks"], size * 10 ** draw.uniform(0.5, 3)
        precision = draw.choice(sorted(peaks))
        chip_days = 6 * size * data / (peaks[precision] * 0.3 * 86400)
        plan = {
            "tokens": three_digits(data),
            "hardware": chip,
            "chips": min(10**7, max(1, round(chip_days / draw.uniform(3, 300)))),
        }
        plan["days"] = min(5000.0, three_digits(max(0.01, 2.5 * chip_days / plan["chips"])))
        if base:
            plan["base_model"] = base
        elif kind in ("forward_flop", "images"):
            plan["forward_flop"] = three_digits(2 * size)
        else:
            plan["parameters"] = three_digits(size)
        if kind == "images":
            plan |= {"images": plan.pop("tokens"), "epochs": 1}
        plan |= {
            "frozen": {"frozen": True},
            "tuned": {"frozen": True},
            "active_parameters": {"active_parameters": three_digits(size / 7)},
            "generated_tokens": {"generated_tokens": three_digits(data / 3)},
            "step_time": {"batch": 4e6, "step_time": three_digits(4e6 * plan["days"] * 86400 / data)},
        }.get(kind, {})
        solvable = {"parameters": ["parameters", "tokens"], "base_model": ["tokens"]}.get(kind, [])
        left_out = draw.choice(["days", "chips", "nothing", *solvable]) if kind != "step_time" else "nothing"
        plan.pop(left_out if kind != "step_time" else "days", None)  # days follow from the time of a step
        if left_out != "nothing" and draw.random() < 0.3:
            plan["utilization"] = round(draw.uniform(0.1, 0.6), 2)
        if draw.random() < 0.5:
            plan |= {"precision": precision, "trained_in": draw.choice(sorted(coefficients["grids"]))}
        plans.append(plan)
    return plans


def page_answer(browser, plan):
    names = "parameters active_parameters tokens images forward_flop generated_tokens base_model frozen chips days hardware precision utilization step_time batch trained_in"  # fmt: skip
    script = "async (plan) => { await FLOP.load('data/plan.js'); return FLOP.planned(FLOP.coefficients, plan); }"
    return browser.answer(script, dict.fromkeys(names.split()) | plan)


def test_the_page_gives_what_the_command_gives(browser, disk):
    """PLANS=200 compares 200 plans."""
    coefficients = json.loads((BUILT / "latest/plan.json").read_text(encoding="utf-8"))
    browser.open(f"{disk}/plan.html")
    for plan in drawn(NUMBER, coefficients):
        page = page_answer(browser, plan)
        with database.memory_connection() as connection:
            command = own_run.run(connection, plan)
        solved, pairs = page["solved_for"] and NAMES.get(page["solved_for"], page["solved_for"]), []
        assert command.get("solved_for") == solved, plan
        if solved:
            pairs += [(page["solved"], [command[f"{solved}{end}"] for end in ENDS])]
            pairs += [(page[name], [command[f"{name}{end}"] for end in ENDS]) for name in AMOUNTS]
        else:
            own = "own_" if "base_model" in plan else ""
            pairs += [(page["mfu"], [command["mfu"][name] for name in ("fraction", "fraction_low", "fraction_high")])]
            pairs += [(page[name], [command[f"{own}{name}{end}"] for end in ENDS]) for name in AMOUNTS[2:]]
        pairs += [(page["own_training_flop"], [command[f"own_training_flop{end}"] for end in ENDS])]
        for ours, theirs in pairs:
            assert (ours is None) == (theirs[0] is None), plan
            assert ours is None or ours == pytest.approx(theirs, rel=1e-8), plan
        total = [command[f"training_flop{end}"] for end in ENDS]
        if total[0] is not None:  # the published total of a base model has six digits
            assert page["training_flop"] == pytest.approx(total, rel=1e-5), plan
            assert page["probabilities"] == pytest.approx(command["probabilities"], rel=1e-4), plan


def moved(browser, address):
    """Open this address of the plan page anew, even if only the part behind # differs, and wait for the answer."""
    browser.open("about:blank")
    browser.open(address, 360)
    browser.until("return document.getElementById('plan').dataset.worked")


def test_four_figures_give_the_utilization_and_that_of_other_runs(browser, disk):
    moved(browser, f"{disk}/plan.html#parameters=13B&tokens=5.27B&chips=64&days=1&hardware=nvidia-h100-sxm5")
    answer = browser.run("return document.getElementById('plan-answer').textContent")
    words = "--parameters 13B --tokens 5.27B --chips 64 --days 1 --hardware H100 --json"
    mfu = json.loads(typed("estimate", *words.split()).stdout)["mfu"]
    shown = [f"{100 * mfu[name]:.3g}" for name in ("fraction", "fraction_low", "fraction_high")]
    assert shown[0] == "7.51"  # 6 x 13e9 x 5.27e9 tokens in a day of 64 H100 of 989.4e12 FLOP/s
    assert "Utilization reached (MFU){} % (90 %: {} to {})".format(*shown) in answer
    of_others = [f"{100 * mfu[name]:.3g} %" for name in ("like_low_fraction", "like_high_fraction")]
    assert f"Whole runs of this kind{mfu['like_runs_number']}: {' to '.join(of_others)}" in answer


def test_the_address_holds_the_plan_and_the_answer_fits_a_phone(browser, disk):
    moved(browser, f"{disk}/plan.html#parameters=7B&tokens=2T&chips=256&hardware=nvidia-a100-sxm4")
    answer = browser.run("return document.getElementById('plan-answer').textContent")
    line = browser.run("return document.getElementById('plan-command').textContent")
    assert line == "flopledger estimate --parameters 7B --tokens 2T --chips 256 --hardware nvidia-a100-sxm4"
    command = json.loads(typed(*line.split()[1:], "--json").stdout)
    assert f"Days{command['days']:.3g} (90 %: {command['days_low']:.3g} to {command['days_high']:.3g})" in answer
    curve = browser.run("return document.getElementById('plan-curve').textContent")
    assert f"256{command['days']:.3g}" in curve
    assert browser.run("return document.documentElement.scrollWidth") <= 360
    browser.type_in("#plan [name=tokens]", "1T")
    browser.until("return location.hash.includes('tokens=1T')")
    assert browser.logged() == []


def test_a_config_is_left_to_the_command(browser, disk):
    moved(browser, f"{disk}/plan.html#config=Qwen/Qwen3-8B&tokens=2T&chips=256&hardware=nvidia-a100-sxm4")
    line = "return document.getElementById('plan-command').textContent"
    assert browser.run(line).startswith("flopledger estimate --tokens 2T --chips 256 --hardware nvidia-a100-sxm4")
    assert browser.run(line).endswith("--config Qwen/Qwen3-8B")
    assert browser.run("return document.getElementById('plan-result').hidden")
    browser.type_in("#plan [name=config]", '{"model_type": "llama"}')
    browser.until(f"return (() => {{ {line} }})().endsWith('--config config.json')")


def test_what_cannot_be_planned_is_refused_in_a_line(browser, disk):
    moved(
        browser, f"{disk}/plan.html#parameters=7B&tokens=2T&chips=256&hardware=H1000&base_model=gone&nonsense=%3Cb%3E"
    )
    say = "return document.getElementById('plan-say').textContent"
    worked = "return Number(document.getElementById('plan').dataset.worked)"
    assert "hardware H1000" in browser.run(say)
    assert "base_model gone" in browser.run(say)
    start = {"parameters": "13B", "tokens": "4T", "chips": "512", "hardware": "nvidia-h100-sxm5"}
    empty = dict.fromkeys(("days", "precision", "utilization", "images", "base_model", "config"), "")
    for changes, words in REFUSED:
        before = browser.run(worked)
        browser.run(
            "const form = document.getElementById('plan'); for (const [name, value] of Object.entries(arguments[0]))"
            " form.elements[name].value = value; form.dispatchEvent(new Event('input'))",
            empty | start | changes,
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
