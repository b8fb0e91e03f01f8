"""The gold page: votes per owner, and the error of GPU time found in the runs."""

from math import exp, log

import pytest

from pipeline.site.report import gold

STORED = [
    {"quantity": "uncertainty", "applies_to": name, "default_value": value}
    for name, value in (("whole_run", 0.75), ("gpu_time_up", 0.25), ("gpu_time_down", 0.45))
]


def run(owner, weight=1.0, counted=1e20, predicted=1e20):
    return {
        "owner": owner,
        "weight": weight,
        "operation_count_flop": counted,
        "gpu_time_informed_flop": predicted,
        "gold_group_id": owner,
    }


def test_an_owner_with_two_runs_of_a_group_has_one_vote():
    owners = gold.owners([run("one", 0.5), run("one", 0.5), run("two"), run("three"), run("two")])
    assert [(row["owner"], row["runs"], row["share"]) for row in owners] == [
        ("two", 2, 0.5),
        ("one", 2, 0.25),
        ("three", 1, 0.25),
    ]


def test_the_halves_are_those_of_a_logistic_distribution():
    """Of twenty runs, the first is at 1/4 and the last at 3 times the middle, which is 0.9 times the prediction."""
    counted = [0.9 / 4, *[0.9] * 17, 2.7, 2.7]
    rows = gold.widths([run(str(place), 1.0, each * 1e20) for place, each in enumerate(counted)], STORED)
    assert [row["stored"] for row in rows] == [0.75, 0.25, 0.45]
    assert [row["gold"] for row in rows] == pytest.approx([0.9, log(3) / log(19), log(4) / log(19)])
    assert exp(rows[1]["gold"] * log(19)) == pytest.approx(3)


def test_without_predictions_there_is_nothing_beside_the_stored_numbers():
    assert gold.widths([run("one", predicted=None)], STORED) == []
