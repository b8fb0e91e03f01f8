"""The ledger's own records are all valid, and so are the columns of published files."""

import csv
from collections import Counter

from pipeline.records import params
from pipeline.rules.ingestion import source_of
from pipeline.stages import flow
from schemas import records as schema
from schemas.vocabulary import Evidence, Network

WANTED_MODELS = (
    "alexnet vgg-16 resnet-152 seq2seq transformer-big image-gpt-l gpt-3 palm-540b t5-11b llama-3-1-405b deepseek-v3 flan-palm-540b"
).split()


def test_ids_are_permanent(records):
    assert set(WANTED_MODELS) <= set(records.models)


def test_every_chip_of_a_model_has_its_peak_on_record(records):
    chips = records.chip_ids()
    for identifier, model in records.models.items():
        for phase in model.training:
            for allocation in phase.hardware:
                if allocation.chip:
                    assert records.hardware[chips[allocation.chip.value.lower()]].peaks, identifier


def test_every_family_of_networks_is_measured_by_several_sources(records):
    """If a source is left out, as in the back-test, another one must predict it."""
    sources = {network: set() for network in Network}
    for identifier, record in records.measurements.items():
        for row in record.rows:
            sources[row.network].add(identifier)
    assert [network.value for network, own in sources.items() if len(own) < 3] == []


def test_one_version_of_the_data_everywhere():
    version = params.load().publish.version
    assert f"## {version}" in (flow.ROOT / "CHANGELOG.md").read_text()
    assert f'version: "{version}"' in (flow.ROOT / "CITATION.cff").read_text()


def test_every_fact_has_a_source_and_every_quoted_one_its_words(records):
    for kind, identifier, record in records.entries():
        assert not getattr(record, "stated_by_user", False), f"{kind}/{identifier}"
        for path, fact in schema.facts(record):
            is_assumed = fact.evidence == Evidence.ASSUMED  # the fact rests on the record's own assumption
            assert is_assumed or source_of(record, fact) in record.sources, f"{kind}/{identifier} {path}"
            assert len(record.quotes_of(fact)) == len(fact.quote), f"{kind}/{identifier} {path}"


def test_published_estimates_have_the_promised_columns():
    first = (
        "published_date name organization model_id training_flop training_flop_low training_flop_high total_state "
        "training_flop_at_least confidence evidence_class own_training_flop own_training_flop_low own_training_flop_high "
        "parameters active_parameters examples_seen example_unit hardware chips chip_hours chip_days cost_usd cost_usd_low "
        "cost_usd_high energy_kwh energy_kwh_low energy_kwh_high co2_kg co2_kg_low co2_kg_high domain parent_organization "
        "country country_code weights_access base_model scope headline_method operation_count_flop gpu_time_flop"
    ).split()
    others = (
        "gpu_time_informed_flop reported_flop method_ratio is_disputed dispute_cause independence training_flop_p2_5 "
        "training_flop_p10 training_flop_p25 training_flop_p75 training_flop_p90 training_flop_p97_5 off_by_two_fraction "
        "named_second gap_ratio cumulative_flop threshold_total probability_above_1e23_fraction "
        "probability_above_1e25_fraction probability_above_1e26_fraction own_to_base_ratio is_bound omits_network precision "
        "utilization_fraction implied_utilization_fraction cost_basis training_evidence network_evidence "
        "operation_count_basis hardware_basis precision_basis utilization_basis imputed_inputs source_url sources "
        "epoch_name published published_precision"
    ).split()
    with (flow.ROOT / "data/published/estimates.csv").open(newline="") as file:
        rows = list(csv.reader(file))
    assert rows[0][: len(first)] == first
    assert sorted(rows[0]) == sorted(first + others)
    assert Counter(map(len, rows)) == {len(first + others): len(rows)}
    keys = [(row[0], row[3]) for row in rows[1:]]
    assert keys == sorted(sorted(keys, key=lambda key: key[1]), key=lambda key: key[0], reverse=True)  # newest first
