"""Rows of a group of gold runs: with their own facts, or those of the model's phase that they name."""

import pytest

from pipeline.records import loading
from pipeline.rules.ingestion import architectures, gold_runs
from tests.records.conftest import GROUP, World


@pytest.fixture
def rows(tmp_path):
    world = World(tmp_path)
    world.write("gold_runs/group.yaml", GROUP.replace("licence: MIT", "licence: MIT\nmeasured_by: [rates]"))
    records = loading.load([tmp_path])
    return {row["run"]: row for row in gold_runs.logged_runs(records)}, records


def test_a_run_with_facts_of_its_own(rows):
    """1000 steps of 100 images on one chip for a second."""
    own = rows[0]["first"]
    assert (own["examples_seen"], own["chip_seconds"], own["chips"]) == (1e5, 1.0, 1)
    assert (own["name"], own["published"], own["architecture_id"]) == ("A run", "2013", "group/first")
    assert (own["measured_by"], own["run_evidence"], own["hours_cover"]) == ("rates", "log", "whole_run")
    assert [row["architecture_id"] for row in architectures.layers(rows[1])].count("group/first") == 1


def test_a_run_of_a_model_has_the_facts_of_its_phase(rows):
    """1.2e6 x 90 images on two chips for five to six days, of which the geometric mean is used."""
    named = rows[0]["second"]
    assert (named["model_id"], named["architecture_id"]) == ("images", "images/pretraining")
    assert named["examples_seen"] == 1.08e8
    assert named["chip_seconds"] == pytest.approx(2 * 30**0.5 * 86400)
    assert (named["stated_precision"], named["network"], named["utilization_case"]) == ("fp32", None, "other")
