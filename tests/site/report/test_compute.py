"""The page on training compute."""

import re

from pipeline.site.report import compute
from tests.site.report.builders import NEAR, drawn, estimate


def test_a_dispute_is_told_by_shape_too():
    made = compute.methods([estimate("a", 0.2), estimate("b", 1.0)], NEAR)
    marks = re.findall(r'aria-hidden="true"|<path[^>]* d="([^"]+)"[^>]* fill="var\(--(group-[12])\)"', made.lower())
    shapes = {colour: path[:40] for path, colour in marks if colour}
    assert set(shapes) == {"group-1", "group-2"}
    assert len(set(shapes.values())) == 2


def test_a_fine_tune_is_no_training_run_of_its_own():
    rows = [estimate("Base", None, model_id="base"), estimate("Tuned", None, model_id="tuned", training_flop=1.1e20)]
    lineage = [{"model_id": "base", "base_model": None}, {"model_id": "tuned", "base_model": "base"}]
    shown = drawn(compute, rows, [], lineage, [], NEAR)
    said = " ".join(shown.split())
    assert (
        "the largest training run is that of Base, 10<sup>20</sup> FLOP. The totals of 1 fine-tuned models include"
        in said
    )
    assert "Training compute of 1 models by date" in said
