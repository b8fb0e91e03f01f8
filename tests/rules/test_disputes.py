"""How disputes are explained and headlines chosen: one case each, and intervals against drawn inputs."""

import math
from statistics import NormalDist

import numpy as np
import pytest

from pipeline.rules import disputes
from tests.builders import TOKENS, allocation, fact, made_together, miniature_defaults, parameters, subject

PEAK_FLOP = 1000 * 86_400 * 100e12  # a day of 1000 tensor-chips: 8.64e21
FP16 = {"precision": "fp16"}
DRAWS = 400_000
JUDGED = {"value": 0.3, "source": "paper", "kind": "judgement"}
GIVEN = []  # records of all cases of this file, estimated in one run


def given(hardware=(), phase=None, **model):
    """A model; gives its place among the rows that are made."""
    GIVEN.append(subject(hardware, phase, **model))
    return len(GIVEN) - 1


@pytest.fixture(scope="module")
def tables_of(tmp_path_factory):
    """The rows of each model, by table."""
    return made_together(tmp_path_factory.mktemp("subjects"), GIVEN, ["estimates", "reconciliations"])


@pytest.fixture(scope="module")
def made(tables_of):
    """The row of `estimates` of each model."""
    return [each["estimates"][0] for each in tables_of]


def read(value, **more):
    """A fact whose words were read."""
    return {"value": value, "quote": f"read-{value}".replace(" ", "-").replace(".", "-"), **more}


def quotes_of(content):
    """The quotes that the facts within name, by their ids."""
    inner = content.values() if isinstance(content, dict) else content if isinstance(content, list) else []
    found = {name: quote for each in inner for name, quote in quotes_of(each).items()}
    if isinstance(content, dict) and "quote" in content:
        words = {"source": "paper", "text": f"it took {content['value']}", "found_at": "https://example.org"}
        found[content["quote"]] = words
    return found


def founded(hardware=None, phase=None, **model):
    """A model whose data were read, so that they are above suspicion; 1000 tensor-chips for a day where nothing else is stated."""
    keys = {key: value for key, value in {**TOKENS, **(phase or {})}.items() if value is not None}
    stated = {key: value if key in ("example_unit", "utilization") or isinstance(value, dict) else read(value) for key, value in keys.items()}  # fmt: skip
    own = [{key: value if isinstance(value, dict | bool) else read(value) for key, value in each.items()} for each in hardware or [allocation("tensor-chip")]]  # fmt: skip
    training = [{"phase": "pretraining", **stated, "hardware": own}]
    return given(training=training, quotes=quotes_of(training), **model)


def stated(flop):
    """A forward pass a token that makes the operations of 1e12 tokens `flop`, backward ratio 2."""
    return {"forward_flop": fact(f"{flop / 3e12:.12g} FLOP")}


def stated_at(ratio, phase=None, **model):
    """Operations of so many times the GPU time, in fp16 where no other phase is stated."""
    return founded(None, FP16 if phase is None else phase, **stated(0.3 * PEAK_FLOP * ratio), **model)


def likely(row, own, others):
    """Causes that make the ratio at least 3 times likelier, the likeliest first: `others` are ratios at an input's other value, and the input."""
    squares = {name: own[f"{name}_log_sd"] ** 2 for name in ("operation", "gpu_time", "examples", "chip_seconds", "peak", "precision")}  # fmt: skip
    squares["utilization"] = squares["gpu_time"] - squares["chip_seconds"] - squares["peak"] - squares["precision"]
    before = squares["operation"] + squares["gpu_time"]
    now = NormalDist(0, math.sqrt(before)).pdf(math.log(row["method_ratio"]))
    gains = {}
    for cause, (ratio, known) in others.items():
        left = max(before - squares.get(known, 0), before / 10)
        gains[cause] = NormalDist(0, math.sqrt(left)).pdf(math.log(ratio)) / now
    return sorted((cause for cause in gains if gains[cause] >= 3), key=lambda cause: -gains[cause])


def agrees(tables, others):
    (row,), (own,) = tables["estimates"], tables["reconciliations"]
    named, wanted = row["dispute_causes"].split(" + "), likely(row, own, others) or ["unexplained"]
    return (row["dispute_cause"], named[0], set(named)) == (wanted[0], wanted[0], set(wanted))


@pytest.mark.parametrize(
    ("model", "ratio", "others"),
    [
        # a twentieth of the peak, the least that a dense network was seen to reach; multiply-adds taken for FLOP
        (stated_at(0.5 / 3), 0.5 / 3, {"utilization": (1, "utilization"), "multiply_add": (1 / 3, None)}),
        (stated_at(0.1), 0.1, {"utilization": (0.6, "utilization"), "multiply_add": (0.2, None)}),
        (stated_at(0.49), 0.49, {"utilization": (1, "utilization"), "multiply_add": (0.98, None)}),
        (
            stated_at(0.45, scope="search", scope_note="The trials."),
            0.45,
            {"utilization": (1, "utilization"), "scope_mismatch": (1, None), "multiply_add": (0.9, None)},
        ),
        # a search takes more time than the network found, not less; 0.75 of the peak is the most that one chip reaches
        (stated_at(3.0, scope="search", scope_note="The trials."), 3.0, {"utilization": (1.2, "utilization")}),
    ],
)
def test_causes_make_the_ratio_three_times_as_likely(tables_of, model, ratio, others):
    assert tables_of[model]["estimates"][0]["method_ratio"] == pytest.approx(ratio)
    assert agrees(tables_of[model], others)


@pytest.mark.parametrize(("model", "cause"), [(stated_at(0.5), None), (stated_at(5.0), "impossible_utilization")])
def test_no_dispute_within_twice_and_no_doubt_above_the_peak(made, model, cause):
    """1.5 of the peak: no other input is asked for."""
    assert made[model]["dispute_cause"] == made[model]["dispute_causes"] == cause


DOUBLE = 0.3 * PEAK_FLOP * 2.2
IN_MAC = founded(None, FP16, forward_flop=fact(f"{DOUBLE / 6e12:.12g} MAC"))
IN_FLOP = founded(None, FP16, **stated(DOUBLE))


def test_multiply_adds_are_a_cause_only_in_the_direction_of_their_unit(made):
    """2.2 times too many: a doubled count may have been doubled already, one written in FLOP was never doubled."""
    assert "multiply_add" in made[IN_MAC]["dispute_causes"]
    assert "multiply_add" not in made[IN_FLOP]["dispute_causes"]


WIDE_DATA = founded(
    None, {**FP16, "examples": {"low": 2e11, "high": 5e12, "source": "paper"}}, **stated(0.3 * PEAK_FLOP / 3)
)


def test_a_range_of_the_data_that_reaches_the_other_method_is_a_cause(made):
    """1e12 is the middle of 2e11 and 5e12; a third of the GPU time at the middle, all of it within the range."""
    assert made[WIDE_DATA]["dispute_cause"] == "epochs_or_passes"


WIDE_CHIPS = [{**allocation("tensor-chip"), "chips": {"low": 500, "high": 2000, "source": "paper"}}]
A_THIRD, A_FIFTH = (founded(WIDE_CHIPS, FP16, **stated(0.3 * PEAK_FLOP / factor)) for factor in (3, 5))


@pytest.mark.parametrize(("model", "factor", "implied"), [(A_THIRD, 3, 0.1), (A_FIFTH, 5, 0.06)])
def test_a_range_of_chips_is_a_cause(tables_of, model, factor, implied):
    """Cards or dies, cores or chips: 500 to 2000 chips; at 500 the ratio is twice as near."""
    others = {"chip_vs_core": (2 / factor, "chip_seconds"), "utilization": (1, "utilization"), "multiply_add": (2 / factor, None)}  # fmt: skip
    assert tables_of[model]["estimates"][0]["implied_utilization_fraction"] == pytest.approx(implied)
    assert agrees(tables_of[model], others)


A_TENTH, A_QUARTER = (founded(None, FP16, **parameters(432e6 / factor, "encoder_only")) for factor in (10, 4))
DECODER = founded(None, FP16, **parameters(432e6 / 10))


def test_two_times_parameters_is_a_cause_where_they_are_too_few(made):
    assert made[A_TENTH]["dispute_cause"] == "parameters_shared"
    assert made[A_QUARTER]["dispute_causes"] == "utilization + parameters_shared"
    # a decoder uses each parameter once a token by definition
    assert "parameters_shared" not in made[DECODER]["dispute_causes"]


LINEAR = {
    "family": "layers", "source": "paper", "input": {"shape": [10]}, "layers": [{"kind": "linear", "out_features": 10}],
}  # fmt: skip
WHOLE, PART = (
    founded(
        [{**allocation("tensor-chip"), "chips": 1, "duration": "1 second"}],
        {"example_unit": "frame", "examples": 1e10, "precision": "fp16"},
        architecture=LINEAR,
        parameters=fact(number),
    )
    for number in (110, 1000)
)


def test_a_network_that_holds_a_part_of_its_parameters_is_a_part(made):
    """Ten inputs to ten outputs, 110 parameters with thresholds, of a model of 1000."""
    assert made[WHOLE]["is_disputed"]
    assert "scope_mismatch" not in made[WHOLE]["dispute_causes"]
    assert "scope_mismatch" in made[PART]["dispute_causes"]


def timed(duration, derived, is_from_operations):
    return founded(
        [{"chip": "tensor-chip", "chips": 1000, "duration": read(duration, **({"derived": derived} if derived else {})), "is_from_operations": is_from_operations}],
        {"precision": "fp16", "examples": None, "epochs": None, "steps": 100_000, "batch": 1e7},
        **parameters(432e6),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("model", "independence"),
    [
        (timed("1 day", None, False), "independent"),
        (timed("1 day", None, True), "circular"),
        (timed("86400 second", "100000 * 0.864", False), "shared_input"),
        (timed("86400 second", "43200 * 2", False), "independent"),
    ],
)
def test_independence(made, model, independence):
    """Time worked out as 100,000 steps of 0.864 seconds rests on the steps, as the operations do."""
    assert made[model]["independence"] == independence


def test_records_that_work_time_out_from_steps_are_known(tables):
    """Read by eye: these durations or passes are arithmetic on the other; a 7 or a 512 that both have is chance."""
    found = {row["model_id"] for row in tables["models"] if row["shared_input"]}
    assert {
        "dit-xl-2",
        "detr-r50",
        "dqn",
        "mae-vit-h",
        "megatron-lm-8-3b",
        "nemotron-4-340b",
        "vit-22b",
        "sasrec",
    } <= found
    assert not {"alphafold-2", "conformer-xxl", "alphago-fan", "retinanet-r101", "gpt-3"} & found


CONVOLUTION = {
    "family": "layers", "source": "paper", "input": {"shape": [64, 32, 32]},
    "layers": [{"kind": "conv2d", "out_channels": 64, "kernel": 3, "padding": 1}],
}  # fmt: skip
CONVOLUTION_FLOP = 2 * 32 * 32 * 64 * 64 * 9
# no input gradient: backward as long as forward
SECONDS = 2 * CONVOLUTION_FLOP * 1e9 / 1.4 / 10e12
FAST = founded(
    [{"chip": "tensor-chip", "chips": 1, "duration": f"{SECONDS:.9g} second"}],
    {"example_unit": "image", "examples": 1e9, "precision": "fp32"},
    architecture=CONVOLUTION,
    domain="vision",
)


def test_fast_convolutions_may_exceed_the_peak(made):
    """3 x 3 convolutions in fp32 reach 1.3 to 1.75 of it by fast algorithms (methods, section 4): no doubt by itself."""
    assert 1 < made[FAST]["implied_utilization_fraction"] < 1.75
    assert made[FAST]["headline_method"] == "mixture"
    assert made[FAST]["dispute_cause"] != "impossible_utilization"


AT_ITS_OWN = founded(
    None, {**FP16, "utilization": {"value": 0.45, "source": "paper", "kind": "mfu"}}, **parameters(432e6)
)


def test_a_rule_of_thumb_is_mixed_with_time_at_the_authors_own_utilization(tables_of):
    """At 0.45 the time says 1.5 times the count, and is used as such; each weighs by what is known of it."""
    (own,) = tables_of[AT_ITS_OWN]["reconciliations"]
    assert own["gpu_time_used"] == "informed"
    assert own["gpu_time_used_flop"] / own["operation_count_flop"] == pytest.approx(1.5)
    count, time = (1 / own[f"{name}_log_sd"] ** 2 for name in ("operation", "gpu_time_used"))
    # gross errors, one in eight and one in ten, move the weights of the inverse variances by little
    assert own["operation_weight_fraction"] == pytest.approx(count / (count + time), abs=0.1)


def log_sds():
    return {
        each.applies_to if record.quantity != "utilization" else f"utilization {each.applies_to}": math.log(each.spread)
        for record in miniature_defaults().defaults.values()
        for each in record.spreads
    }


def drawn(random, rate, *spreads):
    """Logarithms of errors: of each input by itself, and of one in so many draws a gross one."""
    gross = (random.random(DRAWS) < rate) * random.normal(0, math.log(3.5), DRAWS)
    return gross + sum(random.normal(0, spread, DRAWS) for spread in spreads)


def density(distance, rate, *spreads):
    """Probability density of such an error."""
    plain = math.hypot(*spreads)
    widths = ((1 - rate, plain), (rate, math.hypot(plain, math.log(3.5))))
    return sum(share * np.exp(-((distance / width) ** 2) / 2) / width for share, width in widths)


def at_scale(scale):
    """Both methods at about so many times 1e23 FLOP."""
    tokens = float(f"{1e23 * scale / (6 * 432e6):.3g}")
    days = float(f"{0.97 * 1e23 * scale / 0.3 / PEAK_FLOP:.3g}")
    return founded(
        [allocation("tensor-chip", days)], {**FP16, "examples": tokens, "utilization": JUDGED}, **parameters(432e6)
    )


@pytest.mark.parametrize("model", [at_scale(scale) for scale in (0.6, 1.0, 1.3)])
def test_intervals_and_probabilities_agree_with_drawn_inputs(made, model):
    """Errors of the count are drawn input by input, and weighted by how likely they make the time; one in eight counts errs grossly."""
    row, own = made[model], log_sds()
    error = drawn(np.random.default_rng(20261121), 0.12, own["derived"], own["examples_exact"])
    truth = math.log(row["operation_count_flop"]) - error
    of_time = (own["chip_seconds_product"], own["peak"], own["utilization text"])
    weight = density(math.log(row["gpu_time_flop"]) - truth, 0.1, *of_time)
    order = np.argsort(truth)
    reached = np.cumsum(weight[order]) / weight.sum()
    low, middle, high = (math.exp(truth[order][np.searchsorted(reached, share)]) for share in (0.05, 0.5, 0.95))
    assert row["headline_method"] == "mixture"
    assert row["training_flop_low"] == pytest.approx(low, rel=0.01)
    assert row["training_flop"] == pytest.approx(middle, rel=0.01)
    assert row["training_flop_high"] == pytest.approx(high, rel=0.01)
    above = weight[truth > math.log(1e23)].sum() / weight.sum()
    assert row["probability_above_1e23_fraction"] == pytest.approx(above, abs=0.015)
    assert row["probability_above_1e25_fraction"] == pytest.approx(0, abs=1e-5)


def unread(hardware, phase):
    return given(hardware, {**FP16, **phase}, **parameters(1e9))


@pytest.mark.parametrize(
    ("model", "widest", "confidence"),
    [
        (unread([], {}), "examples", "confident"),  # 1.6 of data that nobody read against 1.15 of 2 x parameters
        # one pass, 1.5: less than what a gross error in one of eight adds, 0.12 x (ln 3.5)²
        (unread([], {"epochs": None}), "gross_error", "confident"),
        # 1.33, and a tenth of (ln 3.5)²
        (
            unread([allocation("tensor-chip")], {"examples": None, "utilization": {**JUDGED, "kind": "mfu"}}),
            "gross_error",
            "confident",
        ),
        # measured nowhere
        (unread([allocation("tensor-chip")], {"examples": None}), "utilization", "likely"),
    ],
)
def test_widest_input_and_confidence(made, model, widest, confidence):
    row = made[model]
    assert (row["widest_input"], row["confidence"]) == (widest, confidence)
    factor = row["training_flop_high"] / row["training_flop"]
    assert confidence == ("confident" if factor <= 3 else "likely" if factor <= 10 else "speculative")


UTILIZATION = {
    "method_ratio": 0.248, "implied_utilization_fraction": 0.0745, "utilization_low_fraction": 0.114, "utilization_high_fraction": 0.441,
    "utilization_basis": "calibrated", "operation_count_flop": 0.396e22, "gpu_time_informed_flop": 1e22, "utilization_fraction": 0.188,
    "independence": "independent", "dispute_ratio": 2,
}  # fmt: skip
UNEXPLAINED = {
    "method_ratio": 0.45, "implied_utilization_fraction": 0.135, "utilization_low_fraction": None, "utilization_high_fraction": None,
    "independence": "independent", "ratio_variance": 0.3**2 + 0.6**2, "examples_log_sd": 0.2, "examples_class": "exact",
    "chips_ratio": None, "imputed_inputs": None, "is_examples_inconsistent": False,
}  # fmt: skip
REPORTED = given((), FP16, **parameters(1e9), reported_flop=fact("6e21 FLOP", method="operation_count"))


def test_a_reported_headline_rests_on_the_report(made):
    assert made[REPORTED]["widest_input"] == "reported"


@pytest.mark.parametrize(
    ("cause", "row", "words"),
    [
        # FP32 has 15.7 of a V100's 125e12 FLOP/s in FP16: 1.129e21 counted / (2.16e8 x 15.7e12 x 0.4 = 1.356e21) = 0.832
        ("precision", {"precision": "fp16", "format_ratio": 0.1256, "method_ratio": 0.1045, "implied_utilization_fraction": 0.0418}, "in fp32, whose peak is 0.126x this one's, the ratio 0.104 would be 0.832, at a utilization of 0.333"),
        # 0.0745 / 0.114 = 1 / 1.53; operations / GPU time at the predicted 0.188: 0.396
        ("utilization", UTILIZATION, "below what like cases reach (90 %: 0.114 to 0.441); at 0.114 the methods would differ by 1.53x. At the predicted 0.188 the ratio is 0.396."),
        ("utilization", {**UTILIZATION, "implied_utilization_fraction": 0.05}, "at 0.114 the methods would differ by 2.28x, so that a part of the difference has another cause."),
        ("utilization", {**UTILIZATION, "implied_utilization_fraction": 0.2}, "so the implied one is ordinary, and the default does not fit this run."),
        ("utilization", {**UTILIZATION, "utilization_low_fraction": None}, "nothing like it was measured"),
        # 1.645 x (0.3² + 0.6²)^½ = 1.10, a factor of 3.01
        ("unexplained", UNEXPLAINED, "differ by 2.22x; what is known of their inputs leaves 3.01x open (90 %), so no one input stands out."),
        ("unexplained", {**UNEXPLAINED, "method_ratio": 0.1}, "differ by 10x, more than their inputs leave open (3.01x, 90 %)"),
        # a range of 4 x: 1.645 x 0.4214 = ln 2; with twice the data 0.45 would be 0.9
        ("unexplained", {**UNEXPLAINED, "examples_class": "range", "examples_log_sd": 0.42137}, "with 2x more of them the ratio 0.45 would be 0.9."),
        ("unexplained", {**UNEXPLAINED, "imputed_inputs": "hardware"}, "Filled by defaults: hardware."),
        # 6.313e23 counted beside 1024 chips x 57.7 days x 123e12 FLOP/s = 6.28e23
        (
            "impossible_utilization",
            {"operation_count_flop": 6.313e23, "implied_utilization_fraction": 1.00526, "chip_peak_flop": 6.28e23, "reported_flop": None},
            "are 1.005 of chip time x peak, 6.28e+23 FLOP",
        ),
    ],
)  # fmt: skip
def test_a_cause_has_a_sentence_with_the_models_numbers(cause, row, words):
    (explained,) = disputes.explained({"model_id": "a-model", "base_model": None, "dispute_causes": cause, **row})
    assert (explained["rank"], explained["cause"]) == (1, cause)
    assert words in explained["cause_evidence"]


@pytest.mark.parametrize(
    ("independence", "wanted"),
    [
        ("independent", "a throughput of this run"),
        ("shared_input", "the operations of one example, counted a second way"),
    ],
)
def test_where_a_rate_is_known_a_throughput_would_settle_nothing(independence, wanted):
    row = {
        "model_id": "a-model",
        "base_model": None,
        "dispute_causes": "unexplained",
        **UNEXPLAINED,
        "independence": independence,
    }
    (explained,) = disputes.explained(row)
    assert explained["resolution"].startswith(wanted)
