"""The page on utilization."""

import pytest

from pipeline.site.report import utilization
from pipeline.site.report import utilization_facts as facts
from tests.site.report.builders import NEAR, cell_of, drawn, measured_row, tables


def test_what_breaks_the_default_is_worked_out_from_the_rows():
    dense = [measured_row("vgg-16", 1.2), measured_row("vgg-16", 0.3, precision="fp16")]
    light = [measured_row("mobilenet-v2", 0.04, network="depthwise_convolution")]
    cells = facts.answers([cell_of(dense[:1]), cell_of(light)], dense + light, (0.3, 0.4), NEAR)
    assert [cell["verdict"] for cell in cells] == ["neither: higher", "neither: lower"]
    # one chip, one precision: 0.04 / 1.2
    assert facts.depthwise_against_dense(dense + light) == [pytest.approx(0.04 / 1.2)]
    page = " ".join(drawn(utilization, **tables(dense + light)).split())
    # 0.4 / 0.04; the speed went from 120 to 30, the peak did not move
    assert "median 0.04: ×10 below the default, which is within 2× in 0 of 1 rows" in page
    assert "1 row does more counted operations than the peak allows, up to 1.20, all of them dense" in page
    assert "raised the peak ×1 and the speed ×0.25, so the share of the peak went from 1.20 to 0.30.</p>" in page


def test_nothing_is_said_of_what_was_not_measured():
    page = drawn(utilization, **tables([measured_row("resnet-50", 0.35)]))
    for heading in ("Depthwise convolutions: far below", "Tensor cores", "Above 1"):
        assert heading not in page
