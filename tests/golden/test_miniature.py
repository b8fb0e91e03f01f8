"""The published table of the miniature, calculated by hand."""

import csv

import pytest


@pytest.fixture(scope="module")
def rows(miniature):
    with (miniature / "data/published/estimates.csv").open(newline="") as file:
        return {row["model_id"]: row for row in csv.DictReader(file)}


def test_one_row_a_model(rows):
    assert len(rows) == 13


def test_counts_by_hand(rows):
    # conv 2*8*8*9*3*4 = 13,824; linear 2*256*10 = 5,120; backward 13,824 + 2*5,120: no gradient of the raw image
    assert float(rows["tiny-net"]["operation_count_flop"]) == pytest.approx(
        (13_824 + 5_120 + 13_824 + 10_240) * 1e10, rel=1e-5
    )


def test_gpu_time_by_hand(rows):
    # a range of 8 to 12 minutes has the geometric middle sqrt(96); 2 chips, 1e12 FLOP/s, 0.4
    assert float(rows["tiny-net"]["gpu_time_flop"]) == pytest.approx(2 * 96**0.5 * 60 * 1e12 * 0.4, rel=1e-5)
    # 400 core-hours on chips of 2 cores and 4 x 5 chip-hours, 50e12 FLOP/s, 0.3
    assert float(rows["base-text"]["gpu_time_flop"]) == pytest.approx((200 + 20) * 3600 * 50e12 * 0.3, rel=1e-5)


def test_unknown_stays_unknown(rows):
    silent = rows["silent-net"]
    for column in (
        "operation_count_flop",
        "gpu_time_flop",
        "training_flop",
        "is_disputed",
        "method_ratio",
        "headline_method",
    ):
        assert silent[column] == "", column


def test_fine_tune_holds_its_base_and_names_what_was_filled(rows):
    tuned, base = rows["tuned-text"], rows["base-text"]
    own_operations = 3 * 2 * 164e3 * 1e9
    assert float(tuned["operation_count_flop"]) == pytest.approx(
        float(base["operation_count_flop"]) + own_operations, rel=1e-5
    )
    # 4 chip-hours at the default peak of 2022 for 16 bit, 2.10e14, x 0.3
    own_time = 4 * 3600 * 2.10e14 * 0.3
    assert float(tuned["gpu_time_flop"]) == pytest.approx(float(base["gpu_time_flop"]) + own_time, rel=1e-5)
    assert tuned["imputed_inputs"] == "hardware + precision + epochs"
    assert tuned["hardware_basis"] == "default_year"
    assert tuned["operation_count_basis"] == "derived"


def test_text_cannot_run_in_a_spreadsheet(rows):
    assert rows["tiny-net"]["name"] == "'=Tiny Net"
