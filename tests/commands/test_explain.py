"""What explain and what-if say: how a fact was seen, what was counted, which precision was filled, why a headline moved."""

import functools
import json
import re

import pytest

from pipeline import flow, own_rows
from pipeline.commands import account, explanation, output
from pipeline.publishing import database
from pipeline.records import yaml_text
from schemas.vocabulary import UNUSED_REPORTS, UnusedReport
from tests.builders import typed


@functools.cache
def lines_of(model):
    """What explain prints, once a model."""
    done = typed("explain", model)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_explain_follows_a_number_to_the_words_it_came_from():
    done = typed("explain", "PaLM 540B")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert any("training[0].hardware[1].chips = 3072 [quoted]" in line and "336 hours" in line for line in lines)
    assert any(
        line.startswith("  pretraining[1], Google TPU v4, bf16") and "2.75e14 FLOP/s x 0.3 = 3.066e23 FLOP" in line
        for line in lines
    )


def test_explain_shows_the_publication_the_place_and_the_words(tmp_path):
    """Of every quote of a fact, and not the copy in which they were read."""
    record = (flow.ROOT / "data/records/models/alexnet.yaml").read_text()
    record = record.replace(
        "examples: {value: 1.2e6, quote: examples}", "examples: {value: 1.2e6, quote: [examples, chip]}"
    )
    (tmp_path / "alexnet.yaml").write_text(record)
    tables = account.tables_of(*own_rows.of_record(tmp_path / "alexnet.yaml"))
    own, _ = yaml_text.read(tmp_path / "alexnet.yaml", "alexnet.yaml")
    written = account.written(tables) | {("models", "alexnet"): own.content}
    lines = list(explanation.explanation(tables, "alexnet", written))
    (line,) = [line for line in lines if line.startswith("  training[0].examples = ")]
    title = "ImageNet Classification with Deep Convolutional Neural Networks, https://papers.nips.cc/paper/"
    assert line.startswith(f"  training[0].examples = 1200000 [quoted] {title}")
    words = "which took five to six days on two NVIDIA GTX 580 3GB GPUs"
    assert f': "training set of 1.2 million images, {words}"; ImageNet' in line
    assert line.endswith(f', section 5: "{words}"')
    assert not any("github:" in line for line in lines)


def test_explain_shows_a_fine_tune_and_its_base():
    done = typed("explain", "flan-palm-540b")
    assert "Base model palm-540b" in done.stdout
    assert "finetuning: (1.08e12 FLOP forward + 2.16e12 FLOP backward) x 1.4e9 tokens" in done.stdout


def test_an_unknown_model_is_one_line_and_exit_code_1():
    done = typed("explain", "seq2seqq")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "'seq2seqq' is not a model of the ledger; did you mean 'seq2seq'?\n"


def test_a_dispute_is_explained_with_its_numbers():
    lines = lines_of("clue-recommendation")
    (place,) = [place for place, line in enumerate(lines) if "disputed, likeliest cause: network_or_scope;" in line]
    assert lines[place + 1].startswith("  The count takes two operations for each parameter and token")
    assert lines[place + 2].startswith("  would settle it: the operations of one example of this network")


def test_a_headline_is_explained_by_its_published_sentence_and_no_statistic():
    with database.reading() as book:
        ((sentence,),) = book.execute(
            "select headline_sentence from sentences where model_id = 'image-gpt-l'"
        ).fetchall()
    lines = lines_of("image-gpt-l")
    assert f"  {output.prose(sentence)}" in lines
    assert "  an operation count of a network and data that the authors state: " in "\n".join(lines)
    assert not re.search(r"log|weight|variance|standard deviation", "\n".join(lines[lines.index("Headline") :]))


def test_a_second_estimate_of_a_part_is_named():
    with database.reading() as book:
        sql = """select lineages.model_id, part_id, gap_ratio from lineages join reconciliations on reconciliations.model_id = part_id
            where named_second = 'gpu_time' and lineages.model_id <> part_id and gap_ratio > 1 order by all"""
        model, part, ratio = book.execute(sql).fetchall()[0]
    assert f"  {part}: Chips and time give {ratio:.3g}x more; the interval is wider to that side." in lines_of(model)


def test_two_methods_that_are_one_are_called_so():
    assert "this confirms nothing" in "\n".join(lines_of("gpt-3"))


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        ("electra-large", "erratum"),
        ("opt-175b", "hardware_flop"),
        ("gopher-280b", "hardware_flop"),
        ("bloomberggpt", "hardware_flop"),
    ],
)
def test_a_report_that_is_not_used_says_why(model, reason):
    why = UNUSED_REPORTS[UnusedReport(reason)]
    shown = typed("show", model).stdout.splitlines()
    for lines in (shown, lines_of(model)):
        assert any(
            line.startswith("reported by its authors: ") and line.endswith(f" (not used: {why})") for line in lines
        )
    assert any(
        line.startswith("  the authors' ") and line.endswith(f" is not compared: {why}") for line in lines_of(model)
    )


def test_a_report_that_leads_is_used():
    assert "not used" not in typed("show", "gpt-3").stdout
    assert not [line for line in lines_of("gpt-3") if "FLOP is not compared" in line]


def test_a_stated_utilization_that_is_not_used_says_why():
    (line,) = [line for line in lines_of("lamda-137b") if ".utilization = 0.565 " in line]
    assert "; not used: it stands as HFU, which counts activations that are computed again. 123 TFLOP/s is" in line
    assert "not used" not in "\n".join(lines_of("gpt-1"))  # a judgement is taken


def test_json_of_explain_replays():
    first = json.loads(typed("explain", "vgg-16", "--json").stdout)
    (operations,) = first["account"]["operation_estimates"]
    (run,) = first["account"]["completed_runs"]
    again = (operations["forward_flop_per_example"] + operations["backward_flop_per_example"]) * run["examples_seen"]
    assert again == pytest.approx(first["operation_count_flop"], rel=1e-12)


@pytest.mark.parametrize(
    ("derived", "is_worked_out"),
    [
        (None, False),
        ("five to six", False),
        ("3.64E+03", False),
        ("93 * 1e6", False),
        ("235 * 10**6", False),
        ("256 * 1000", False),
        ("46.2 / 100", False),
        ("4 * 4096", True),
        ("128 / 2", True),
        ("48 + 1", True),
        ("2**20 * 1e6", True),
        ("2e23 / 0.675", True),
        ("640 * 60 * 24", True),
    ],
)
def test_a_number_that_was_worked_out_is_called_so(derived, is_worked_out):
    said = "derived from quoted words" if is_worked_out else "quoted"
    assert explanation._evidence({"evidence": "quoted", "derived": derived}) == said
    assert explanation._evidence({"evidence": "unseen", "derived": derived}) == "unseen"


def test_explain_takes_any_spelling_that_show_takes():
    assert lines_of("palm 540b") == lines_of("PaLM-540B") == lines_of("palm-540b")


def test_facts_say_how_they_were_seen():
    lines = lines_of("palm-540b")
    assert any(
        line.startswith("  architecture.feed_forward_width = 73728 [derived from quoted words]") for line in lines
    )
    assert any(line.startswith("  architecture.width = 18432 [quoted]") for line in lines)
    (estimate,) = [line for line in lines if line.startswith("  external_estimates[0]")]
    assert "; ours agrees within 2x: 6 x 540e9 x 780e9" in estimate


def test_a_statement_that_differs_is_called_so(records):
    differing = [
        name for name, model in records.models.items() for each in model.external_estimates if each.outcome == "differs"
    ]
    lines = [line for line in lines_of(differing[0]) if "; ours differs by more than 2x: " in line]
    assert lines
    assert all(line.startswith("  external_estimates[") for line in lines)


def test_layers_are_a_number_and_their_kinds_and_stand_once():
    lines = [line for line in lines_of("alexnet") if line.startswith("  architecture.layers")]
    # five convolutions and three fully connected layers, as the paper says
    assert lines[0].startswith("  architecture.layers = 23 layers: 5 conv2d, ")
    assert "3 linear [quoted]" in lines[0]
    assert len(lines) > 1
    assert all(" = the same [quoted]" in line for line in lines[1:])


def test_what_is_counted_has_its_unit():
    of_text, of_images = "\n".join(lines_of("palm-540b")), "\n".join(lines_of("alexnet"))
    assert "one sequence of 2048 tokens takes 2.225e15 FLOP forward" in of_text
    assert "x 7.8e11 tokens (reported)" in of_text
    assert "one image takes 1.449e9 FLOP forward" in of_images
    assert "x 1.08e8 images (reported)" in of_images


def test_a_precision_says_why():
    rules = {"gpt-3": "fp16 (reported):", "alexnet": "fp32 (derived, rule only_format: the chip's only format):"}
    for model, said in rules.items():
        assert any(said in line for line in lines_of(model)), model


def test_what_was_not_found_says_where_it_was_looked_for():
    assert explanation._sought("steps") == "steps"
    missing = {"fact": "precision", "looked_in": ["paper", "blog"], "would_settle": "the released code"}
    assert explanation._sought(missing) == "precision (in paper and blog; the released code would settle it)"
