"""Compares the estimates with those of every release before: each value that moved, and through which fact."""

from pipeline.publishing import history
from pipeline.publishing.history import Releases
from pipeline.rules.frames import rows
from schemas import params
from schemas.table import Table
from schemas.tables.changes import Changes
from schemas.tables.estimates import Estimates
from schemas.tables.facts import Facts


def build(
    estimates: Table[Estimates], facts: Table[Facts], releases: Releases, params: params.Publish
) -> Table[Changes]:
    """Compares the estimates with those of every release before: each value that moved, and through which fact."""
    every = rows(estimates, "model_id")
    bases = {row["model_id"]: row["base_model"] for row in every if row["base_model"]}
    return history.changes(releases, params.version, every, rows(facts), bases)
