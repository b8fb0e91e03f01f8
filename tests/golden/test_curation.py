"""The curated set as a whole: well documented, from every domain and generation, with true comparisons with others."""

import csv
import math
import statistics
from collections import Counter, defaultdict

import duckdb
import pytest

from pipeline.base.paths import snapshots
from pipeline.models import sql
from pipeline.rules.ingestion import external
from pipeline.stages import flow
from schemas.vocabulary import Domain, Stratum

APPENDIX_OF_AI_AND_COMPUTE = (
    "alexnet dropout-imagenet visualizing-cnns dqn seq2seq vgg-16 resnet-152 deep-speech-2 xception nas-cifar10 gnmt "
    "transformer-big"
).split()
SEEN = {"quoted", "table"}


def test_models_with_both_methods_rest_on_words_or_tables_that_were_read(tables):
    both = [row for row in tables["estimates"] if row["method_ratio"] is not None]
    data = [row["training_evidence"] in SEEN for row in both]
    data_and_network = [{row["training_evidence"], row["network_evidence"]} <= SEEN for row in both]
    assert sum(data) / len(both) >= 0.9
    assert sum(data_and_network) / len(both) >= 0.7


def test_every_domain_has_a_model_and_the_appendix_of_ai_and_compute_is_whole(tables):
    models = tables["models"]
    assert {row["domain"] for row in models} == set(Domain)
    assert {row["model_id"] for row in models} >= set(APPENDIX_OF_AI_AND_COMPUTE)
    assert {row["model_id"] for row in models if row["scope"] == "search"} >= {"nas-cifar10"}
    assert min(row["published_year"] for row in models) <= 1960


def test_every_comparison_with_another_statement_is_true(tables):
    """`agrees` is within 2x of the headline, `differs` is not; `no_own_value` is a figure for a model without one.

    The figures of the blind test were compared with sealed estimates, not with the headlines of today.
    """
    headline = {row["model_id"]: row["training_flop"] for row in tables["estimates"]}
    wrong = []
    for row in tables["external_estimates"]:
        if row["outcome"] in ("refuted", "other_scope") or row["external_estimate_id"] == external.BLIND:
            continue
        own = headline[row["model_id"]]
        is_near = own is not None and 0.5 <= own / row["stated_flop"] <= 2
        if row["outcome"] != ("no_own_value" if own is None else "agrees" if is_near else "differs"):
            wrong.append(f"{row['model_id']} {row['external_estimate_id']}: {own} against {row['stated_flop']:.3g}")
    assert wrong == []


def test_only_disputes_have_a_stated_cause(tables):
    """A record whose figures were corrected no longer states why they disagree; causes that rules get wrong remain."""
    disputed = {row["model_id"] for row in tables["estimates"] if row["is_disputed"]}
    stated = {row["model_id"] for row in tables["models"] if row["dispute_stated_cause"]}
    assert stated - disputed == set()
    assert stated >= {"alphago-fan", "camembert-base", "electra-base", "lucie-7b", "seq2seq", "stable-diffusion-2-1"}


def test_every_generation_of_accelerators_has_a_chip(tables):
    generations = {row["generation"] for row in tables["hardware"]}
    assert generations >= {"fermi", "kepler", "maxwell", "pascal", "volta", "turing", "ampere", "ada", "hopper", "blackwell", "tpu"}  # fmt: skip


def test_peaks_follow_from_units_and_clocks(records):
    """Operations per clock x boost clock give the peak if both were read: two rows of a data sheet against a third."""
    compared = 0
    for identifier, chip in records.hardware.items():
        for precision, clock in chip.flop_per_clock.items():
            if chip.boost_clock is None or precision not in chip.peaks:
                continue
            derived = clock.amount * chip.boost_clock.amount
            compared += 1
            assert derived == pytest.approx(chip.peaks[precision].amount, rel=0.02), f"{identifier} {precision}"
    assert compared >= 100


REFERENCE = flow.ROOT.parent / "shared/reference"  # tables that are not ours to publish


def of_reference(name):
    """Return a mark of a test that needs this table, and is reported as skipped without it."""
    return pytest.mark.skipif(not (REFERENCE / name).exists(), reason=f"../shared/reference/{name} is not there")


@of_reference("epoch_hardware.csv")
def test_peaks_that_differ_from_epochs_table_say_why(records):
    columns = {
        "fp32": "FP32 (single precision) performance (FLOP/s)",
        "tf32": "TF32 (TensorFloat-32) performance (FLOP/s)",
        "fp8": "FP8 performance (FLOP/s)",
    }
    chips, compared, silent = records.chip_ids(), 0, []
    with (REFERENCE / "epoch_hardware.csv").open(newline="") as file:
        for row in csv.DictReader(file):
            identifier = chips.get(row["Hardware name"].strip().lower())
            for precision, column in columns.items():
                cell = row[column].strip()
                peak = records.hardware[identifier].peaks.get(precision) if identifier and cell else None
                if peak is None:
                    continue
                compared += 1
                notes = " ".join(filter(None, [peak.note, records.hardware[identifier].note]))
                if not 0.98 <= peak.amount / float(cell) <= 1.02 and "Epoch" not in notes:
                    silent.append(f"{identifier} {precision}: {peak.amount:.4g}, Epoch {cell}")
    assert compared >= 150
    assert silent == []


def test_errata_name_the_publication_that_they_stand_against(records):
    nameless = [name for name, erratum in records.errata.items() if erratum.figure.startswith("The ")]
    assert nameless == []


def test_as_many_values_are_adjudicated_as_were_drawn(records):
    rows = [row for file in records.adjudications.values() for row in file.rows]
    for file in records.adjudications.values():
        for stratum in Stratum:
            assert sum(row.stratum == stratum for row in rows) == getattr(file.drawn, stratum).drawn, stratum


def test_every_difference_of_a_second_reading_is_settled_and_mistakes_of_the_ledger_are_mended(tables, params):
    apart = {"differs", "only_reader", "other_unit"}
    rows = tables["reading_comparison"]
    assert [row for row in rows if row["reading_outcome"] in apart and not row["settlement"]] == []
    read = ("runs", "completed_runs", "completed_allocations", "estimates", "second_readings")
    connection = duckdb.connect()
    for name in read:
        sql.create(connection, name, tables[name])
    sql.set_params(connection, params.model_dump())
    connection.execute("update second_readings set settlement = null")  # compared with the ledger's present values
    sql.run(connection, ["reading_comparison"], read)
    mended = {(row["model_id"], row["path"]) for row in rows if row["settlement"] == "ledger_wrong"}
    now = {(row["model_id"], row["path"]): row for row in sql.rows(connection.table("reading_comparison"))}
    assert mended
    assert [key for key in mended if now[key]["reading_outcome"] != "agrees"] == []


TABLES = ("epoch_models_2025", "epoch_notable_2026")


def test_every_adjudicated_table_is_compared(records):
    assert records.adjudications.keys() == {*TABLES}


@pytest.mark.parametrize("snapshot", [pytest.param(name, marks=of_reference(f"{name}.csv")) for name in TABLES])
def test_adjudicated_values_are_those_of_epochs_tables(records, snapshot):
    """The name is exactly a cell of the snapshot."""
    with (REFERENCE / f"{snapshot}.csv").open(newline="", encoding="utf-8-sig") as opened:
        names = {row["Model"] for row in csv.DictReader(opened)}
    assert [row.name for row in records.adjudications[snapshot].rows if row.name not in names] == []


def test_a_row_of_epochs_table_is_of_one_model(records):
    named = Counter(model.epoch_name for model in records.models.values() if model.epoch_name)
    assert [name for name, times in named.items() if times > 1] == []
    assert len(named) >= 200


# Who can download the weights, in Epoch's words.
ACCESS = {
    "Open weights (unrestricted)": "open",
    "Open weights (restricted use)": "restricted",
    "Open weights (non-commercial)": "restricted",
    "API access": "closed",
    "Hosted access (no API)": "closed",
    "Unreleased": "closed",
}


def test_access_to_weights_is_what_epochs_words_say(records):
    stated = {name: model.weights_access for name, model in records.models.items() if model.weights_access}
    by_table = {name: fact for name, fact in stated.items() if "Model accessibility" in (fact.via or "")}
    assert len(by_table) >= 200
    assert {name: ACCESS[fact.derived] for name, fact in by_table.items()} == {
        name: fact.value.value for name, fact in by_table.items()
    }


def test_names_of_epochs_table_stand_in_it(records):
    with snapshots()[0].open(encoding="utf-8-sig", newline="") as file:
        rows = {row["Model"].strip(): row for row in csv.DictReader(file)}
    for name, model in records.models.items():
        if model.epoch_name:
            row, access = rows[model.epoch_name], model.weights_access
            if access and access.quote:
                continue  # the authors' licence wins over the table
            assert (access.derived if access else "") == row["Model accessibility"], name


def test_figures_of_analysts_are_as_wide_as_those_that_owners_confirmed_or_denied(records):
    """One value per model, the mean ln of its figures; energy includes power, and a search is no training of it."""
    by_model = defaultdict(list)
    for each in records.defaults["said-to-confirmed"].values:
        if "search" not in each.applies_to and "energy" not in each.applies_to:
            model = each.applies_to.split(", ")[0].split(" (")[0]
            by_model[model.removesuffix(" 405B")].append(math.log(each.value))
    assert (len(by_model), sum(map(len, by_model.values()))) == (11, 20)
    squares = [statistics.fmean(own) ** 2 for own in by_model.values()]
    stored = next(each.spread for each in records.defaults["uncertainty"].spreads if each.applies_to == "analysis")
    assert math.exp(statistics.fmean(squares) ** 0.5) == pytest.approx(stored, abs=0.02)
