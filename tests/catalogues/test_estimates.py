"""Estimates of rows of Epoch's table by the stages; all rows in this file are estimated in one run."""

import csv
import math

import numpy
import pytest

from pipeline.catalogues import epoch, estimates, output_files
from pipeline.catalogues.epoch import columns
from pipeline.catalogues.epoch.columns import READ
from pipeline.catalogues.epoch.readings import Reading
from tests.builders import EPOCH_HEADER, TEXT_ROW, TIMED_ROW, epoch_csv, epoch_table

HEADERS = {name: headers[0] for name, headers in READ.items()} | {"datapoints": "Training dataset size (datapoints)"}
ROWS = []  # one catalogue of all rows below, estimated once
READINGS = {}  # figures read in their notes


def given(cells, read=None, **changes):
    """Add a row with cells (by our names of columns) and figures of its notes to the catalogue; return its name."""
    row = cells | {"Model": f"Row {len(ROWS) + 1}"} | {HEADERS[name]: cell for name, cell in changes.items()}
    ROWS.append(row)
    READINGS[row["Model"], row.get("Organization", "")] = [
        Reading(figure, str(value), row["Model"]) for figure, value in (read or {}).items()
    ]
    return row["Model"]


@pytest.fixture(scope="module", autouse=True)
def readings():
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(columns, "readings", lambda: READINGS)
        yield


@pytest.fixture(scope="module")
def estimated(records, params, ledger_rows, tmp_path_factory):
    """Return the estimates of the rows."""
    path = tmp_path_factory.mktemp("catalogue") / "epoch.csv"
    path.write_text(epoch_csv(ROWS), encoding="utf-8", newline="")
    made = estimates.estimate(epoch.read(path, records), records, params, ledger_rows)
    return made._replace(estimates=[*made.estimates])


@pytest.fixture(scope="module")
def ledger_rows(tables):
    """Return the ledger's estimates by model."""
    return {row["model_id"]: row for row in tables["estimates"]}


@pytest.fixture(scope="module")
def estimates_by_name(estimated):
    """Return the estimates of the rows by the model's name."""
    return {row["name"]: row for row in estimated.estimates}


TIMED_TEXT = TEXT_ROW | {name: cell for name, cell in TIMED_ROW.items() if name not in TEXT_ROW}
FEW = TEXT_ROW | {"Training dataset size (datapoints)": "1e9"}
ONE_PASS = TEXT_ROW | {"Epochs": ""}
NO_DATA = ONE_PASS | {"Training dataset size (datapoints)": ""}
PICTURES = TEXT_ROW | {"Domain": "Vision", "Training dataset size (datapoints)": "1.28e6", "Parameters": "50e6"}

PLAIN = given(TEXT_ROW, name="Text")
TIMES = given(TIMED_ROW)
TUNED = given(FEW, base_model="Text")
TUNED_GPT_3 = given(FEW, base_model="GPT-3", parameters="175e9")
BASE_ALONE = given(NO_DATA, base_model="GPT-3", parameters="175e9")
UNLIKE_GPT_3 = given(NO_DATA, base_model="GPT-3", parameters="1e9")
SEEING = given(TEXT_ROW, {"base": "Llama 3.1-70B"}, parameters="70e9")
RECORDED = given(TEXT_ROW, name="bloom 176B", parameters="176e9")
PASSED_ONCE = given(ONE_PASS, datapoints="1e10")
ABOVE_5_PERCENT = given(TIMED_TEXT, datapoints="67e9")
BOTH = given(TIMED_TEXT, datapoints="500e9")
TUNED_NOBODYS = given(FEW, base_model="Nobody's")

TEXT_FLOP = 2.34e21  # 6 * 1.3e9 * 300e9
PEAK_FLOP = 64 * 144 * 3600 * 312e12  # of the chips of TIMED_ROW during its time: 1.035e22
COUNTED, TIMED = {"headline_method": "operation_count"}, {"headline_method": "gpu_time"}
NOTHING = {"training_flop": None}

# Cells of some estimates. The ellipsis replaces any text.
EXPECTED = [
    (PLAIN, {"training_flop": TEXT_FLOP, "source_row": 1} | COUNTED),
    (TIMES, {"training_flop": PEAK_FLOP * 0.4 * 0.75, "precision": "bf16"} | TIMED),
    # Time bounds operations somewhat above the peak: these are 0.23, 2.3 and 23 times the peak.
    (given(TIMED_TEXT), COUNTED),
    (given(TIMED_TEXT, datapoints="3e12"), TIMED),
    (given(TIMED_TEXT, datapoints="30e12"), COUNTED),
    (given(TIMED_TEXT, datapoints="3e12", base_model="Text"), COUNTED),
    # Operations below 5 % of the peak give way to the time: these are 0.0075 %, 4.97 % and 5.05 %.
    (given(TIMED_TEXT, datapoints="1e8"), {"training_flop": PEAK_FLOP * 0.3 * 0.75, "rules": "…operations left out: they would use 7.5e-05 of the peak"} | TIMED),
    (given(TIMED_TEXT, datapoints="66e9"), {"training_flop": PEAK_FLOP * 0.3 * 0.75} | TIMED),
    (ABOVE_5_PERCENT, COUNTED),
    (BOTH, COUNTED),
    # No average chip replaces an unknown chip.
    (given(TIMED_ROW, hardware="Cerebras CS-2"), NOTHING | {"rules": "…'Cerebras CS-2' is not a chip of the ledger…"}),
    # The time of all plots or experiments together is not one model's.
    (given(TIMED_ROW, {"is_of_all_runs": "yes"}), NOTHING | {"rules": "…all experiments or plots…"}),
    # A note states what no cell does.
    (given(TIMED_ROW, {"chips": 32, "hours": 288}), {"training_flop": PEAK_FLOP * 0.4 * 0.75}),
    (given(TIMED_ROW, {"chips": 32}, chips=""), {"training_flop": PEAK_FLOP / 2 * 0.4 * 0.75, "rules": "chips from the note"}),
    (given(TIMED_ROW, {"chips": 32, "hours": 288}, chips="", hours=""), {"training_flop": PEAK_FLOP * 0.4 * 0.75, "rules": "chips and hours from the note"}),
    (given(TIMED_ROW, {"chip_hours": 64 * 144}, chips=""), {"training_flop": PEAK_FLOP * 0.4 * 0.75} | TIMED),
    # Several chips share the time.
    (given(TIMED_ROW, hardware="NVIDIA A100 SXM4 80 GB,NVIDIA V100", precision="FP16"), {"training_flop": 64 * 144 * 3600 * (312e12 + 125e12) / 2 * 0.3}),
    # Dates may lack the day or the month.
    *((given(TEXT_ROW, published=date), {"published": date}) for date in ("2021", "2021-05", "2021-05-04")),
    # A base model's training is added, unless the data are nearly as large as the base model's and so include them.
    (TUNED, {"training_flop": TEXT_FLOP + 6 * 1.3e9 * 1e9, "base_training_flop": TEXT_FLOP}),
    (given(TEXT_ROW, datapoints="242.4e9", base_model="Text"), {"training_flop": 6 * 1.3e9 * 242.4e9}),
    (given(TEXT_ROW, datapoints="237.6e9", base_model="Text"), {"training_flop": TEXT_FLOP + 6 * 1.3e9 * 237.6e9}),
    # Training that is not stated is as in similar models if the base has about the same size: here 1.485 and 1.515 times.
    (given(NO_DATA, base_model="Text", parameters="1.9305e9"), {"base_training_flop": TEXT_FLOP, "rules": "…taken as in similar models"}),
    (given(NO_DATA, base_model="Text", parameters="1.9695e9"), NOTHING | {"no_estimate_reason": "…differs in domain or size…"}),
    # Base models in a circle count once each.
    (given(FEW, name="First", base_model="Second"), {"training_flop": 6 * 1.3e9 * 1e9}),
    (given(FEW, name="Second", base_model="First"), {"training_flop": 6 * 1.3e9 * 1e9}),
    # An unknown base model leaves only the row's own training.
    (TUNED_NOBODYS, {
        "no_estimate_reason": 'base model "Nobody\'s" has no estimate in this file or in the ledger; only its own training has one',
        "own_training_flop": 6 * 1.3e9 * 1e9, "operation_count_flop": None, "headline_method": None, "confidence": None,
    }),
    # A row is its namesake in the ledger only if it has about as many parameters.
    (RECORDED, {"model_id": "bloom-176b"}),
    (given(TEXT_ROW, name="Bloom-176B", parameters="261.6e9"), {"model_id": "bloom-176b"}),  # 1.485 times as many
    (given(TEXT_ROW, name="BLOOM 176b", parameters="266.9e9"), {"model_id": None}),
    (given(TEXT_ROW, name="GPT-2 (1.5B, with another curriculum)", parameters="1.5e9"), {"model_id": None, "training_flop": 6 * 1.5e9 * 300e9}),
    (SEEING, {"rules": "…base model 'llama-3-1-70b' of the ledger"}),
    # Only active parameters count.
    (given(TEXT_ROW, {"active_parameters": 130e6}), {"training_flop": TEXT_FLOP / 10}),
    (given(TEXT_ROW, {"is_sparse": "yes"}, parameters="130e9"), {"training_flop": 0.1 * 6 * 130e9 * 300e9}),
    # Tokens seen, as the note states them.
    *((given(TEXT_ROW, read, datapoints=size, epochs=epochs, domain=domain), {"training_flop": 6 * 1.3e9 * tokens})
      for size, epochs, domain, read, tokens in (
        ("393e9", "", "Biology", {"tokens_seen": 5e12}, 5e12),
        ("15e9", "", "Language", {"epochs": 10.47}, 10.47 * 15e9),
        # Epochs of another data set than the tokens of the run.
        ("400e9", "509", "Language", {"tokens_of_run": 400e9}, 400e9),
        ("8.3e9", "1.93", "Language", {}, 8.3e9 * 1.93),
        ("", "", "Language", {"tokens_of_run": 300e9}, 300e9),
        ("", "", "Language", {"tokens_named": 20e9}, 20e9),
    )),
    # We assume one pass in the pretraining of language models since 2020, if the data are large enough.
    (PASSED_ONCE, {"training_flop": 6 * 1.3e9 * 1e10, "rules": "one pass assumed"}),
    *((given(ONE_PASS, **changes), NOTHING | {"no_estimate_reason": "no number of passes over the data; …"}) for changes in (
        {"datapoints": "9e9"}, {"datapoints": "1e8"}, {"published": "2019-12-31"}, {"parameters": "301e9"},
        {"datapoints": "30e9", "parameters": "301e9"}, {"domain": "Biology", "task": "Protein language model"},
    )),
    (given(ONE_PASS, base_model="Text"), {"total_state": "own_imputed", "base_training_flop": TEXT_FLOP}),
    # Neither the number of passes nor the FLOP per picture is guessed.
    *((given(PICTURES, epochs=epochs), NOTHING | {"no_estimate_reason": "only a count of its layers …"}) for epochs in ("1", "")),
    # The operations of a convolutional network do not follow from its parameters.
    *((given(TEXT_ROW, **changes), NOTHING) for changes in (
        {"domain": "Games", "parameters_notes": "three convolutional layers and a fully connected one"},
        {"domain": "Vision", "published": "1998", "datapoints": "6e4", "task": "LeNet-5"},
        {"domain": "Vision", "datapoints": "5e4", "datapoints_notes": "a ResNet; CutMix of tokens"},
        {"domain": "Biology", "task": "CNN of residues", "datapoints_notes": "300B tokens"},
    )),
    # Each row without an estimate has a reason.
    *((given(TEXT_ROW, **changes), NOTHING | {"no_estimate_reason": reason}) for changes, reason in (
        ({"published": ""}, "no publication date"),
        ({"parameters": ""}, "no parameters; no chips with time"),
        ({"datapoints": "", "epochs": ""}, "no amount of data; no chips with time"),
        ({"domain": "Games"}, "only a count of its layers could give the operations; no chips with time"),
    )),
    # A cell that cannot be read is named, and the other cells are read.
    *((given(TEXT_ROW, **{name: cell}), {"unread_cells": words}) for name, cell, words in (
        ("parameters", "many", "…Parameters is 'many', not a number…"),
        ("parameters", "-1", "…Parameters is -1, not between 0.001 and 1e+32…"),
        ("epochs", "nan", "…Epochs is nan, not between…"),
        ("epochs", "0.0", "…Epochs is 0.0, not between…"),
        ("parameters", "1e-300", "…not between 0.001 and 1e+32…"),
        ("datapoints", "327978752,192851506176", "…several numbers…"),
        ("datapoints", "14180000,14180000", "…several numbers…"),
        ("published", "soon", "…the publication date is 'soon'…"),
        ("published", "2021-13-01", "…the publication date is '2021-13-01'…"),
    )),
    (given(TIMED_ROW, datapoints="327978752,192851506176", epochs="0.0"), {"training_flop": PEAK_FLOP * 0.4 * 0.75, "unread_cells": "…several numbers; …"}),
]  # fmt: skip


@pytest.mark.parametrize(("name", "cells"), EXPECTED)
def test_an_estimate_is_as_expected(estimates_by_name, name, cells):
    for column, expected in cells.items():
        cell = estimates_by_name[name][column]
        if isinstance(expected, str) and "…" in expected:
            assert expected.strip("…") in cell
            assert expected.startswith("…") or cell.startswith(expected.strip("…"))
        elif isinstance(expected, float):
            assert cell == pytest.approx(expected, rel=1e-6), column
        else:
            assert cell == expected, column


def test_a_model_of_the_ledger_has_its_records_headline(estimates_by_name, ledger_rows):
    for name, column, model in (
        (RECORDED, "training_flop", "bloom-176b"),
        (TUNED_GPT_3, "base_training_flop", "gpt-3"),
        (SEEING, "base_training_flop", "llama-3-1-70b"),
    ):
        assert estimates_by_name[name][column] == pytest.approx(ledger_rows[model]["training_flop"], rel=1e-9)


def factor_above(row):
    """Return the upper end of the 90 % interval divided by the point."""
    return row["training_flop_high"] / row["training_flop"]


def test_a_count_that_the_time_confirms_has_the_narrowest_interval(estimates_by_name):
    """Half-widths are multiplied by 9 for counts, or by 10 ** 0.5 - 1 for times: 1.3 * (10 ** 0.5 - 1) = 2.811."""
    for name, log in ((BOTH, 0.1 * 9), (PLAIN, 0.2 * 9), (PASSED_ONCE, 0.2 * 9), (TUNED, 0.2 * 9)):
        assert factor_above(estimates_by_name[name]) == pytest.approx(math.exp(log), rel=1e-9)
    for name in (TIMES, ABOVE_5_PERCENT):  # the time contradicts the count
        assert factor_above(estimates_by_name[name]) == pytest.approx(math.exp(2.811), rel=1e-3)


def test_a_total_has_the_sum_of_its_parts_intervals(estimates_by_name, ledger_rows):
    """A base in the ledger has its record's interval; an unknown addition is a share of it, or nothing."""
    low, high = (ledger_rows["gpt-3"][end] for end in ("training_flop_low", "training_flop_high"))
    tuned, alone = estimates_by_name[TUNED_GPT_3], estimates_by_name[BASE_ALONE]
    own = tuned["own_training_flop"]
    assert tuned["training_flop_low"] == pytest.approx(low + own * math.exp(-0.2 * 9), rel=1e-9)
    assert tuned["training_flop_high"] == pytest.approx(high + own * math.exp(0.2 * 9), rel=1e-9)
    assert alone["training_flop_low"] == pytest.approx(low, rel=1e-9)
    ratios = [row["own_to_base_ratio"] for row in ledger_rows.values() if row["own_to_base_ratio"]]
    most = high + numpy.quantile(ratios, 0.95) * ledger_rows["gpt-3"]["training_flop"]
    assert high < alone["training_flop_high"] == pytest.approx(most, rel=1e-9)
    assert alone["training_flop"] > ledger_rows["gpt-3"]["training_flop"]
    assert alone["own_training_flop"] is None
    assert (alone["total_state"], alone["confidence"]) == ("own_imputed", "rough")
    unlike = estimates_by_name[UNLIKE_GPT_3]
    assert (unlike["total_state"], unlike["training_flop"], unlike["training_flop_at_least"]) == ("unknown", None, None)


def test_points_are_in_order_and_probabilities_fit_them(estimates_by_name):
    for row in estimates_by_name.values():
        if row["training_flop"] is None or row["model_id"]:
            continue
        points = [row[name] for name, _ in sorted(estimates.POINTS.items(), key=lambda pair: pair[1])]
        assert points == sorted(points)
        for name, share in estimates.POINTS.items():
            if row[name] < 1e25:
                assert row["probability_above_1e25_fraction"] <= 1 - share
        assert row["off_by_two_fraction"] > 0


def test_a_row_without_a_total_has_a_lower_bound_and_no_interval(estimates_by_name):
    row = estimates_by_name[TUNED_NOBODYS]
    totals = [name for name in row if name.startswith(("training_flop", "probability", "off_by_two"))]
    least = row["own_training_flop"] * math.exp(-0.2 * 9)  # its base model is not known
    known = {name: row[name] for name in totals if row[name] is not None}
    assert known == {"training_flop_at_least": pytest.approx(least)}


BAD = {
    given(TEXT_ROW, parameters="1e17"): "1e+17",
    # 6 * 1e16 * 1e17 = 6e33
    given(TEXT_ROW, parameters="1e16", datapoints="1e17"): "operation_estimates: operation_count_flop is 6e+33, not between 1 and 1e+32",
}  # fmt: skip
given({}, name="=cmd()")


@pytest.mark.parametrize("name", BAD)
def test_a_bad_row_goes_to_quarantine_with_a_reason(estimates_by_name, estimated, name):
    assert name not in estimates_by_name
    (bad,) = (bad for bad in estimated.bad if bad.name == name)
    assert ROWS[bad.source_row - 1]["Model"] == name
    assert BAD[name] in bad.reason


def test_no_row_is_lost(estimated, tmp_path):
    out = tmp_path / "out.csv"
    quarantine = output_files.write(estimated, out).quarantine
    assert quarantine == tmp_path / "out.csv.quarantine.csv"
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    with quarantine.open(newline="") as file:
        bad = list(csv.DictReader(file))
    assert sorted(int(row["source_row"]) for row in [*rows, *bad]) == list(range(1, len(ROWS) + 1))
    assert len(bad) == len(BAD)
    assert all(row["name"] for row in [*rows, *bad])
    assert rows[-1]["name"] == "'=cmd()"
    assert output_files.write(estimated._replace(bad=[]), out).quarantine is None
    assert not quarantine.exists()


def test_epochs_results_change_no_byte(estimated, tmp_path, records, params, ledger_rows):
    """The hidden columns may contain anything: the same rows give the same bytes."""
    read = {header for headers in READ.values() for header in headers}
    garbage = {name: "1e30 FLOP =cmd() 7B active parameters" for name in EPOCH_HEADER if name not in read}
    assert len(garbage) == 15
    table = epoch_table(tmp_path, *(row | garbage for row in ROWS))
    again = estimates.estimate(epoch.read(table, records), records, params, ledger_rows)
    for name, result in (("with", again), ("without", estimated)):
        output_files.write(result, tmp_path / name)
    assert (tmp_path / "with").read_bytes() == (tmp_path / "without").read_bytes()
    assert [bad.reason for bad in again.bad] == [bad.reason for bad in estimated.bad]


def test_the_summary_counts_rows_without_an_estimate(tmp_path):
    out = tmp_path / "estimates.csv"
    summary = output_files.summary(output_files.Written(2, 1, 0, None), out)
    assert summary == f"{out}: 2 rows read, 1 estimated, 1 without an estimate, each with the reason"
