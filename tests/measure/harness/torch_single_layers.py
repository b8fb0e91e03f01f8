"""Layers timed alone have the FLOP of their network."""

from pipeline.measure.harness import flop, single_layers
from pipeline.measure.harness.plan import Task
from tests.measure.harness.builders import QUICKLY, SUBJECTS


def test_layers_alone_add_up_to_the_network():
    subject = SUBJECTS["quick_convolutions"]
    found = single_layers.layers(Task("layers", subject.name, 2), subject, QUICKLY)
    ours = flop.ours(subject.placed(), subject)
    for which in ("forward", "backward"):
        assert sum(row["times"] * row[f"{which}_flop"] for row in found["layers"]) == 2 * ours[which]
    assert all("problem" not in row for row in found["layers"])
