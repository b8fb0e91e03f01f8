"""`flopledger utilization`: a band around its middle, and the nearest right word."""

import pytest

import pipeline
from pipeline.commands import utilization
from pipeline.publishing import database
from tests.builders import typed


@pytest.fixture
def book():
    with database.reading() as connection:
        yield connection


def answered(book, family, precision, hardware):
    return utilization.answer(family, {"precision": precision, "hardware": hardware, "chips": 8}, book)


@pytest.mark.parametrize(
    ("family", "default"), [("language_transformer", 0.3), ("recurrent", 0.3), ("other_transformer", 0.4)]
)
def test_the_verb_answers_with_a_band_around_its_middle(book, family, default):
    answer = answered(book, family, "amp", "V100")
    assert set(answer) == {"network", "chips", "taken", "default", "measured", "nearest"}
    assert answer["default"] == default
    measured = answer["measured"]
    assert 0 < measured["p05"] < measured["p50"] < measured["p95"] <= 1
    taken = answer["taken"]
    # Whole runs reach the default; networks other than language models reach three quarters of what single steps are
    # measured at. The halves of the logistic distribution are 0.45 and 0.25.
    assert taken["p50"] == pytest.approx(0.3 if family == "language_transformer" else 0.75 * measured["p50"])
    assert taken["p50"] / taken["p05"] == pytest.approx(19**0.45)
    assert taken["p95"] / taken["p50"] == pytest.approx(19**0.25)
    assert {row["network"] for row in answer["nearest"]} == {family}


@pytest.mark.parametrize(
    "names", [("vit", "BF16", "A100-40GB"), ("vision_transformer", "bfloat16", "nvidia a100 sxm4")]
)
def test_usual_names_are_understood(book, names):
    assert answered(book, *names) == answered(book, "other_transformer", "bf16", "nvidia-a100-sxm4")


def test_a_network_has_the_utilization_of_its_plan(book):
    chips = {"config": "resnet50", "precision": "fp16", "hardware": "V100", "chips": 8}
    plan = pipeline.estimate(**chips, images="1.28M", epochs=90)
    taken = utilization.answer("llm", chips, book)["taken"]
    ends = [plan["utilization_low"], plan["utilization"], plan["utilization_high"]]
    assert [taken[point] for point in ("p05", "p50", "p95")] == pytest.approx(ends, rel=1e-9)


def test_what_is_missing_is_said_at_once():
    done = typed("utilization", "--family", "llm")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-2:] == ["--precision: is missing", "--hardware: is missing"]
