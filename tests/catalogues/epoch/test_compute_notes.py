"""Inputs of notes on training compute, against notes of the table of July 2026."""

import pytest

from pipeline.catalogues.epoch.compute_notes import Multiple, multiple, product


@pytest.mark.parametrize(
    ("note", "expected"),
    [
        ("6 * 13e9 active parameters * 32e12 tokens = 2.496E24 for pre-training", 32e12),
        ("6 FLOPS/token/active parameter * 27e12 tokens * 42e9 active parameters = 6.804E24 FLOP", 27e12),
        ("55 billion active parameters, ~20T tokens", 20e12),
        ("6 * 40B parameters * 28.5e12 tokens = 6.84e24 FLOP estimated", 28.5e12),
        ("We think active parameter count is 10-30B. This would require >55T tokens to reach 10^25", None),
        ("Assuming the model was trained on ~1-10 trillions of tokens", None),
        ("6 FLOP / parameter / token * 203000000 parameters * 103000000 tokens * 100 epochs", None),
        ("39 * 10^9 activated parameters * 13,2 * 10^12 tokens = 3.0888e+24 FLOP", None),
        ("6.84e24 FLOP", None),
    ],
)
def test_tokens_stand_beside_parameters(note, expected):
    stated = product(note)
    assert (stated.tokens if stated else None) == expected


@pytest.mark.parametrize(
    ("note", "beside", "expected"),
    [
        ("85% of the total compute was performed by their team - 5.8e24 / 0.15", "Based on Kimi K2.5; 1.04T", 100 / 15),
        ("we only use 0.2% of the pre-training compute to instruction-finetune", "", None),
        ("so required ~2.5x as much training compute", "", None),
        ("0x the compute of the base model", "", None),
        ("0% of the total compute was done by us", "", None),
    ],
)
def test_multiples_are_of_a_base_model(note, beside, expected):
    assert multiple(note, beside) == (expected and Multiple(pytest.approx(expected), "Kimi K2.5"))
