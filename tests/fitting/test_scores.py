"""Scores of fits on groups that they did not see: right on pairs drawn from the model, and without scores where there are too few."""

import numpy as np
import pandas as pd
import pytest

from pipeline.fitting import scores
from tests.fitting.builders import drawn_pairs, drawn_totals


@pytest.fixture(scope="module")
def rows():
    return scores.left_out(drawn_pairs(500), drawn_totals(100))


def test_every_pair_is_foretold_once(rows):
    assert sorted(rows["model_id"]) == sorted(drawn_pairs(500).models)
    assert np.isfinite(rows[["mixture", "constant", "by_class", "share_below", "width"]]).all(axis=None)


def test_groups_are_left_out_whole_and_the_draw_repeats():
    groups = np.array([f"group-{n // 3}" for n in range(60)], object)
    fold = scores.folds(groups)
    assert all(len({*fold[groups == name]}) == 1 for name in groups)
    assert {*fold} == set(range(scores.FOLDS))
    assert (fold[::-1] == scores.folds(groups[::-1])).all()


def test_pairs_of_the_model_are_in_its_intervals_and_score_above_a_normal(rows):
    for row in scores.coverage(rows):
        assert abs(row["held"] / row["number"] - row["level"]) < 0.05
    mixture, by_class, constant = scores.log_scores(rows)
    assert mixture["score"] > by_class["score"]
    assert constant["gain"] > 2 * constant["error"] > 0


def test_thirds_of_the_width_are_in_order(rows):
    ((title, thirds),) = scores.by_label(rows, {})
    assert title == "Width"
    assert [row["name"] for row in thirds] == [*scores.THIRDS]
    assert thirds[0]["width"] < thirds[1]["width"] < thirds[2]["width"]
    assert sum(row["number"] for row in thirds) == 500


def test_too_few_groups_have_no_scores():
    assert not len(scores.left_out(drawn_pairs(4), drawn_totals(0)))


def test_a_share_has_its_interval_of_jeffreys():
    wide, narrow = scores.share([True] * 9 + [False]), scores.share(([True] * 9 + [False]) * 10)
    assert (wide["held"], wide["number"]) == (9, 10)
    # The posterior under a prior of 1 / sqrt(p (1 - p)), added up.
    p = (np.arange(1_000_000) + 0.5) / 1_000_000
    posterior = p**8.5 * (1 - p) ** 0.5
    below = np.cumsum(posterior) / posterior.sum()
    assert (wide["low"], wide["high"]) == pytest.approx(tuple(p[np.searchsorted(below, (0.05, 0.95))]), abs=1e-4)
    assert wide["low"] < narrow["low"] < 0.9 < narrow["high"] < wide["high"]


def test_external_estimates_are_counted_by_their_inputs():
    estimates = pd.DataFrame({
        "model_id": ["a", "b"], "training_flop": [1.0, None], "training_flop_low": [0.5, None], "training_flop_high": [2.0, None],
        "training_flop_p25": [0.8, None], "training_flop_p75": [1.2, None],
    })  # fmt: skip
    others = pd.DataFrame({
        "model_id": ["a", "a", "a", "b"], "stated_flop": [1.1, 1.9, 3.0, 1.0], "inputs": ["own", "own", "same_time", "own"],
    })  # fmt: skip
    every, own, same_time = scores.external(estimates, others)
    assert (every["name"], every["half"], every["held"], every["number"]) == ("all", 1, 2, 3)
    assert (own["name"], own["half"], own["held"], own["number"]) == ("own", 1, 2, 2)
    assert (same_time["name"], same_time["held"], same_time["number"]) == ("same_time", 0, 1)


def judged_row(name, stratum, published, corrected, reason=None):
    return {
        "snapshot": "t", "name": name, "published_flop": published, "corrected_flop": corrected, "reason": reason, "stratum": stratum,
        "sampling_weight": 3.0 if stratum == "near" else 1.0,
    }  # fmt: skip


def test_adjudicated_values_enter_at_their_corrected_value_by_stratum():
    """Far: 1000 becomes 1, 50 stays, one is another's; near: 1.1 and 5 stay, and each stands for three."""
    judged = pd.DataFrame([
        judged_row("a", "far", 1000.0, 1.0, "unit"), judged_row("b", "far", 50.0, 50.0), judged_row("c", "far", 9.0, None, "other_model"),
        judged_row("d", "near", 1.1, 1.1), judged_row("e", "near", 5.0, 5.0, "data"), judged_row("f", "near", 1.0, 1.0),
    ])  # fmt: skip
    estimates = pd.DataFrame({
        "model_id": list("abcde"), "name": list("ABCDE"), "training_flop": 1.0, "training_flop_low": 0.5, "training_flop_high": 2.0,
        "training_flop_p25": 0.9, "training_flop_p75": 1.05,
    })  # fmt: skip
    flop = {"a": 1000.0, "b": 50.0, "c": 9.0, "d": 1.1, "e": 5.0}
    others = pd.DataFrame([
        *({"model_id": name, "external_estimate_id": "x", "stated_flop": value, "via": f"t: {name}, FLOP", "inputs": "same_time"} for name, value in flop.items()),
        {"model_id": "b", "external_estimate_id": "y", "stated_flop": 7.0, "via": "t: b, FLOP", "inputs": "own"},  # not adjudicated
        {"model_id": "d", "external_estimate_id": "z", "stated_flop": 1.1, "via": None, "inputs": "own"},
        {"model_id": "e", "external_estimate_id": "y", "stated_flop": 1000.0, "via": "t: a, FLOP", "inputs": "own"},  # drawn beside a
    ])  # fmt: skip
    others.loc[1, "inputs"] = "own"
    rows = scores.drawn(estimates, others, judged)
    assert sorted(rows["name"]) == ["a", "b", "c", "d", "e"]  # f stands beside no headline
    found = scores.adjudication(rows)
    assert (found["number"], found["dropped"], found["restating"]) == (5, 1, 4)

    def told(row):
        return [(own["held"], own["number"]) for own in row["strata"].values()], round(row["weighted"], 4)

    published, adjudicated, own, same_time = found["coverage"]
    assert told(published) == ([(0, 3), (1, 2)], round(3 / 9, 4))
    assert told(adjudicated) == ([(1, 2), (1, 2)], round((1 + 3) / (2 + 6), 4))
    assert told(adjudicated["half"]) == ([(1, 2), (0, 2)], round(1 / 8, 4))
    assert (own["name"], told(own)) == ("own", ([(0, 1), (0, 0)], 0.0))
    assert (same_time["name"], told(same_time)) == ("same_time", ([(1, 1), (1, 2)], round(4 / 7, 4)))
    nothing, kept = found["standing"]
    assert told(nothing) == ([(1, 3), (1, 2)], round(4 / 9, 4))
    assert told(kept) == ([(1, 3), (2, 2)], round(7 / 9, 4))
