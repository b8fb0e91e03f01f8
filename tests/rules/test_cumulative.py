"""Cumulative compute of models: what a teacher, a search and made data add, by hand."""

import pytest

from pipeline.rules.cumulative import with_cumulative

TYPED = {"contribution": 0, "contributor_id": "x", "contribution_flop": 1.0}


def model(name, training_flop=10.0, own_training_flop=None, base_model=None, has_read=True):
    own = training_flop if own_training_flop is None else own_training_flop
    return {
        "model_id": name, "training_flop": training_flop, "own_training_flop": own, "base_model": base_model,
        "has_read_contributions": has_read,
    }  # fmt: skip


def contribution(name, accounting, **stated):
    return {"model_id": name, "accounting": accounting, **dict.fromkeys(TYPED), "contribution": 0, **stated}


@pytest.fixture
def made(frame_of):
    """Rows by model, of these models and contributions."""

    def work(models, contributions):
        lineages = [{"model_id": each["model_id"], "part_id": each["model_id"]} for each in models]
        lineages += [
            {"model_id": each["model_id"], "part_id": each["base_model"]} for each in models if each["base_model"]
        ]
        typed = {**TYPED, "model_id": "nobody", "accounting": "search"}
        typed_model = model("typed", 1.0, 0.5, "typed-base")
        frame = frame_of(
            [*({key: each[key] for key in each if key != "has_read_contributions"} for each in [*models, typed_model])]
        )
        read = frame_of(
            [{key: each[key] for key in ("model_id", "has_read_contributions")} for each in [*models, typed_model]]
        )
        found = with_cumulative(frame, read, frame_of(lineages), frame_of([*contributions, typed]))
        return {row["model_id"]: row for row in found.collect("pyarrow").rows(named=True)}

    return work


@pytest.mark.parametrize(
    ("contributions", "cumulative", "total"),
    [
        ([], 10.0, "cumulative_flop"),  # the publication was read, and mentions nothing
        ([contribution("student", "distillation_teacher", contributor_id="teacher")], 110.0, "cumulative_flop"),
        ([contribution("student", "search", contributor_id="teacher", contribution_flop=3.0)], 13.0, "cumulative_flop"),
        ([contribution("student", "synthetic_data", contribution_flop=7.0)], 17.0, "cumulative_flop"),
        # how much the teacher was used for the data is not stated
        ([contribution("student", "synthetic_data", contributor_id="teacher")], None, "training_flop"),
        ([contribution("student", "distillation_teacher", contributor_id="silent")], None, "training_flop"),
    ],
)
def test_what_others_contribute_is_added_or_leaves_no_cumulative_total(made, contributions, cumulative, total):
    rows = made([model("student"), model("teacher", 100.0), model("silent", None)], contributions)
    assert (rows["student"]["cumulative_flop"], rows["student"]["threshold_total"]) == (cumulative, total)
    assert rows["teacher"]["cumulative_flop"] == 100
    assert (rows["silent"]["cumulative_flop"], rows["silent"]["threshold_total"]) == (None, None)


def test_a_base_model_brings_what_it_rests_on(made):
    """5 of its own on a base of 10, which has 7 of made data: 22; where nobody looked at the base, nothing is known."""
    data = [contribution("base", "synthetic_data", contribution_flop=7.0)]
    rows = made([model("tuned", 15.0, 5.0, "base"), model("base")], data)
    assert (rows["tuned"]["cumulative_flop"], rows["tuned"]["own_to_base_ratio"]) == (22, 0.5)
    assert rows["base"]["own_to_base_ratio"] is None
    unread = made([model("tuned", 15.0, 5.0, "base"), model("base", has_read=False)], data)
    assert (unread["tuned"]["cumulative_flop"], unread["tuned"]["threshold_total"]) == (None, "training_flop")
