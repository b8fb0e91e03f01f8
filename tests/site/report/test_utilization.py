"""The page on utilization."""

from tests.site.report.builders import drawn, measured_row, tables


def test_what_breaks_the_default_is_worked_out_from_the_rows():
    dense = [measured_row("vgg-16", 1.2), measured_row("vgg-16", 0.3, precision="fp16")]
    light = [measured_row("mobilenet-v2", 0.04, network="depthwise_convolution")]
    page = " ".join(drawn("utilization", **tables(dense + light)).split())
    # 0.4 / 0.04; one chip, one precision: 0.04 / 1.2; the speed went from 120 to 30, the peak did not move
    assert "median 0.04: ×10 below the default, which is within 2× of the measurement in 0 of 1 rows" in page
    assert "they reach 3.3 % of the utilization of dense convolutional networks (median of 1 pairs" in page
    assert "1 row has more counted operations than the peak allows, up to 1.20, all of them dense" in page
    assert "raised the peak ×1 and the speed ×0.25, so the share of the peak went from 1.20 to 0.30.</p>" in page


def test_nothing_is_said_of_what_was_not_measured():
    page = drawn("utilization", **tables([measured_row("resnet-50", 0.35)]))
    for heading in ("Depthwise convolutions: far below", "Convolutional networks on tensor cores", "Above 1"):
        assert heading not in page


def test_an_estimate_stands_beside_the_nearest_measured_case_and_its_kind_in_the_picture():
    case = {"network": "dense_convolution", "precision": "fp16", "chips": 8.0, "hardware_id": "chip"}
    gold = {
        "gold_group_id": "lab",
        "run": "a",
        "name": "Lab's run",
        "published": "2024",
        "implied_utilization_fraction": 0.25,
    }
    measured = {
        "measurement_id": "bench",
        "row": "a",
        "measurement_source": "bench",
        "measured_utilization_fraction": 0.31,
    }
    page = drawn(
        "utilization",
        **tables([measured_row("resnet-50", 0.35)]),
        gold_runs=[case | gold],
        measured_cases=[case | measured],
    )
    row = page[page.index("Lab&#39;s run") :]
    assert row.index("0.25") < row.index("0.31") < row.index("0.31 bench")
    assert "gold runs, 2024: 0.25 (1)" in page
