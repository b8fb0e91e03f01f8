"""The page on training compute."""

import re

from pipeline.site.report import compute
from tests.site.report.builders import NEAR, drawn, estimate, models_with


def test_a_dispute_is_told_by_shape_too():
    chart = compute.methods([estimate("a", 0.2), estimate("b", 1.0)], NEAR)
    marks = re.findall(r'<path[^>]* d="([^"]+)"[^>]* fill="var\(--(group-[12])\)"', chart)
    shapes = {colour: path[:40] for path, colour in marks}
    assert set(shapes) == {"group-1", "group-2"}
    assert len(set(shapes.values())) == 2


def test_a_fine_tune_is_no_training_run_of_its_own():
    tables = models_with([estimate("Base", None), estimate("Tuned", None, training_flop=1.1e20)])
    tables["models"][1]["base_model"] = tables["estimates"][1]["base_model"] = "Base"
    page = " ".join(drawn("compute", **tables).split())
    largest = "the largest training run with an estimate is Base's, 10<sup>20</sup> FLOP. The totals of 1 fine-tuned models include"
    assert largest in page
