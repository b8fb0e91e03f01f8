"""Predictions of the explorer are those that the stage makes for models of which as little is known."""

import pytest

from pipeline.paths import ROOT
from pipeline.site.ledger import opened
from pipeline.site.predictions import CHIPS, predicted


def test_a_model_without_a_known_network_has_the_predicted_utilization(published_database):
    with opened(ROOT) as ledger:
        sql = """
            select u.network, a.precision, a.hardware_id, s.chips, u.utilization_low_fraction, u.utilization_middle_fraction, u.utilization_high_fraction
            from utilizations u join completed_allocations a using (model_id, phase, allocation)
            join allocations s using (model_id, phase, allocation) join runs r using (model_id, phase)
            where r.architecture_id is null and s.chips is not null and r.network = 'language_transformer'
        """
        stated = [row for row in ledger.connection.execute(sql).fetchall() if row[3] in CHIPS]
        found = {
            (each.network, each.precision, each.hardware_id): each.bands
            for each in predicted(ledger, ["language_transformer"], ["bf16", "fp16"])
        }
    assert len(stated) > 3
    for network, precision, chip, chips, *bounds in stated:
        band = found[network, precision, chip][CHIPS.index(chips)]
        assert list(band) == pytest.approx(bounds, rel=1e-9), (chip, chips)
