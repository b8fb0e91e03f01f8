"""The P100 study beside measurements of the same networks."""

import pytest

from pipeline.site.report import p100_study
from tests.site.report.builders import measured_row, tables


def test_the_study_is_set_beside_the_same_networks():
    rows = [measured_row("mobilenet-v2", 0.08, network="depthwise_convolution"), measured_row("resnet-50", 0.4)]
    study = p100_study.stated(tables(rows[:1])["reported_utilizations"])
    (compared,) = p100_study.beside(study, rows)
    assert {row["method"] for row in study} == set(p100_study.METHODS)
    assert (compared["theory"], compared["full"], compared["fast"]) == (0.2, 0.08, None)
    assert p100_study.against([compared], "depthwise_convolution") == [pytest.approx(0.4)]
