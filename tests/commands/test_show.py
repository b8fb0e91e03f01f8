"""One model on one screen."""

import csv
import json

from pipeline.commands import output
from pipeline.paths import PUBLISHED
from pipeline.publishing import database
from schemas.vocabulary import EVIDENCE_CLASSES, INDEPENDENCE, EvidenceClass, Independence
from tests.builders import listed, typed


def test_show_is_one_screen_by_any_name():
    done = typed("show", "PaLM 540B")
    assert done.stdout == typed("show", "palm-540b").stdout == typed("show", "palm 540b").stdout
    lines = done.stdout.splitlines()
    assert len(lines) <= 45
    with (PUBLISHED / "estimates.csv").open(newline="") as file:
        (row,) = (row for row in csv.DictReader(file) if row["model_id"] == "palm-540b")
    assert f"training compute: {output.flop(float(row['training_flop']))} (90 % interval" in done.stdout
    assert any(line.startswith("  pretraining: 6,144 x google-tpu-v4, 50 days") for line in lines)
    assert any("https://arxiv.org/abs/2204.02311" in line for line in lines)


def test_show_tells_a_dispute_a_base_model_and_what_is_unknown():
    assert "disputed, likeliest cause: network_or_scope" in typed("show", "luke-large").stdout
    assert "fine-tuned from palm-540b, whose training is included" in typed("show", "flan-palm-540b").stdout
    assert "by GPU time: unknown" in typed("show", "lenet-5").stdout
    assert "this confirms nothing" in typed("show", "gpt-3").stdout


def test_show_tells_how_sure_it_is_and_counts_as_people_say_them():
    lines = typed("show", "llama-3-1-405b").stdout.splitlines()
    with database.reading() as book:
        sql = "select confidence, evidence_class, headline_sentence, probability_above_1e26_fraction from estimates join sentences using (model_id) where model_id = 'llama-3-1-405b'"
        ((confidence, word, sentence, above),) = book.execute(sql).fetchall()
    assert f"confidence: {confidence}; evidence: {EVIDENCE_CLASSES[EvidenceClass(word)]}" in lines
    assert output.prose(sentence) in lines
    assert 0.001 < above < 0.01
    assert f"{100 * above:.3g} % above 1e26" in next(line for line in lines if line.startswith("probability: "))
    assert "chip-hours: 30.8 million" in lines
    assert "parameters: 405 billion" in lines
    assert next(line for line in lines if line.startswith("training compute: 3.9")).count("e+") == 0
    assert any(line.startswith("tier: record (") for line in lines)


def test_show_and_compare_tell_what_agreement_is_worth():
    with database.reading() as book:
        sql = "select independence, min(model_id) from estimates where is_disputed is not null and independence is not null group by 1"
        model_of = dict(book.execute(sql).fetchall())
    assert set(model_of) == set(Independence)
    compared = typed("compare", *model_of.values())
    for independence, model in model_of.items():
        said = INDEPENDENCE[Independence(independence)]
        assert (f"{model}: {said}" in compared.stderr.splitlines()) is bool(said)
        assert not said or said in typed("show", model).stdout.splitlines()
    row = next(line for line in compared.stdout.splitlines() if line.startswith("independence"))
    assert row.split("\t")[1:] == list(model_of)
    assert typed("compare", *model_of.values(), "--csv").stderr == ""


def test_show_tells_what_was_looked_for_where_nothing_supports_an_estimate():
    done = typed("show", "claude 3 opus")
    assert done.returncode == 0
    lines = done.stdout.splitlines()
    assert "training compute: unknown" in lines
    assert "looked for and not found: examples in card; would settle it: tokens of pre-training" in lines
    assert not any("looked for" in line for line in typed("show", "palm-540b").stdout.splitlines())


def test_show_tells_what_others_state_and_why_it_differs():
    with database.reading() as book:
        stated = book.execute("select model_id, count(*) from external_estimates group by all").fetchall()
        every = book.execute("select count(*) from models").fetchall()[0][0]
    assert len(stated) < every
    assert dict(stated)["seq2seq"] == 2
    lines = typed("show", "seq2seq").stdout.splitlines()
    second, first = (line for line in lines if line.startswith("others state "))
    assert first.startswith(
        "others state 5.6e19 FLOP (Epoch AI, Data on AI Models): ours differs by more than 2x: Epoch counts all five"
    )
    assert second.startswith("others state 7.34e18 FLOP (AI and Compute): ours differs by more than 2x: It multiplies")
    (line,) = [line for line in typed("show", "lamda-137b").stdout.splitlines() if line.startswith("others state ")]
    assert "3.55e23 FLOP" in line
    assert ": ours agrees within 2x" in line


def test_a_model_without_a_number_is_compared_with_nobodys_and_tells_its_bases():
    lines = typed("show", "qwen2-5-72b-instruct").stdout.splitlines()
    base = json.loads(typed("show", "qwen2-5-72b", "--json").stdout)["training_flop"]
    assert "training compute: unknown" in lines
    assert not any(
        line.startswith(("confidence:", "probability")) or "ours agrees" in line or "ours differs" in line
        for line in lines
    )
    assert (
        f"fine-tuned from qwen2-5-72b, whose training took {output.flop(base)}; what it took on top of that is not known"
        in lines
    )
    assert "not known: batch, chip, chips, duration, precision, reported_flop" in lines


def test_show_tells_where_no_figure_is_the_makers_own():
    assert (
        "its makers state none of the inputs: size and training are known from analysts"
        in typed("show", "gpt-4").stdout
    )
    assert (
        "its makers state none of the inputs: size and training are known from the press"
        in typed("show", "palm-2").stdout
    )
    assert "its makers state none" not in typed("show", "gpt-3").stdout


def test_show_has_the_words_of_what_others_state():
    with database.reading() as book:
        sql = "select model_id, title, text from external_estimates join sources using (source) where record_id = model_id and text is not null"
        name, title, words = book.execute(f"{sql} order by 1, 2, 3").fetchall()[0]
    shown = [line for line in typed("show", name).stdout.splitlines() if line.startswith("others state ")]
    assert any(f'({title}: "{words}"): ours ' in line for line in shown)


def test_every_tenth_model_and_every_chip_can_be_shown():
    from pipeline.commands import hardware, ledger, show

    with database.reading() as book:
        for (identifier,) in book.execute("select model_id from models order by 1").fetchall()[::10]:
            assert list(show.screen(show.details(identifier, book)))
            assert ledger.find_model(identifier, book) == identifier
        for (identifier,) in book.execute("select hardware_id from hardware").fetchall():
            assert list(hardware.screen(hardware.chip(identifier, book)))
        for identifier, aliases in book.execute("select hardware_id, aliases from hardware").fetchall():
            for alias in (aliases or "").split(" | "):
                assert not alias or hardware.find_chip(alias, book) == identifier


def test_disputes_are_listed_and_shown_with_their_cause():
    rows = listed("--disputed")
    with database.reading() as book:
        causes = dict(book.execute("select model_id, dispute_cause from estimates where is_disputed").fetchall())
        texts = {model: texts for model, *texts in book.execute("from sentences").fetchall()}
    assert {row["model_id"]: row["dispute_cause"] for row in rows} == causes
    assert "dispute_cause" not in listed()[0]
    first_of = {cause: model for model, cause in causes.items()}
    for cause, model in first_of.items():
        lines = typed("show", model).stdout.splitlines()
        place = next(place for place, line in enumerate(lines) if f"disputed, likeliest cause: {cause};" in line)
        _, why, settles = texts[model]
        assert lines[place + 1 : place + 3] == [f"  {why}", f"  would settle it: {settles}"]


def row_without_record():
    with database.reading() as book:
        sql = "select name, training_flop from catalogue_estimates where model_id is null and training_flop is not null order by source_row limit 1"
        return book.execute(sql).fetchall()[0]


def test_show_tells_what_a_row_of_epochs_table_gives():
    name, flop = row_without_record()
    done = typed("show", name.upper())
    assert done.stdout == typed("show", name).stdout
    assert f"{name} (row " in done.stdout
    assert f"training compute: {output.flop(flop)} (90 % interval" in done.stdout
    assert "CC BY 4.0" in done.stdout
    assert json.loads(typed("show", name, "--json").stdout)["tier"] == "catalogue"
    assert json.loads(typed("show", "gpt-3", "--json").stdout)["tier"] == "record"


def test_a_row_whose_model_has_a_record_shows_the_record():
    with database.reading() as book:
        pairs = book.execute(
            "select name, model_id from catalogue_estimates where model_id is not null limit 3"
        ).fetchall()
    for name, model_id in pairs:
        assert typed("show", name).stdout == typed("show", model_id).stdout


def test_a_row_without_a_record_is_not_compared():
    name, _ = row_without_record()
    done = typed("compare", "gpt-3", name)
    assert (done.returncode, done.stdout) == (1, "")
    assert "has no record" in done.stderr
