"""Given phases, chips and base models, what a row of `estimates` says of data, parameters and chips."""

import pytest

from pipeline.rules.description import described, with_description
from schemas.tables.completed_runs import CompletedRuns
from schemas.tables.lineages import Lineages
from schemas.tables.models import Models
from schemas.tables.operation_estimates import OperationEstimates
from tests.builders import by_model, frame

LINEAGES = [{"model_id": "base", "part_id": "base"}, {"model_id": "m", "part_id": "m"}, {"model_id": "m", "part_id": "base"}]  # fmt: skip


def row_of(own=(), base=(), model=None, base_model=None, lineages=LINEAGES):
    """The row of the model `m`; a phase is (unit, examples, FLOP), with `forward` behind it where it only runs forward."""
    runs, counts = [], []
    for name, phases in (("m", own), ("base", base)):
        for index, (unit, examples, flop, *forward) in enumerate(phases):
            key = {"model_id": name, "phase": f"p{index}"}
            runs.append({**key, "example_unit": unit, "examples_seen": examples, "is_forward_only": bool(forward)})
            counts.append({**key, "operation_count_flop": flop, "counted_parameters": (model or {}).get("counted")})
    models = [
        {
            "model_id": "m",
            "scope": "single",
            **{key: value for key, value in (model or {}).items() if key != "counted"},
        },
        {"model_id": "base", "scope": "single", **(base_model or {})},
    ]
    made = described(frame(Models, models), frame(Lineages, lineages), frame(CompletedRuns, runs), frame(OperationEstimates, counts))  # fmt: skip
    return by_model(made)["m"]


ALONE = [row for row in LINEAGES if row["part_id"] == row["model_id"]]


@pytest.mark.parametrize(
    ("phases", "unit", "examples"),
    [
        ([("token", 3e11, 1e23), ("token", 1e9, 1e20)], "token", 3.01e11),
        ([("token", 3e11, 1e23), ("token", None, None)], "token", None),  # a part is unknown
        ([("image", 5e9, 1e22), ("text_sequence", 5e9, 1e21)], "image", 5e9),  # where most operations were done
        ([("image", 5e9, 1e22), ("text_sequence", 5e9, None)], None, None),  # nobody knows where
        (
            [("image", 5e9, 1e22), ("text_sequence", 5e9, 1e25, "forward")],
            "image",
            5e9,
        ),  # a frozen encoder learns nothing
        ([], None, None),
    ],
)
def test_examples_are_of_one_unit(phases, unit, examples):
    row = row_of(phases, lineages=ALONE)
    assert (row["example_unit"], row["examples_seen"]) == (unit, examples)


def test_examples_of_the_base_count():
    assert row_of([("token", 1e9, 1e20)], [("token", 1e12, 1e23)])["examples_seen"] == 1.001e12


@pytest.mark.parametrize(
    ("own", "base", "chips"), [(8.0, 1024.0, 1024.0), (8.0, None, None), (None, 1024.0, None), (2048.0, 1.0, 2048.0)]
)
def test_chips_are_the_most_of_a_model_and_its_bases(own, base, chips):
    assert row_of(model={"chips": own}, base_model={"chips": base})["chips"] == chips


@pytest.mark.parametrize(
    ("model", "parameters"),
    [
        ({"parameters": 7e9, "counted": 6e9}, 7e9),
        ({"counted": 6e9}, 6e9),
        ({"counted": 6e9, "scope": "joint_networks"}, None),  # one network of several
        ({}, None),
    ],
)
def test_parameters_are_stated_or_counted(model, parameters):
    assert row_of([("token", 1.0, 1.0)], model=model, lineages=ALONE)["parameters"] == parameters


def test_chip_hours_are_chip_seconds_over_3600(frame_of):
    estimates = frame_of([{"model_id": "m", "chip_seconds": 9000.0, "chips": 1.0}])
    other = frame_of([{"model_id": "m", "chips": 8.0}])
    (row,) = with_description(estimates, other).collect("pyarrow").rows(named=True)
    assert (row["chip_hours"], row["chips"]) == (2.5, 8.0)
