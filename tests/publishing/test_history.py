"""Given what releases kept and what is estimated now, every value that moved, in which release and through what."""

import csv

import pytest

from pipeline.publishing import history
from pipeline.stages import flow

FACTS = "record_kind,record_id,path,written\nmodels,net,training[0].epochs,{epochs}\n"


def keep(root, version, estimates, epochs="90"):
    folder = root / "data/releases" / version
    folder.mkdir(parents=True)
    (folder / "estimates.csv").write_text(estimates)
    (folder / "facts.csv").write_text(FACTS.format(epochs=epochs))


def now(root, version, flop, epochs="90", model="net"):
    facts = [{"record_kind": "models", "record_id": "net", "path": "training[0].epochs", "written": epochs}]
    row = {"model_id": model, "training_flop": flop, "operation_count_flop": flop, "sources": "a"}
    return history.changes(history.kept(root), version, [row], facts, {})


def moved(rows, *names):
    return [tuple(row[name] for name in names) for row in rows]


HEAD = "model_id,training_flop,operation_count_flop,sources\n"


@pytest.fixture
def root(tmp_path):
    keep(tmp_path, "2025-01-01", f"{HEAD}net,1e+20,1e+20,b\nold,5,5,b\n")
    keep(tmp_path, "2026-01-01", f"{HEAD}net,2e+20,2e+20,b\n", epochs="180")
    return tmp_path


def test_each_release_is_compared_with_the_one_before(root):
    rows = now(root, "2026-01-01", 2e20, epochs="180")
    assert {row["release"] for row in rows} == {"2026-01-01"}
    through = "training[0].epochs: 90 -> 180"
    assert moved(rows, "model_id", "column", "old", "new", "reason") == [
        ("old", "training_flop", "5", None, "the model is gone"),
        ("net", "training_flop", "1e+20", "2e+20", f"operation_count_flop; {through}"),
        ("net", "operation_count_flop", "1e+20", "2e+20", through),
    ]


@pytest.mark.parametrize(("version", "release"), [("2026-01-01", "unreleased"), ("2027-01-01", "2027-01-01")])
def test_what_moved_since_the_last_release_is_of_the_next(root, version, release):
    rows = [row for row in now(root, version, 2e20, epochs="90", model="new") if row["release"] == release]
    assert moved(rows, "model_id", "column", "old", "new", "reason") == [
        ("new", "training_flop", None, "2e+20", "the model was added"),
        ("net", "training_flop", "2e+20", None, "the model is gone"),
    ]


def test_the_first_release_has_no_history(tmp_path):
    assert now(tmp_path, "2026-01-01", 2e20) == []


def test_what_is_kept_is_what_is_published(tmp_path):
    published = tmp_path / "data/published/estimates.csv"
    published.parent.mkdir(parents=True)
    published.write_text(f"{HEAD}net,2e+20,2e+20,a\n")
    history.keep("2026-01-01", tmp_path, [("models", "net", "training[0].epochs", "=90")])
    (release,) = history.kept(tmp_path)
    assert release.name == "2026-01-01"
    assert release.tables["estimates"]["net"]["training_flop"] == "2e+20"
    assert release.facts == {"models/net": {"training[0].epochs": "=90"}}
    assert now(tmp_path, "2026-01-01", 2e20, epochs="=90") == []


def test_the_ledger_has_the_values_of_its_first_release():
    """AlexNet's headline of 21 November 2026, as its file had it, and what became of it."""
    first = history.kept()[0]
    assert (first.name, len(first.tables["estimates"])) == ("2026-11-21", 198)
    with (flow.ROOT / "data/published/changes.csv").open(newline="") as file:
        rows = {(row["model_id"], row["column"]): row for row in csv.DictReader(file)}
    row = rows["alexnet", "training_flop"]
    assert row["old"] == first.tables["estimates"]["alexnet"]["training_flop"] == "4.47921e+17"
    assert row["reason"] != ""
