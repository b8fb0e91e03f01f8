"""Rows of the blind test: one line with the mistake and its place."""

import csv

import pytest

from pipeline.base.paths import RECORDS
from schemas.records import BlindFigure

SEALED = "model_id,p5_flop,p50_flop,p95_flop\nnet,1e20,2e20,4e20\nrange,1e20,,4e20\n"
HEADING = f"{','.join(BlindFigure.model_fields)}\n"
# Sealed numbers that test nothing, each with the reason.
NOT_TESTED = {
    "segatron-xl-large": "Epoch's figure was in a snapshot that the ledger had when it was sealed, so it was not blind"
}


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("net,3e20,total,inside,,,,,,,", None),
        ("net,9e20,total,undecided,record,A guess.,,,,,", None),
        ("net,9e20,total,inside,,,,,,,", "9e+20 and inside contradict the sealed 90 % interval of 'net'"),
        ("net,3e20,total,undecided,record,A guess.,,,,,", "3e+20 and undecided contradict the sealed 90 % interval of 'net'"),
        ("other,3e20,total,inside,,,,,,,", "'other' has no sealed number"),
        ("range,3e20,total,inside,,,,,,,", "'range' has no sealed number"),
        ("net,3e20,total,inside,,,,,,,\nnet,3e20,total,inside,,,,,,,", "'net' occurs twice"),
        ("net,9e20,total,refuted,record,Six times.,,,,,", "refuted needs the deciding words and their place; without them it is undecided"),
        ("net,9e20,own_training,other_scope,record,The tuning.,,,,,", "other_scope needs the deciding words and their place; without them it is undecided"),
        ("net,9e20,total,ours_wrong,,,,,,,", "ours_wrong needs finding and decided_by"),
    ],
)  # fmt: skip
def test_a_figure_agrees_with_its_seal_and_its_verdict_with_its_words(world, row, message):
    world.write("sealed.csv", SEALED)
    world.write("blind_test.csv", f"{HEADING}{row}\n")
    assert [text for *_, text in world.mistakes()] == ([message] if message else [])


def test_every_sealed_number_of_an_opened_round_is_tested_or_has_a_reason():
    sealed, tested = (
        list(csv.DictReader((RECORDS / name).open(encoding="utf-8"))) for name in ("sealed.csv", "blind_test.csv")
    )
    names = {row["model_id"] for row in tested}
    # The estimates of one rules_commit are opened together; those of a later round still wait for their test.
    opened = {row["rules_commit"] for row in sealed if row["model_id"] in names}
    numbers = {row["model_id"] for row in sealed if row["p50_flop"] and row["rules_commit"] in opened}
    assert numbers - names == set(NOT_TESTED)
