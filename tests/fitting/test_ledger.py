"""The ledger's own pairs: what the tables say of them, the stored values against a new fit, the command and its page."""

import json
import math

import numpy as np
import pytest

from pipeline.fitting import __main__ as command
from pipeline.fitting import fit, likelihood
from pipeline.fitting import pairs as learned
from pipeline.fitting.rounding import is_spread, shown
from pipeline.site.report import calibration
from tests.site.report.builders import drawn, read


@pytest.fixture(scope="module")
def own(tables):
    return learned.tables(tables.folder)


def test_the_parts_of_a_pair_give_its_distance_and_variance_back(own):
    pairs, stored = learned.pairs(own), learned.stored(own["defaults"])
    rows = own["reconciliations"].set_index("model_id").loc[[*pairs.models]]
    found = likelihood.of_pairs(pairs, stored)
    assert np.allclose(found.distance, np.log(rows["gpu_time_used_flop"] / rows["operation_count_flop"]), atol=1e-9)
    assert np.allclose(found.variance, rows["gpu_time_used_log_sd"] ** 2 + rows["operation_log_sd"] ** 2, atol=1e-9)


def test_a_family_and_a_paper_are_one_group(own):
    groups = learned.groups(own["lineages"], own["sources"])
    for first, second in (("flan-palm-540b", "palm-8b"), ("gpt-3", "gpt-3-13b"), ("llama-7b", "vicuna-7b")):
        assert groups[first] == groups[second], (first, second)
    assert len({*groups.values()}) > len(groups) / 2


def test_stored_values_lie_in_the_68_percent_range_of_a_new_fit(own):
    stored = learned.stored(own["defaults"])
    found = fit.fitted(learned.pairs(own), learned.totals(own))
    outside = {}
    for name, new in found.items():
        low, high = (math.exp(end) if is_spread(name) else end for end in (new.low, new.high))
        value = math.exp(stored[name]) if is_spread(name) else stored[name]
        if not low <= value <= high:
            outside[name] = f"{shown(name, value)} is stored, a new fit has {shown(name, low)} to {shown(name, high)}"
    assert outside == {}, "run make fit-uncertainty and take its values over"


def shown_of(summary):
    return drawn(calibration, json.loads(summary.read_text()))


def test_the_command_prints_and_writes_what_it_found(own, tables, tmp_path, capsys):
    assert command.main(tables.folder, tmp_path / "calibration.json") == 0
    printed, page = capsys.readouterr().out, shown_of(tmp_path / "calibration.json")
    read(page)
    for name in fit.PRIORS:
        assert f"\n{name} " in printed
        assert f"<code>{name}</code>" in page
    assert "External estimates" in page
    assert {*calibration.WORDS} == {*fit.PRIORS}


def written(folder, of):
    for name, table in of.items():
        table.to_parquet(folder / f"{name}.parquet")
    return folder


def test_no_tables_and_no_pairs_are_answered_in_words(own, tmp_path, capsys):
    page = tmp_path / "calibration.json"
    assert command.main(tmp_path, page) == 1
    assert "run `make repro` first" in capsys.readouterr().err
    none = {**own, "reconciliations": own["reconciliations"].head(0)}
    assert command.main(written(tmp_path, none), page) == 1
    assert "No model has two independent methods" in capsys.readouterr().err
    assert not page.exists()


def test_one_pair_is_fitted_and_has_no_scores(own, tmp_path, capsys):
    reconciled = own["reconciliations"]
    one = {**own, "reconciliations": reconciled[reconciled["model_id"] == learned.pairs(own).models[0]]}
    assert command.main(written(tmp_path, one), tmp_path / "calibration.json") == 0
    printed, page = capsys.readouterr().out, shown_of(tmp_path / "calibration.json")
    assert "Pairs: 1, groups: 1" in printed
    assert "no scores" in printed
    assert "none can be left out" in page
    read(page)
