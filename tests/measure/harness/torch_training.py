"""Timings have every part that the report needs. No time is judged."""

from pipeline.measure.harness import training
from pipeline.measure.harness.plan import Task
from tests.measure.harness.builders import QUICKLY, SUBJECTS


def test_a_timing_has_everything_that_the_report_needs():
    task = Task("time", "quick_convolutions", 4, "bf16", "channels_first", "eager")
    found = training.training(task, SUBJECTS["quick_convolutions"], QUICKLY)
    assert {"step", "passes", "with_profiler", "second_clock", "epoch", "inference"} <= set(found)
    assert set(found["passes"]) == {"forward", "backward", "update"}
    assert found["epoch"]["examples"] % 4 == 0
    assert found["step"]["events"] is None  # there are no device events on a processor
