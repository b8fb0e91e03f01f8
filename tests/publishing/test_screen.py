"""The answer of an account: each line in each state that it can have, and its size on a screen for all models."""

import collections
import re

import pytest

from pipeline.answers import own_run_text
from pipeline.base.text import numbers
from pipeline.base.text.wrapping import wrap
from pipeline.publishing import account, database, screen, screen_evidence, screen_methods
from pipeline.publishing.citation import Citation
from pipeline.publishing.rows import rows
from pipeline.records import params
from schemas.vocabulary import DISPUTE_CAUSES, THRESHOLDS

CITATION = Citation("We", "The ledger", "CC-BY-4.0", "2026-11-21", "All of it.", ("FLOP",), None, None)


NUMBERS = ("number", "base", "counted", "gpu_time", "others")  # the lines with FLOP


@pytest.fixture(scope="module")
def accounts():
    with database.reading() as book:
        models = [row[0] for row in book.execute("select model_id from estimates").fetchall()]
        names = "select distinct name from catalogue_estimates where model_id is null"
        rows = [row[0] for row in book.execute(names).fetchall()]
        return [*account.accounts(book, models, CITATION), *(account.row_account(book, name) for name in rows)]


def test_every_model_fits_one_screen(accounts):
    for model in accounts:
        lines = list(own_run_text.screen(model))
        for width, most in screen.SCREENS.items():
            assert sum(len(wrap(line, width)) for line in lines) <= most, model["name"]


def test_a_model_without_a_fact_says_what_is_lacking(accounts):
    without = [model for model in accounts if model["cite"] and not any(model["parts"][0][key] for key in ("phases", "allocations"))
               and not model["base_model"] and not model["reported_flop"]]  # fmt: skip
    assert len(without) > 50
    for model in without:
        answer = model["answer"]
        assert answer["number"] == screen.UNKNOWN or answer["number"].endswith("not by us")
        assert answer["why"].startswith("no number of our own: we lack ")
        assert [answer[key] for key in ("counted", "gpu_time", "methods", "covers", "thresholds")] == [None] * 5


def test_a_full_screen_is_cut_in_order_and_says_so():
    told = dict.fromkeys(screen.LABELS, "word " * 60) | {"title": "A", "number": "1e24", "cut": None}
    cut = screen._one_screen(told, "a")
    assert (cut["not_found"], cut["footprint"]) == (None, None)
    assert cut["cut"] == "(2 more in `explain`)"
    assert all(cut[key] for key in ("number", "counted", "gpu_time", "methods", "covers", "sure"))
    short = told | dict.fromkeys(screen.LABELS, "word")
    assert screen._one_screen(short, "a") == short


def test_each_figure_is_a_published_number(accounts):
    """Every FLOP, share and amount on a screen is a published column, or the forward and backward pass of an example."""
    with database.reading() as book:
        stated = rows(book, "select model_id, stated_flop, stated_flop_low, stated_flop_high from external_estimates")
        epoch = {row["name"]: row["epoch_flop"] for row in rows(book, "select name, epoch_flop from epoch_results")}
    for model in accounts:
        columns = [value for value in {**model, **(model["catalogue_row"] or {})}.values() if isinstance(value, float)]
        columns += [epoch.get(model["name"])]
        columns += [value for row in stated if row["model_id"] == model["model_id"] for value in row.values()]
        for part in model["parts"]:
            columns += [value for value in part.values() if isinstance(value, float)]
            for phase in part["phases"]:
                passes = (phase["forward_flop_per_example"], phase["backward_flop_per_example"])
                columns += [sum(passes)] if None not in passes else []
        known = {numbers.number(value) for value in columns if isinstance(value, float)}
        for key in NUMBERS:
            figures = set(re.findall(r"(?<![\w./])\d[\d.]*e\d+(?! times)", model["answer"][key] or ""))
            assert figures <= known, (model["name"], key, figures - known)
        columns += [1 - (model["off_by_two_fraction"] or 0)]
        columns += [value for part in model["parts"] for chips in part["allocations"] for value in chips.values()]
        known = {
            words(value)
            for value in columns
            if isinstance(value, float)
            for words in (numbers.percent, numbers.probability)
        }
        known = {share.removesuffix(" %").rpartition(" ")[2] for share in known}
        for key in ("gpu_time", "methods", "thresholds", "sure"):
            told, _, cause = (model["answer"][key] or "").partition("disputed (> 2×): ")
            shares = set(re.findall(r"[\d.]+(?: to [\d.]+)? %", told + cause * (not model["dispute"])))
            ends = {end for share in shares for end in re.findall(r"[\d.]+", share)}
            assert ends <= known, (model["name"], key, ends - known)
        amounts = (("energy_kwh", numbers.energy), ("cost_usd", numbers.money), ("co2_kg", numbers.mass))
        known = {
            words(model[f"{name}{end}"], like=model[name]) for name, words in amounts for end in ("", "_low", "_high")
        }
        known = {digits for amount in known for digits in re.findall(r"[\d.,]+", amount)}
        ours = re.sub(r"\w+: [^)]*|CO2", "", model["answer"]["footprint"] or "")
        assert set(re.findall(r"\d[\d.,]*", ours)) <= known, (model["name"], ours)


def test_no_sentence_is_the_same_on_all_models(accounts):
    texts = collections.Counter()
    for model in accounts:
        told = (text for key, text in model["answer"].items() if key in screen.LABELS and text)
        texts.update({re.sub(r"[\d.]+", "", sentence) for text in told for sentence in re.split(r"; |\. ", text)})
    (sentence, number), *_ = texts.most_common(1)
    assert number < 0.6 * len(accounts), sentence


def test_every_line_is_whole(accounts):
    wrong = re.compile(r"\bNone\b|\bnan\b|\binf\b|  ;|; ;|\b1 days\b|at most at most|, and 1 more$|\(\)|: $")
    for model in accounts:
        for line in own_run_text.screen(model):
            assert not wrong.search(line), line


UNTIMED = {"gpu_time_flop": None, "operation_count_flop": 1.0, "phases": []}
FACT = {"path": "training[0].examples", "source_kind": "authors", "status": "makers"}


@pytest.mark.parametrize(("fact", "name"), [
    ({}, "data"),
    ({"status": "not_read", "path": "training[0].hardware[0].duration"}, "chip time"),
    ({"status": "others", "path": "architecture.layers"}, "network"),
    ({"path": "weights_access"}, None),
])  # fmt: skip
def test_each_input_is_named_by_where_it_comes_from(fact, name):
    chips = {"hardware_basis": "default_year", "precision_basis": "reported"}
    part = UNTIMED | {"gpu_time_flop": 1e20, "allocations": [chips]}
    inputs = screen_evidence.inputs_of({"facts": [FACT | fact], "parts": [part]})
    named = {key: names for key, names in inputs.items() if names and key != "kinds"}
    assert named == ({(FACT | fact)["status"]: [name]} if name else {}) | {"assumed": ["chip"]}


def test_part_of_a_network_is_counted_in_settings():
    """Stated parameters are none of them."""
    facts = [
        FACT | {"path": f"architecture.{key}", "status": "not_read" if key == "width" else "makers"}
        for key in ("layers", "width", "heads")
    ] + [FACT | {"path": "parameters", "status": "others"}]
    estimate = dict.fromkeys(("training_flop", "off_by_two_fraction", "base_model", "total_state", "named_second"))
    row = {"facts": facts, "estimate": estimate, "model": {"stated_by": None}, "errata": [], "parts": [OWN | UNTIMED]}
    inputs = screen_evidence.inputs_of(row)
    assert inputs["makers"] == ["2 of 3 settings of the network"]
    told = "used, but not read: 1 of 3 settings of the network; by makers: the rest of the network"
    assert screen_evidence.certainty(row, inputs) == told


@pytest.mark.parametrize(("ratio", "cause", "independence", "words"), [
    (None, None, "shared_input", None),
    (1.3, None, "independent", "; the count implies a utilization of 6 %"),
    (1.3, None, "shared_input", "; weak: both use the size of the data set"),
    (1.3, None, "circular", "; proves nothing: the time is derived from operations, by “A post”"),
    (1.3, None, "measured", "; operations and time are both stated, and together give the utilization"),
    (0.2, "slow_as_like_runs", "shared_input", ", disputed (> 2×): unexplained; the count implies 6 % of the peak"),
    (5.0, "too_fast", "circular", ", disputed (> 2×): 6 % of the peak is too fast: chips or days are too few"),
    (5.0, "machine", "circular", ", disputed (> 2×): chip, precision, number or time is not certain"),
])  # fmt: skip
def test_methods_that_disagree_are_never_said_to_agree(ratio, cause, independence, words):
    row = {
        "estimate": {"method_ratio": ratio, "implied_utilization_fraction": 0.06},
        "terms": {"shared_input": "examples", "independence": independence},
        "dispute_cause": cause,
        "sentences": cause and {"dispute_sentence": DISPUTE_CAUSES[cause].format(used="6 %")},
        "parts": [{"allocations": []}],
        "facts": [{"path": "training[0].hardware[0].duration", "status": "others", "source_title": "A post"}],
    }
    assert screen_methods.methods(row, screen._cause(row)) == (words and f"{ratio:g} (counted / GPU time){words}")


def test_a_stated_utilization_gives_a_ratio_of_its_own():
    chips = {"chip_hours": 1.0, "utilization_basis": "reported", "utilization_fraction": 0.213}
    estimate = {"method_ratio": 0.664, "operation_count_flop": 3.19e23, "gpu_time_informed_flop": 3.4e23}
    estimate["implied_utilization_fraction"] = None
    terms = {"shared_input": None, "independence": "measured"}
    row = {"estimate": estimate, "terms": terms, "dispute_cause": None, "parts": [{"allocations": [chips]}]}
    assert screen_methods.methods(row | {"facts": []}, "").startswith("0.664 (counted / GPU time; 0.938 at 21 %)")


NOTHING = {"training_flop": None, "training_flop_low": None, "training_flop_high": None, "training_flop_at_least": None,
           "reported_flop": None, "own_training_flop_low": None}  # fmt: skip
OTHER = {
    "title": "Epoch AI, Data on AI Models", "flop": 7e25, "bound": None, "confidence": "speculative", "low": 2e25, "high": 9e25,
}  # fmt: skip


@pytest.mark.parametrize(("estimate", "others", "words"), [
    ({"training_flop": 2e24, "training_flop_low": 1e24, "training_flop_high": 5e24}, [], "2e24 FLOP   90 %: 1e24 to 5e24 (÷2 to ×2.5)"),
    ({"training_flop_at_least": 1e21}, [OTHER], "at least 1e21 FLOP (low end of the 90 % interval): its base model; its own training is not known"),
    ({"training_flop_at_least": 1e21, "own_training_flop_low": 1e21}, [], "at least 1e21 FLOP (low end of the 90 % interval): its own training, without its base model, whose compute is not known"),
    ({"training_flop_at_least": 1e21, "own_training_flop_low": 9e20}, [], "at least 1e21 FLOP (low end of the 90 % interval): its own training and its known base models"),
    ({"reported_flop": 3e24}, [OTHER], "3e24 FLOP by its authors, not by us"),
    ({}, [OTHER], "7e25 FLOP (speculative), 2e25 to 9e25, by Epoch AI, not by us"),
    ({}, [OTHER | {"low": None}], "7e25 FLOP (speculative) by Epoch AI, not by us"),
    ({}, [], "No figure for its training compute is known to us"),
])  # fmt: skip
def test_the_first_number_is_ours_then_a_bound_then_somebody_elses(estimate, others, words):
    assert screen.number_of({"estimate": NOTHING | estimate, "others": others}) == words


@pytest.mark.parametrize(("status", "words"), [
    ("makers", "chip (in 1 document)"),
    ("assumed", "chip and size of the data set (in up to 2 documents)"),
])  # fmt: skip
def test_a_fact_that_somebody_states_is_not_called_not_found(status, words):
    missing = [{"fact": "chip", "looked_in": "paper"}, {"fact": "examples", "looked_in": "paper | blog"}]
    facts = [{"path": "training[0].examples", "status": status}]
    assert screen_evidence.facts_not_found(missing, facts) == words


def test_a_refuted_figure_and_another_scope_are_named():
    other = OTHER | {"inputs": "own", "outcome": "refuted"}
    assert screen_methods.statement(other, 2e25) == "Epoch AI 7e25 (speculative) (3.5 times as much; refuted)"
    other |= {"outcome": "other_scope", "inputs": "same_time"}
    assert screen_methods.statement(other, 2e25).endswith("(3.5 times as much; other scope; same sources)")


def test_a_total_below_its_count_is_compared_by_the_count():
    """Data "at most" bound the count, so that their middle is no difference of others."""
    estimate = {
        "training_flop": 5.6e18,
        "headline_method": "operation_count",
        "reported_flop": None,
        "base_model": None,
    }
    other = OTHER | {"flop": 7e18, "confidence": None, "inputs": "same_count", "outcome": "agrees"}
    row = {"estimate": estimate, "parts": [{"operation_count_flop": 6.94e18}], "others": [other]}
    assert screen_methods.other_statements(row) == ["Epoch AI 7e18 (0.86 % more, against our count; same sources)"]


@pytest.mark.parametrize(("domain", "words"), [
    ("language", "the EU's 1e23 indication of general-purpose AI: probability 96 %"),
    ("games", None),
])  # fmt: skip
def test_the_indication_is_only_of_models_that_generate(domain, words):
    chances = {threshold.column: 0.96 * (threshold.word == "1e23") for threshold in THRESHOLDS}
    estimate = {"training_flop": 3e23, "threshold_total": "training_flop", "cumulative_flop": None, "domain": domain}
    assert screen._thresholds(estimate | chances) == words


@pytest.mark.parametrize(("confidence", "off", "words"), [
    ("confident", 0.06, "94 % likely within 2×, and confident by its sources"),
    ("rough", 0.05, "95 % likely within 2×, but rough by its sources"),
    ("rough", 0.13, "87 % likely within 2×, so rough"),
    ("speculative", 0.13, "87 % likely within 2×, but speculative by its sources"),
    ("order_of_magnitude", 0.4, "60 % likely within 2×, so order of magnitude"),
])  # fmt: skip
def test_the_word_says_whether_the_probability_or_the_sources_decide(confidence, off, words):
    assert screen_evidence.word_of({"confidence": confidence, "off_by_two_fraction": off}) == words
    assert params.load().reconcile.confident_off_by_two == screen_evidence.MOST_OFF


def test_an_amount_and_its_statement_have_one_unit():
    estimate = dict.fromkeys(("cost_usd", "co2_kg")) | {"energy_kwh": 1.3e6, "energy_kwh_low": 9.05e5}
    fact = {"path": "reported_energy", "value": "1287 MWh", "unit": "watt_hour", "source_kind": "third_party"}
    estimate["energy_kwh_high"] = 1.87e6
    assert screen._footprint(estimate, [fact]) == "energy 1.3 GWh (0.905 to 1.87 GWh; others: 1.29 GWh)"


TEN = {"training_flop": 10.0, "total_state": "known", "named_second": None, "gap_ratio": None}
OWN = {"own_training_flop": 6.0, "evidence_class": "stated", "weak_reason": None, "chip_seconds_class": None,
       "operation_count_flop": None, "gpu_time_flop": None, "stated_by": None}  # fmt: skip
BASE = OWN | {"name": "B", "own_training_flop": 1.0, "evidence_class": "weak", "weak_reason": "from_parameters"}


@pytest.mark.parametrize(("estimate", "own", "bases", "reasons"), [
    ({}, {}, [], []),
    ({}, {"evidence_class": "confirmed"}, [], ["the authors' own total confirms the count"]),
    ({}, {"evidence_class": "weak", "weak_reason": "network_unread"}, [], []),  # the groups of inputs say so
    ({}, {"evidence_class": "gpu_time", "chip_seconds_class": "assumed"}, [], ["only GPU time, itself assumed"]),
    ({}, {"evidence_class": "gpu_time", "operation_count_flop": 9.0}, [], ["its record sides with GPU time"]),
    ({}, {"evidence_class": "reported"}, [BASE], ["a stated total that no count could check", "B: 6 × parameters, not by layer"]),
    ({}, {}, [BASE, BASE | {"name": "C"}], ["B and C: 6 × parameters, not by layer"]),
    ({}, {}, [BASE | {"own_training_flop": 0.9}], []),  # too small to decide
    ({}, {"operation_count_flop": 6.0, "gpu_time_flop": 13.0}, [], ["the two methods differ by more than 2×"]),
    ({}, {}, [BASE | {"evidence_class": "stated", "stated_by": "press"}], ["B: size and data not from makers"]),
    ({}, {"own_training_flop": 0.9, "evidence_class": "gpu_time"}, [BASE | {"evidence_class": "stated"}], []),
    ({"total_state": "own_imputed"}, {"own_training_flop": None}, [], ["own training as in similar models"]),
    ({"named_second": "gpu_time", "gap_ratio": 4.0}, {}, [], ["widened by a figure 4x away"]),
])  # fmt: skip
def test_the_reasons_are_those_of_the_parts_that_decide(estimate, own, bases, reasons):
    row = {"estimate": TEN | estimate, "parts": [OWN | own, *bases], "model": {"base_evidence": None}}
    assert screen_evidence._reasons(row) == reasons


def test_a_population_of_models_has_no_agents():
    part = {"phases": [{"phase": "a", "accounting": "pretraining"}], "contributions": [
        {"accounting": "synthetic_data", "name": name} for name in ("A", "B", "C")]}  # fmt: skip
    row = {
        "parts": [part],
        "model": {"scope": "population", "scope_note": None},
        "estimate": {"omits_network": False, "base_model": None, "training_flop": 1e24},
    }
    told = screen_evidence.coverage(row)
    assert told == "pre-training of all models of the family, without making synthetic data (A, B and 1 more)"
    part["phases"] = [{"phase": "training", "accounting": "pretraining"}]
    part["phases"].append({"phase": "b", "accounting": "reinforcement_learning"})
    assert screen_evidence.coverage(row).startswith("training and reinforcement learning of all agents")
