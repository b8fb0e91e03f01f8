"""`flopledger utilization`: a band around its middle, and the nearest right word."""

import pytest

from pipeline.commands import utilization
from pipeline.publishing import database
from tests.builders import typed


@pytest.fixture
def book():
    with database.reading() as connection:
        yield connection


def answered(book, family, precision, hardware, chips=8, **sizes):
    return utilization.answer(family, {"precision": precision, "hardware": hardware, "chips": chips, **sizes}, book)


@pytest.mark.parametrize(
    ("family", "default"), [("language_transformer", 0.3), ("recurrent", 0.3), ("other_transformer", 0.4)]
)
def test_the_verb_answers_with_a_band_around_its_middle(book, family, default):
    answer = answered(book, family, "amp", "V100")
    assert set(answer) == {"network", "chips", "taken", "default", "measured", "nearest", "batch", "not_used"}
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


@pytest.mark.parametrize(
    ("family", "sizes", "unused"),
    [
        ("llm", {"parameters": 70e9, "batch": 4e6}, []),
        ("llm", {"parameters": 70e9, "batch": 4e6, "sequence_length": 8192}, ["--sequence-length"]),
        ("llm", {"batch": 4e6}, ["--batch"]),
        ("vit", {"parameters": 3e8, "batch": 4e6}, ["--parameters", "--batch"]),
    ],
)
def test_sizes_are_used_or_said_not_to_be(book, family, sizes, unused):
    answer, alone = (answered(book, family, "bf16", "H100", 4096, **figures) for figures in (sizes, {}))
    assert [words.split()[0] for words in answer["not_used"]] == unused
    assert (answer["measured"] == alone["measured"]) is bool(set(unused) & {"--batch"})


def test_larger_steps_and_fewer_chips_run_faster(book):
    small, large, spread = (
        answered(book, "llm", "bf16", "H100", chips, parameters=70e9, batch=batch)["measured"]
        for chips, batch in ((512, 1e6), (512, 16e6), (16384, 16e6))
    )
    assert small["p50"] < large["p50"] > spread["p50"]


def test_what_is_missing_is_said_at_once():
    done = typed("utilization", "--family", "llm")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines()[-2:] == ["--precision: is missing", "--hardware: is missing"]


def test_with_a_batch_the_answer_says_what_its_size_does(book):
    assert answered(book, "llm", "bf16", "H100")["batch"] is None
    answer = answered(book, "llm", "bf16", "H100", batch="4M")
    assert answer["batch"].startswith("Doubling the batch multiplies utilization by ")
    assert answer["batch"] in list(utilization.as_text(answer))
