"""The queries of the update day, each on a few rows."""

import csv
from pathlib import Path
from types import SimpleNamespace

import pytest

from pipeline.tools.updating.verdicts import Tables, _comparison


@pytest.fixture
def tables(params):
    return Tables(params)


def row(name, **others):
    return {"name": name, "nth": 1, **others}


def cell(name, text, column="Training compute (FLOP)"):
    return {"name": name, "nth": 1, "column": column, "cell": text}


def test_rows_are_new_gone_or_renamed(tables):
    paper = {"link": "https://example.org/a", "organization": "Lab", "published": "2026-01-01"}
    sizes = {"link": "https://example.org/b", "organization": "Lab", "published": "2026-02-01"}
    tables.fill(
        "rows_before", [row("Old name", **paper), row("ALPHA-2"), row("Goes"), row("Family 1B", **sizes), row("Stays")]
    )
    tables.fill(
        "rows_after",
        [
            row("New name", **paper),
            row("Alpha 2"),
            row("Comes"),
            row("Family 2B", **sizes),
            row("Family 3B", **sizes),
            row("Stays"),
        ],
    )
    changes = {(row["change"], row["name"], row["name_before"]) for row in tables.results().changes}
    assert changes == {
        ("renamed", "New name", "Old name"),
        ("renamed", "Alpha 2", "ALPHA-2"),
        ("new", "Comes", None), ("new", "Family 2B", None), ("new", "Family 3B", None),  # which of two it would be is not known
        ("gone", "Goes", "Goes"), ("gone", "Family 1B", "Family 1B"),
    }  # fmt: skip


def test_cells_move_where_they_say_something_else(tables):
    for when, texts in (
        ("before", ("984.0", "2e20", "Robotics", "5e22")),
        ("after", ("984", "1e20", "Robotics,Vision", "5.0000000000000004e+22")),
    ):
        tables.fill(f"rows_{when}", [row("A")])
        names = ("Training power draw (W)", "Training compute (FLOP)", "Domain", "Finetune compute (FLOP)")
        tables.fill(f"cells_{when}", [cell("A", text, name) for text, name in zip(texts, names, strict=True)])
    tables.fill("cells_after", [cell("A", "new", "A column that was not there")])
    assert [(row["column"], row["ratio"]) for row in tables.results().moves] == [
        ("Domain", None),
        ("Training compute (FLOP)", 0.5),
    ]


# Names and compute of Epoch's notable models on two days (CC BY 4.0;
# github:KonstantinPilz/china-training-compute@9affb17, @b551d95). Changes were counted separately: 22 new names, two
# gone, four others without a former line break, two values withdrawn and two added.
def test_a_summer_of_epochs_table_is_replayed(tables):
    for when, day in (("before", "2026-06-15"), ("after", "2026-08-22")):
        with Path(__file__).with_name(f"notable-{day}.csv").open(encoding="utf-8", newline="") as file:
            tables.fill_table(when, [*csv.DictReader(file)])
    found = tables.results()
    assert [row["name"] for row in found.changes if row["change"] == "gone"] == ["Gemini 3.1 Pro", "Qwen 3.7 Max"]
    new = [row["name"] for row in found.changes if row["change"] == "new"]
    assert (len(new), new[:3], new[-1]) == (22, ["A.X K2", "AliceMind-MMU", "Claude Opus 4.8"], "Tencent Hy3 preview")
    withdrawn, added = {"Mistral Large", "Mistral Large 2"}, {"Solar Open 100B", "Eurus-2-7B-PRIME"}
    compute = [row for row in found.moves if row["column"] == "Training compute (FLOP)"]
    assert {row["name"] for row in compute if not row["after"]} == withdrawn
    assert {row["name"] for row in compute if not row["before"]} == added
    assert len(compute) == 4


def test_a_line_break_in_a_name_makes_no_other_row(tables):
    for when, name in (("before", "GPT-4"), ("after", "GPT-4\n"), ("before", "Two 3B"), ("after", "Two\n3B")):
        tables.fill_table(when, [{"Model": name, "Training compute (FLOP)": "1e24"}])
    found = tables.results()
    assert (found.changes, [row["column"] for row in found.moves]) == ([], ["Model"])  # its own cell alone


@pytest.mark.parametrize(
    ("ours", "middle", "adjudicated", "before", "after", "kind"),
    [
        (1e21, None, None, "1e22", "1.1e21", "confirms_ours"),
        (1e22, None, None, "1e22", "1.1e21", "contradicts_ours"),
        (1e22, None, 1e21, "1e22", "1e21", "confirms_ours"),  # what was judged by the sources comes before our estimate
        (None, 1e21, None, "1e22", "1.1e21", "confirms_ours"),
        (None, 1e22, None, "1e22", "1.1e21", None),  # an order of magnitude contradicts nothing
        (1e21, None, None, "1.5e21", "1.2e21", None),
        (1e21, None, None, "1e23", "1e22", None),
    ],
)
def test_values_that_moved_are_set_against_ours(tables, ours, middle, adjudicated, before, after, kind):
    for when, text in (("before", before), ("after", after)):
        tables.fill(f"rows_{when}", [row("A")])
        tables.fill(f"cells_{when}", [cell("A", text)])
    tables.fill("rows_judged", [{"name": "A", "ours_flop": ours, "middle_flop": middle, "theirs_flop": float(after)}])
    if adjudicated:
        tables.fill("adjudicated", [{"name": "A", "corrected_flop": adjudicated}])
    assert [row["kind"] for row in tables.results().findings] == ([kind] if kind else [])


def test_work_is_ranked_by_what_matters_and_what_is_new_comes_first(tables):
    tables.fill("rows_before", [row("Known"), row("Standing"), row("Recorded")])
    tables.fill("rows_after", [row("Known"), row("Standing"), row("Recorded"), row("Small"), row("Large")])
    tables.fill("cells_before", [cell("Known", ""), cell("Recorded", "", "Hardware quantity")])
    tables.fill("cells_after", [cell("Known", "1e24"), cell("Recorded", "64", "Hardware quantity")])
    tables.fill(
        "rows_judged",
        [
            {"name": "Known", "model_id": "known", "theirs_flop": 1e24},
            {"name": "Recorded", "model_id": "recorded", "ours_flop": 1e24},
            {"name": "Standing", "theirs_flop": 3e25},
            {"name": "Small", "no_estimate_reason": "no amount of data"},
            {"name": "Large", "ours_flop": 2e25},
            {"name": "Quoted", "model_id": "quoted", "theirs_flop": 1e24, "is_entered": True},  # its record has theirs
        ],
    )
    tables.fill("missing", [{"model_id": "recorded", "fact": "chips"}])
    tables.fill("unknown_chips", [{"chip": "NVIDIA X1", "is_new": True, "reason": "row Large"}])
    tables.fill(
        "lost_addresses", [{"address": "https://example.org", "status": "gone: answered 404", "models": "known"}]
    )
    tables.fill("reviewed", [{"model_id": "old", "reviewed": "2024-01-01"}])
    work = tables.results({"Large": "https://huggingface.co/lab/large", "Standing": ""}).work
    assert [(row["kind"], row["name"]) for row in work] == [
        ("threshold", "Large"), ("now_known", "Known"), ("missing_fact", "Recorded"), ("chip", "NVIDIA X1"),
        ("address", "https://example.org"), ("new", "Small"), ("threshold", "Standing"), ("unread", "old"),
    ]  # fmt: skip
    assert [row["rank"] for row in work] == [*range(1, 9)]
    assert work[0]["next"] == "flopledger count lab/large"
    assert work[3]["next"] == "flopledger new chip nvidia-x1 --into-ledger"
    assert "64 (Hardware quantity)" in work[2]["reason"]


@pytest.mark.parametrize(("share", "is_entered"), [(0.99, True), (1.01, False)])
def test_a_total_within_two_percent_is_entered(share, is_entered):
    model = SimpleNamespace(external_estimates=[SimpleNamespace(amount=1e23 * (1 - 0.02 * share))])
    estimate = dict.fromkeys(("training_flop", "training_flop_low", "training_flop_high", "no_estimate_reason"))
    judged = _comparison(estimate | {"name": "A", "model_id": "a"}, 1e23, SimpleNamespace(models={"a": model}))
    assert judged["is_entered"] == is_entered
