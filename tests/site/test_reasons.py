"""Reasons for changes in words."""

from pipeline.site.reasons import in_words


def test_facts_of_the_record_come_first_and_defaults_last():
    reason = (
        "headline_method: reported -> operation_count; defaults/catalogue; defaults/spreads; defaults/uncertainty; 3 more of defaults;"
        " operation_count_flop; training[1].examples: 2816000000000 -> 2816000000000 to 3240000000000; gpu_time_flop;"
        " training[4].hardware[0].duration: 34 hour -> 13 day; utilization_fraction; utilization_basis: measured -> calibrated"
    )
    assert in_words(reason, {}) == [
        "phase 2: examples 2.82T → 2.82T to 3.24T",
        "phase 5: duration 34 hour → 13 day",
        "method: the authors' figure → operation count",
        "basis of the utilization: measured → predicted from measurements of similar runs",
        "6 defaults of the ledger",
    ]


def test_a_fact_with_the_name_of_a_column_is_a_fact_and_lists_are_not_spelt_out():
    reason = "precision: unknown -> bf16; parameters: 7188100000 -> 7000000000; architecture.layers: absent -> [{}]"
    assert in_words(reason, {}) == [
        "parameters: 7.19B → 7B",
        "network: layers: none stated → as listed",
        "precision: unknown → BF16",
    ]


def test_many_facts_are_counted():
    reason = "; ".join(f"training[{n}].epochs: 1 -> 2" for n in range(7))
    assert in_words(reason, {})[-2:] == ["phase 4: epochs 1 → 2", "3 more facts of its record"]


def test_what_has_no_words_of_its_own_is_said_as_it_is():
    assert in_words("the method: no record of it moved", {}) == ["the method: no record of it moved"]
    assert in_words(None, {}) == []
