"""What of the ledger is read for one model of one's own."""

import pytest

from pipeline.paths import RECORDS
from pipeline.records import ledger, own
from pipeline.records.own import Inputs
from schemas.records import Records


def written(folder, chip):
    """A record of one's own that names a chip so, in a file."""
    inputs = Inputs(parameters="7B", tokens="2T", chips="64", hardware="nvidia-h100-sxm5", days="20")
    made = own.made(inputs, ledger.load_related(chips=["nvidia-h100-sxm5"]))
    made.record["training"][0]["hardware"][0]["chip"]["value"] = chip
    path = folder / "mine.yaml"
    path.write_text(own.text(made.record, path.name))
    return path


def test_a_chip_that_is_named_by_its_id_is_the_only_one_read(tmp_path):
    found = ledger.load_related([written(tmp_path, "nvidia-h100-sxm5")])
    assert isinstance(found, Records)
    assert (found.hardware.keys(), found.models.keys()) == ({"nvidia-h100-sxm5"}, {"mine"})


@pytest.mark.parametrize("chip", ["H100", "h100 sxm"])
def test_for_a_chip_that_is_named_otherwise_all_are_read(tmp_path, chip):
    found = ledger.load_related([written(tmp_path, chip)])
    assert len(found.hardware) == len(list((RECORDS / "hardware").glob("*.yaml")))


def test_models_come_with_their_base_models_chips_and_errata(records):
    found = ledger.load_related(models=["flan-palm-540b"])
    assert found.models == {name: records.models[name] for name in ("flan-palm-540b", "palm-540b")}
    chips = {each.chip.value for model in found.models.values() for phase in model.training for each in phase.hardware}
    assert found.hardware.keys() == chips
    assert found.errata == {name: each for name, each in records.errata.items() if each.model in found.models}


def test_errata_of_a_model_are_read_with_it(records):
    model = next(each.model for each in records.errata.values() if each.model)
    named = {name for name, each in records.errata.items() if each.model == model}
    assert ledger.load_related(models=[model]).errata.keys() == named
