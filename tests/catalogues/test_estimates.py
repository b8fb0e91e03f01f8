"""Estimates of rows of Epoch's table by the stages; all rows in this file are estimated in one run."""

import csv
import math

import pytest

from pipeline.catalogues import epoch, estimates, written
from pipeline.catalogues.epoch.columns import READ
from tests.builders import EPOCH_HEADER, TEXT_ROW, TIMED_ROW, epoch_csv, epoch_table

ROWS = []  # one catalogue of all rows below, estimated once


def given(cells, **named):
    """Add a row to the catalogue and return its name, by which its estimate is found. Missing names and cells are those of `cells`."""
    row = cells | {"Model": f"Row {len(ROWS) + 1}"} | named
    ROWS.append(row)
    return row["Model"]


@pytest.fixture(scope="module")
def estimated(records, params, ledger_rows, tmp_path_factory):
    """Return the estimates of the rows."""
    path = tmp_path_factory.mktemp("catalogue") / "epoch.csv"
    path.write_text(epoch_csv(ROWS), encoding="utf-8", newline="")
    return estimates.estimate(epoch.read(path, records), records, params, ledger_rows)


@pytest.fixture(scope="module")
def ledger_rows(tables):
    """Return the ledger's estimates by model."""
    return {row["model_id"]: row for row in tables["estimates"]}


@pytest.fixture(scope="module")
def ledger_flop(ledger_rows):
    """Return the ledger's headlines by model."""
    return {name: row["training_flop"] for name, row in ledger_rows.items()}


@pytest.fixture(scope="module")
def made(estimated):
    """Return the estimates of the rows by name."""
    return {row["name"]: row for row in estimated.estimates}


PLAIN = given(TEXT_ROW, Model="Text")
TIMES = given(TIMED_ROW)


def test_text_is_6_parameters_tokens(made):
    row = made[PLAIN]
    # 6 * 1.3e9 * 300e9 = 2.34e21
    assert row["training_flop"] == pytest.approx(2.34e21, rel=1e-6)
    assert row["source_row"] == 1
    assert row["headline_method"] == "operation_count"


def test_time_is_chips_hours_peak_utilization(made):
    row = made[TIMES]
    # 64 * 144 * 3600 * 312e12 * 0.4 * 3/4 = 3.11e21
    assert row["training_flop"] == pytest.approx(64 * 144 * 3600 * 312e12 * 0.4 * 0.75, rel=1e-6)
    assert (row["precision"], row["headline_method"]) == ("bf16", "gpu_time")


CORES = given(
    TIMED_ROW
    | {"Training hardware": "Google TPU v3", "Training time notes": "on 64 TPUv3 cores", "Numerical format": ""}
)


TIME = {name: cell for name, cell in TIMED_ROW.items() if name not in TEXT_ROW}


@pytest.mark.parametrize(
    ("row", "method"),
    [
        (given(TEXT_ROW | TIME | {"Training dataset size (datapoints)": tokens}), method)
        for tokens, method in (("300e9", "operation_count"), ("3e12", "gpu_time"), ("30e12", "operation_count"))
    ],
)
def test_above_the_peak_what_was_spent_bounds_what_was_run(made, row, method):
    """0.23, 2.3 and 23 times the peak: 64 * 144 h * 312e12 = 1.035e22 FLOP, 6 * 1.3e9 * 3e12 = 2.34e22."""
    assert made[row]["headline_method"] == method


ABOVE_THE_PEAK = given(TEXT_ROW | TIME | {"Training dataset size (datapoints)": "3e12", "Base model": "Text"})


def test_above_the_peak_a_fine_tune_keeps_its_operations(made):
    assert made[ABOVE_THE_PEAK]["headline_method"] == "operation_count"


UNKNOWN_CHIP = given(TIMED_ROW | {"Training hardware": "Cerebras CS-2"})


def test_an_unknown_chip_is_no_average_chip(made):
    assert made[UNKNOWN_CHIP]["training_flop"] is None
    assert "'Cerebras CS-2' is not a chip of the ledger" in made[UNKNOWN_CHIP]["rules"]


@pytest.mark.parametrize(
    ("row", "date"),
    [(given(TEXT_ROW | {"Publication date": date}), date) for date in ("2021", "2021-05", "2021-05-04")],
)
def test_dates_of_any_precision(made, row, date):
    assert made[row]["published"] == date


FEW = TEXT_ROW | {"Training dataset size (datapoints)": "1e9"}
TUNED = given(FEW | {"Base model": "Text"})


def test_a_fine_tune_includes_its_base_model(made):
    row = made[TUNED]
    assert row["training_flop"] == pytest.approx(2.34e21 + 6 * 1.3e9 * 1e9, rel=1e-6)
    assert row["base_training_flop"] == pytest.approx(2.34e21, rel=1e-6)
    assert row["training_flop_low"] < row["training_flop"] < row["training_flop_high"]


TUNED_GPT_3 = given(FEW | {"Base model": "GPT-3", "Parameters": "175e9"})


def test_a_base_model_of_the_ledger_counts_as_its_record_does(made, ledger_flop):
    assert made[TUNED_GPT_3]["base_training_flop"] == pytest.approx(ledger_flop["gpt-3"], rel=1e-9)


SEEING = given(TEXT_ROW, Model="Llama 3.1-Vision-70B", Parameters="70e9")
SEEING_NOBODY = given(TEXT_ROW, Model="Llama 3.1-Vision-3B", Parameters="3e9")


def test_a_model_named_after_one_of_the_ledger_has_it_as_base(made, ledger_flop):
    assert made[SEEING]["base_training_flop"] == pytest.approx(ledger_flop["llama-3-1-70b"], rel=1e-9)
    assert "base model 'llama-3-1-70b' of the ledger, after which it is called" in made[SEEING]["rules"]
    assert made[SEEING_NOBODY]["base_training_flop"] is None


RECORDED = given(TEXT_ROW | {"Parameters": "176e9"}, Model="bloom 176B")
SMALLER = given(TEXT_ROW | {"Parameters": "1.5e9"}, Model="BLOOM 176b ")


def test_a_row_whose_model_has_a_record_has_its_number(made, ledger_flop):
    row = made[RECORDED]
    assert (row["model_id"], row["training_flop"]) == ("bloom-176b", pytest.approx(ledger_flop["bloom-176b"], rel=1e-9))


XL = given(TEXT_ROW | {"Parameters": "1.5e9"}, Model="GPT-2 (1.5B, with another curriculum)")


def test_a_network_by_name_must_have_as_many_parameters(made):
    assert made[SMALLER.strip()]["model_id"] is None
    assert made[XL]["model_id"] is None
    assert made[XL]["training_flop"] == pytest.approx(6 * 1.5e9 * 300e9, rel=1e-6)


N_GRAMS = given(
    TEXT_ROW | {
        "Publication date": "2007-06", "Parameters": "300e9", "Training dataset size (datapoints)": "1.8e12",
        "Training time (hours)": "24", "Hardware quantity": "1500",
    }
)  # fmt: skip


def test_machines_that_are_not_named_can_do_no_more_than_the_fastest_chip_of_their_time(made):
    # 6 * 300e9 * 1.8e12 = 3.2e24 FLOP; 1500 machines of 6.2e11 FLOP/s do 8.1e19 in a day
    assert made[N_GRAMS]["training_flop"] is None
    assert "times the peak of the fastest chips of the time" in made[N_GRAMS]["rules"]


PLOTS = "Running all code needed to produce plots took about 10 days on 8 V100s"
TOGETHER = [
    given(TIMED_ROW | {"Hardware quantity": "8", "Training time (hours)": hours, "Training time notes": note})
    for hours, note in (("", PLOTS), ("240", PLOTS), ("240", "All experiments took 240 hours on the 8 GPUs."))
]


@pytest.mark.parametrize("row", TOGETHER)
def test_time_of_all_plots_or_experiments_is_not_one_models(made, row):
    assert made[row]["training_flop"] is None
    assert "all experiments or plots" in made[row]["rules"]


BY_HAND = [
    # A quantity of cores is halved.
    (CORES, 32 * 144 * 3600 * 123e12 * 0.3),
    # Data nearly those of the base model are its data.
    (given(TEXT_ROW | {"Training dataset size (datapoints)": "270e9", "Base model": "Text"}), 6 * 1.3e9 * 270e9),
    # Time that each experiment took is one model's.
    (given(TIMED_ROW | {"Training time notes": "All experiments were run on 64 A100s and typically took 100 to 144 hours"}),
     64 * 144 * 3600 * 312e12 * 0.3),
    # Several chips share the time.
    (given(TIMED_ROW | {"Training hardware": "NVIDIA A100 SXM4 80 GB,NVIDIA V100", "Numerical format": "FP16"}),
     64 * 144 * 3600 * (312e12 + 125e12) / 2 * 0.3),
    # Words are tokens only if the note says words.
    (given(TEXT_ROW | {"Dataset size notes": "[WORDS] 300B words"}), 2.34e21 * 4 / 3),
    # Experts that sleep do not count.
    (given(TEXT_ROW | {"Parameters notes": "1.3B in all, 130M activated parameters"}), 2.34e20),
    (given(TEXT_ROW | {"Parameters": "130e9", "Parameters notes": "a mixture of 128 expert networks"}), 0.1 * 6 * 130e9 * 300e9),
    # 4e6 * 250e3 = 1e12 tokens, more than the 300e9 of the set, stand in for epochs.
    (given(TEXT_ROW | {"Epochs": "", "Batch size": "4e6", "Batch size notes": "for 250k steps"}), 6 * 1.3e9 * 1e12),
]  # fmt: skip


@pytest.mark.parametrize(("row", "flop"), BY_HAND)
def test_a_row_comes_to_what_it_does_by_hand(made, row, flop):
    assert made[row]["training_flop"] == pytest.approx(flop, rel=1e-6)


SEEN = [
    (given(TEXT_ROW | {"Training dataset size (datapoints)": size, "Epochs": epochs, "Domain": domain, "Dataset size notes": note}), tokens)
    for size, epochs, domain, note, tokens in (
        ("1e12", "", "Language", "The set has 1T tokens; calculation suggests it was trained on only 250B.", 250e9),
        ("393e9", "", "Biology", "393B amino acids. Implies 27B * 185 = 5T amino acids seen in training", 5e12),
        ("15e9", "", "Language", "4e6 * 39,260 / 15e9: epochs ≈ 10.47", 10.47 * 15e9),
        # Epochs of another data set than the tokens of the run.
        ("400e9", "509", "Language", "We train hybrid models at sizes 1.3B, and 2.7B on the Pile [21] for 400B tokens", 400e9),
        ("8.3e9", "1.93", "Language", "trained the model for 16B tokens", 8.3e9 * 1.93),
        ("100e9", "3", "Language", "trained on 100B tokens", 300e9),
        ("2.1e10", "205", "Language", "73728 tokens per update * 286000 updates", 2.1e10),
        # Of two totals the larger.
        ("300e9", "", "Language", "trained on 1T tokens, later trained on 2T tokens", 2e12),
    )
]  # fmt: skip


@pytest.mark.parametrize(("row", "tokens"), SEEN)
def test_data_seen_of_the_note(made, row, tokens):
    assert made[row]["training_flop"] == pytest.approx(6 * 1.3e9 * tokens, rel=1e-6)


ONE_PASS = TEXT_ROW | {"Epochs": ""}
PASSED_ONCE = given(ONE_PASS | {"Training dataset size (datapoints)": "1e10"})


def test_the_pretraining_of_a_language_model_passes_once_over_its_data(made):
    row = made[PASSED_ONCE]
    assert row["training_flop"] == pytest.approx(6 * 1.3e9 * 1e10, rel=1e-6)
    assert row["rules"] == "one pass assumed"
    assert row["training_flop_high"] == pytest.approx(row["training_flop"] * math.exp(0.2 * 9), rel=1e-9)


NOT_ONCE = [
    given(ONE_PASS | change)
    for change in (
        {"Training dataset size (datapoints)": "9e9"},
        {"Publication date": "2019-12-31"},
        {"Parameters": "301e9"},
        {"Training dataset size (datapoints)": "30e9", "Parameters": "301e9"},
        {"Domain": "Biology", "Task": "Protein language model"},
        {"Base model": "Text"},
    )
]


@pytest.mark.parametrize("row", NOT_ONCE)
def test_other_data_are_not_taken_to_be_passed_over_once(made, row):
    assert made[row]["training_flop"] is None
    assert made[row]["no_estimate_reason"].startswith("order of magnitude")
    assert made[row]["training_flop_high"] / made[row]["training_flop_low"] > 10_000


SLOW = given(TEXT_ROW | TIME | {"Training dataset size (datapoints)": "1e8"})
BELOW_5_PERCENT, ABOVE_5_PERCENT = (
    given(TEXT_ROW | TIME | {"Training dataset size (datapoints)": tokens}) for tokens in ("66e9", "67e9")
)
BOTH = given(TEXT_ROW | TIME | {"Training dataset size (datapoints)": "500e9"})


def test_a_count_so_slow_as_no_network_runs_gives_way_to_the_time(made):
    """6 * 1.3e9 * 1e8 = 7.8e17 FLOP on chips that could have run 1.035e22: 0.000075 of their peak; 6.6e10 tokens: 0.0497; 6.7e10: 0.0505."""
    for row in (SLOW, BELOW_5_PERCENT):
        assert made[row]["headline_method"] == "gpu_time"
        assert made[row]["training_flop"] == pytest.approx(64 * 144 * 3600 * 312e12 * 0.3 * 0.75, rel=1e-6)
    assert "operations left out: they would use 7.5e-05 of the peak" in made[SLOW]["rules"]
    assert made[ABOVE_5_PERCENT]["headline_method"] == "operation_count"
    assert reach(made[ABOVE_5_PERCENT]) == pytest.approx(reach(made[TIMES]), rel=1e-9)


def test_a_count_that_the_time_confirms_is_known_best(made):
    # 6 * 1.3e9 * 500e9 = 3.9e21 FLOP; the time comes to 1.035e22 * 0.3 = 3.1e21
    assert made[BOTH]["headline_method"] == "operation_count"
    assert reach(made[BOTH]) == pytest.approx(math.exp(0.1 * 9), rel=1e-9)
    assert reach(made[PLAIN]) == pytest.approx(math.exp(0.2 * 9), rel=1e-9)
    # 1.3 * (10 ** 0.5 - 1) = 2.811
    assert reach(made[TIMES]) == pytest.approx(math.exp(2.811), rel=1e-3)


def reach(row):
    """Return the upper end of the 90 % interval divided by the point."""
    return row["training_flop_high"] / row["training_flop"]


NO_DATA = TEXT_ROW | {"Training dataset size (datapoints)": "", "Epochs": ""}
CARDS, MANY_CARDS = (
    given(TIMED_ROW | {"Training hardware": "NVIDIA GeForce RTX 3090", "Hardware quantity": cards})
    for cards in ("1024", "3090")
)


def test_more_consumer_cards_than_anybody_has_are_no_number_of_cards(made):
    assert made[CARDS]["headline_method"] == "gpu_time"
    assert made[MANY_CARDS]["training_flop"] is None
    assert "no GPU time: 3,090 consumer cards, more than 1,024" in made[MANY_CARDS]["rules"]


BASE_ALONE = given(NO_DATA | {"Base model": "GPT-3"})


def test_a_total_has_the_interval_of_its_parts(made, ledger_rows):
    """Points of parts add; a base model in the ledger has its record's interval. An unknown addition widens it upwards: 0.29 * (10 ** 0.5 - 1)."""
    base, ends = ledger_rows["gpt-3"], ("training_flop_low", "training_flop_high")
    own = made[TUNED_GPT_3]["own_training_flop"]
    assert [made[TUNED_GPT_3][end] for end in ends] == pytest.approx(
        [base[ends[0]] + own * math.exp(-0.2 * 9), base[ends[1]] + own * math.exp(0.2 * 9)], rel=1e-9
    )
    assert reach(made[TUNED]) == pytest.approx(math.exp(0.2 * 9), rel=1e-9)
    assert [made[BASE_ALONE][end] for end in ends] == pytest.approx(
        [base[ends[0]], base[ends[1]] * math.exp(0.29 * 2.16228)], rel=1e-5
    )
    assert made[BASE_ALONE]["own_training_flop"] is None


def test_points_stand_in_order_and_probabilities_fit_them(made):
    for row in made.values():
        if row["training_flop"] is None or row["model_id"]:
            continue
        points = [row[name] for name, _ in sorted(estimates.POINTS.items(), key=lambda pair: pair[1])]
        assert points == sorted(points)
        for name, share in estimates.POINTS.items():
            if row[name] < 1e25:
                assert row["probability_above_1e25_fraction"] <= 1 - share
        assert row["off_by_two_fraction"] > 0


CONVOLUTIONAL = [
    given(TEXT_ROW | change)
    for change in (
        {"Domain": "Games", "Parameters notes": "three convolutional layers and a fully connected one"},
        {"Domain": "Vision", "Publication date": "1998", "Training dataset size (datapoints)": "6e4", "Task": "LeNet-5"},
        {"Domain": "Vision", "Training dataset size (datapoints)": "5e4", "Dataset size notes": "a ResNet; CutMix of tokens"},
        {"Domain": "Biology", "Task": "CNN of residues", "Dataset size notes": "300B tokens"},
    )
]  # fmt: skip


@pytest.mark.parametrize("row", CONVOLUTIONAL)
def test_a_convolutional_network_is_not_counted_by_its_parameters(made, row):
    assert made[row]["training_flop"] is None


PICTURES = {"Domain": "Vision", "Training dataset size (datapoints)": "1.28e6", "Parameters": "50e6"}
GUESSED = [given(TEXT_ROW | PICTURES | change) for change in ({}, {"Epochs": ""})] + [
    given(TEXT_ROW | {"Epochs": "", "Training dataset size (datapoints)": "1e8"})
]


@pytest.mark.parametrize("row", GUESSED)
def test_guessed_passes_or_flop_a_picture_give_an_interval_alone(made, row):
    own = made[row]
    assert own["training_flop"] is None
    assert own["training_flop_high"] / own["training_flop_low"] > 100
    assert own["no_estimate_reason"].startswith("order of magnitude")
    assert own["operation_count_flop"] is None


LARGE = given(TEXT_ROW | {"Parameters": "13e9"}, Model="Name-13B")
TUNED_SMALL = given(FEW | {"Base model": "Name-7B"})
TUNED_1_3B, TUNED_13B = (given(FEW | {"Base model": f"Kin-{size}"}) for size in ("1.3B", "13B"))
KIN = given(TEXT_ROW | {"Parameters": "30e9"}, Model="Kin-30B")
PIPED = given(FEW | {"Base model": "Kin|7B"})


@pytest.mark.parametrize(
    ("row", "parameters"), [(TUNED_SMALL, 7e9), (PIPED, 7e9), (TUNED_13B, 13e9), (TUNED_1_3B, 1.3e9)]
)
def test_another_size_of_the_family_saw_as_many_tokens(made, row, parameters):
    assert made[row]["base_training_flop"] == pytest.approx(6 * parameters * 300e9, rel=1e-6)


FIRST = given(FEW | {"Base model": "Second"}, Model="First")
SECOND = given(FEW | {"Base model": "First"}, Model="Second")


def test_base_models_in_a_circle_end(made):
    # 6 * 1.3e9 * 1e9, each without the other
    assert [made[name]["training_flop"] for name in (FIRST, SECOND)] == pytest.approx([7.8e18, 7.8e18], rel=1e-9)


TUNED_NOBODYS = given(FEW | {"Base model": "Nobody's"})


def test_a_base_that_nobody_knows_gives_no_total_but_own_training(made):
    row = made[TUNED_NOBODYS]
    assert row["no_estimate_reason"] == (
        'base model "Nobody\'s" is neither in this file nor in the ledger, with an estimate: only its own training'
    )
    assert row["own_training_flop"] == pytest.approx(6 * 1.3e9 * 1e9, rel=1e-6)
    totals = [name for name in row if name.startswith(("training_flop", "probability", "off_by_two"))]
    assert [row[name] for name in totals] == [None] * 13
    assert (row["operation_count_flop"], row["headline_method"], row["confidence"]) == (None, None, None)


VGG = given(
    TIMED_ROW
    | {
        "Hardware quantity": "", "Parameters": "133e6",
        "Training dataset size (datapoints)": "1.28e6", "Epochs": "90",
    },
    Model="VGG-13",
)  # fmt: skip


def test_a_network_recognised_by_name_has_its_layers_counted(made):
    forward = 2 * 11.31e9  # timm: 11.31 GMAC at 224 x 224
    assert made[VGG]["training_flop"] == pytest.approx(3 * forward * 1.28e6 * 90, rel=0.02)
    assert made[VGG]["operation_count_basis"] == "counted"


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (given(TEXT_ROW | change), reason)
        for change, reason in (
            ({"Publication date": ""}, "no publication date"),
            ({"Parameters": ""}, "no parameters; no chips with time"),
            ({"Training dataset size (datapoints)": "", "Epochs": ""}, "no amount of data; no chips with time"),
            ({"Domain": "Games"}, "needs the architecture; no chips with time"),
        )
    ],
)
def test_a_row_without_an_estimate_says_why(made, row, reason):
    assert (made[row]["training_flop"], made[row]["no_estimate_reason"]) == (None, reason)


UNREAD = [
    ({"Parameters": "many"}, "Parameters is 'many', not a number"),
    ({"Parameters": "-1"}, "not a finite number above zero"),
    ({"Epochs": "nan"}, "not a finite number above zero"),
    ({"Epochs": "0.0"}, "Epochs is 0.0, not a finite number above zero"),
    ({"Parameters": "1e-300"}, "not between 0.001 and 1e+32"),
    ({"Training dataset size (datapoints)": "327978752,192851506176"}, "several numbers"),
    ({"Training dataset size (datapoints)": "14180000,14180000"}, "several numbers"),
    ({"Publication date": "soon"}, "the publication date is 'soon'"),
    ({"Publication date": "2021-13-01"}, "the publication date is '2021-13-01'"),
]


@pytest.mark.parametrize(("row", "said"), [(given(TEXT_ROW | change), said) for change, said in UNREAD])
def test_a_cell_that_cannot_be_read_costs_itself_alone(made, row, said):
    assert said in made[row]["unread_cells"]


ONE_CELL = given(TIMED_ROW | {"Training dataset size (datapoints)": "327978752,192851506176", "Epochs": "0.0"})


def test_the_row_of_an_unreadable_cell_goes_on_with_its_others(made):
    row = made[ONE_CELL]
    assert row["training_flop"] == made[TIMES]["training_flop"]
    assert row["unread_cells"].count(";") == 1


BAD = [
    ({"Parameters": "1e17"}, "1e+17"),
    # 6 * 1e16 * 1e17 = 6e33
    (
        {"Parameters": "1e16", "Training dataset size (datapoints)": "1e17"},
        "operation_estimates: operation_count_flop 6e+33, which is not between 1 and 1e+32",
    ),
]


BAD_ROWS = [(given(TEXT_ROW | change), said) for change, said in BAD]
OF_PRODUCT = given(NO_DATA, **{"Training compute notes": "6 * 1.3e9 active parameters * 300e9 tokens = 9e99 FLOP"})
OF_A_GUESS = given(NO_DATA, **{"Training compute notes": "To reach 10^25 would need >55T tokens; 8B activated"})
FOUR_TIMES = "4x the training compute of the base model, {}; 4 x 9e24 = 3.6e25"
TIMES_KNOWN = given(NO_DATA, **{"Training compute notes": FOUR_TIMES.format(PLAIN), "Base model": PLAIN})
TIMES_NAMED = given(NO_DATA, **{"Training compute notes": FOUR_TIMES.format(PLAIN)})
TIMES_UNKNOWN = given(TEXT_ROW, **{"Training compute notes": FOUR_TIMES.format("a model that nobody knows")})


def test_tokens_of_a_product_are_read_and_a_guess_is_not(made):
    assert made[OF_PRODUCT]["training_flop"] == pytest.approx(6 * 1.3e9 * 300e9, rel=1e-6)
    assert made[OF_A_GUESS]["no_estimate_reason"] == "no amount of data; no chips with time"


def test_a_multiple_of_a_base_is_of_our_value_and_an_unknown_base_gives_no_total(made):
    for name in (TIMES_KNOWN, TIMES_NAMED):
        assert made[name]["training_flop"] == pytest.approx(4 * 2.34e21, rel=1e-6)
        assert made[name]["base_training_flop"] == pytest.approx(2.34e21, rel=1e-6)
    assert made[TIMES_UNKNOWN]["training_flop"] is None
    assert "4 times that of its base model" in made[TIMES_UNKNOWN]["no_estimate_reason"]


COMMAND = given({}, Model="=cmd()")


@pytest.mark.parametrize(("row", "said"), BAD_ROWS)
def test_a_bad_row_goes_to_quarantine_and_says_why(made, estimated, row, said):
    assert row not in made
    (bad,) = (each for each in estimated.bad if each.name == row)
    assert ROWS[bad.source_row - 1]["Model"] == row
    assert said in bad.reason


def test_no_row_is_lost(estimated, tmp_path):
    out = tmp_path / "out.csv"
    quarantine = written.write(estimated, out).quarantine
    assert quarantine == tmp_path / "out.csv.quarantine.csv"
    with out.open(newline="") as file:
        made = list(csv.DictReader(file))
    with quarantine.open(newline="") as file:
        bad = list(csv.DictReader(file))
    assert sorted(int(row["source_row"]) for row in [*made, *bad]) == list(range(1, len(ROWS) + 1))
    assert len(bad) == len(BAD)
    assert all(row["name"] for row in [*made, *bad])
    assert made[-1]["name"] == "'=cmd()"
    assert written.write(estimated._replace(bad=[]), out).quarantine is None
    assert not quarantine.exists()


def test_what_epoch_computed_changes_no_byte(estimated, tmp_path, records, params, ledger_rows):
    """The hidden columns may contain anything: the same rows give the same bytes."""
    read = {header for headers in READ.values() for header in headers}
    garbage = {name: "1e30 FLOP =cmd() 7B active parameters" for name in EPOCH_HEADER if name not in read}
    assert len(garbage) == 13
    again = estimates.estimate(
        epoch.read(epoch_table(tmp_path, *(row | garbage for row in ROWS)), records), records, params, ledger_rows
    )

    for name, found in (("with", again), ("without", estimated)):
        written.write(found, tmp_path / name)
    assert (tmp_path / "with").read_bytes() == (tmp_path / "without").read_bytes()
    assert [bad.reason for bad in again.bad] == [bad.reason for bad in estimated.bad]


def test_rows_without_an_estimate_are_told_apart(tmp_path):
    said = written.summary(written.Written(2, 1, 0, None), tmp_path / "estimates.csv")
    assert (
        said == f"{tmp_path / 'estimates.csv'}: 2 rows read, 1 estimated, 1 without an estimate, each with the reason"
    )
