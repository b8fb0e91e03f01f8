"""Utilizations in the explorer equal those that estimates use for models with as few known facts."""

import pytest

from pipeline.base.paths import ROOT
from pipeline.site.ledger import open_ledger
from pipeline.site.predictions import CHIPS, predictions


def test_a_model_without_a_known_network_is_taken_at_this_utilization(published_database):
    with open_ledger(ROOT) as ledger:
        sql = """
            select u.network, a.precision, a.hardware_id, s.chips, c.gpu_time_used_flop / c.chip_peak_flop, u.utilization_middle_fraction
            from utilizations u join reconciliations c using (model_id) join completed_allocations a using (model_id, phase, allocation)
            join allocations s using (model_id, phase, allocation) join runs r using (model_id, phase)
            where r.architecture_id is null and s.chips is not null and c.gpu_time_used_reason = 'measured' and a.precision in ('bf16', 'fp16')
                and (select count(*) from allocations where model_id = u.model_id) = 1
        """
        rows = [row for row in ledger.connection.execute(sql).fetchall() if row[3] in CHIPS]
        bands = {
            (case.network, case.precision, case.hardware_id): case.bands
            for case in predictions(ledger, sorted({row[0] for row in rows}), ["bf16", "fp16"])
        }
    assert len(rows) > 3
    assert "language_transformer" in {row[0] for row in rows} != {"language_transformer"}
    for network, precision, chip, chips, *used in rows:
        _, of_measurements, _, of_runs = bands[network, precision, chip][CHIPS.index(chips)]
        of_headlines, measured = used
        # Logged whole runs of language models reach the default, which forecasts use instead of the headlines'
        # prediction.
        expected = [0.3 if network == "language_transformer" else of_headlines, measured]
        assert [of_runs, of_measurements] == pytest.approx(expected, rel=1e-9), (chip, chips)
