"""One model on one screen. tests/golden/accounts holds the texts themselves."""

import csv
import json

from pipeline.base.paths import PUBLISHED
from pipeline.base.text import numbers
from pipeline.commands import account_text, hardware, ledger
from pipeline.publishing import account, database
from tests.builders import listed, typed


def shown(model):
    done = typed("show", model)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_show_is_one_screen_by_any_name():
    lines = shown("PaLM 540B")
    assert lines == shown("palm-540b") == shown("palm 540b")
    assert len(lines) <= 45
    with (PUBLISHED / "estimates.csv").open(newline="") as file:
        (row,) = (row for row in csv.DictReader(file) if row["model_id"] == "palm-540b")
    assert lines[1].startswith(f"training compute: {numbers.flop(float(row['training_flop']))}, 90 % interval ")
    assert any("6,144 x Google TPU v4, 50 days" in line for line in lines)
    assert any("https://arxiv.org/abs/2204.02311" in line for line in lines)


def test_the_answer_comes_before_everything_else():
    lines = shown("seq2seq")
    order = ["Seq2Seq", "training compute: ", "The 90 % interval runs", "covers: ", "Counted", "Confidence: ", "AI and Compute (2018): ",
             "The two methods differ by a factor of 3.17", "What would settle it: ", "note: ", "cite: ", "both methods", "sources"]  # fmt: skip
    places = [next(place for place, line in enumerate(lines) if line.startswith(beginning)) for beginning in order]
    assert places == sorted(places)


def test_disputes_are_listed_and_shown_with_their_cause():
    rows = listed("--disputed")
    with database.reading() as book:
        causes = dict(book.execute("select model_id, dispute_cause from estimates where is_disputed").fetchall())
        sentences = "select model_id, dispute_sentence, dispute_resolution from sentences"
        texts = {model: texts for model, *texts in book.execute(sentences).fetchall()}
    assert {row["model_id"]: row["dispute_cause"] for row in rows} == causes
    for model in {cause: model for model, cause in causes.items()}.values():
        why, settles = texts[model]
        lines = shown(model)
        place = next(place for place, line in enumerate(lines) if line.startswith("The two methods differ by "))
        assert lines[place].endswith(why)
        assert lines[place + 1] == f"What would settle it: {settles}."


def test_what_agreement_is_worth_is_told_by_show_and_compare():
    (circular, shared, independent) = ("gpt-3", "gpt-4", "palm-540b")
    compared = typed("compare", circular, shared, independent)
    for model, words in ((circular, "their agreement proves nothing"), (shared, "their agreement is no surprise")):
        assert words in "\n".join(shown(model))
        assert any(line.startswith(f"{model}: ") and words in line for line in compared.stderr.splitlines())
    assert "evidence" not in "".join(line for line in compared.stderr.splitlines() if line.startswith(independent))
    assert typed("compare", circular, shared, "--csv").stderr == ""


def test_a_model_without_a_number_says_what_was_looked_for_and_what_its_base_took():
    lines = shown("claude 3 opus")
    assert lines[1] == "training compute: unknown"
    assert any(line.startswith("Not found in ") for line in lines)
    lines = shown("t0-xxl")
    least = json.loads(typed("show", "t0-xxl", "--json").stdout)
    assert lines[1] == f"training compute: at least {numbers.flop(least['own_training_flop_low'])}"
    assert least["probability_above_1e23_fraction"] is None
    assert not any(line.startswith("Confidence: ") or "times as much" in line for line in lines)


def test_where_no_figure_is_the_makers_own_no_number_is_confident():
    with database.reading() as book:
        sql = "select confidence, count(*) from estimates join models using (model_id) where stated_by is not null and estimates.base_model is null group by 1"
        counts = dict(book.execute(sql).fetchall())
        stated = "select distinct hardware_basis from estimates where model_id = 'gpt-4'"
        assert book.execute(stated).fetchall() == [("analyst",)]
    assert counts["speculative"]
    assert "confident" not in counts


def test_show_tells_what_others_state_and_how_far_it_is_from_ours():
    with database.reading() as book:
        ((ours,),) = book.execute("select training_flop from estimates where model_id = 'seq2seq'").fetchall()
    lines = shown("seq2seq")
    for title, theirs, word in (
        ("AI and Compute", 7.34e18, ""),
        ("Epoch AI, Data on AI Models", 5.6e19, " (confident)"),
    ):
        apart = f"{numbers.number(theirs / ours)} times as much"
        assert any(line.startswith(title) and f": {numbers.flop(theirs)}{word}, {apart}" in line for line in lines)


def test_every_thirtieth_model_and_every_chip_can_be_shown():
    with database.reading() as book:
        models = [row[0] for row in book.execute("select model_id from models order by 1").fetchall()]
        for model_account in account.accounts(book, models[::30], None):
            assert list(account_text.screen(model_account))
            assert list(account_text.explanation(model_account))
        assert all(ledger.find_model(identifier, book)[0] == identifier for identifier in models[::30])
        for (identifier,) in book.execute("select hardware_id from hardware").fetchall():
            assert list(hardware.screen(hardware.chip(identifier, book)))
        for identifier, aliases in book.execute("select hardware_id, aliases from hardware").fetchall():
            for alias in (aliases or "").split(" | "):
                assert not alias or hardware.find_chip(alias, book) == identifier


def row_without_record():
    with database.reading() as book:
        sql = "select name, training_flop from catalogue_estimates where model_id is null and training_flop is not null order by source_row limit 1"
        return book.execute(sql).fetchall()[0]


def test_show_tells_what_a_row_of_epochs_table_gives():
    name, flop = row_without_record()
    lines = shown(name.upper())
    assert lines == shown(name)
    assert lines[0].startswith(f"{name} (")
    assert lines[1].startswith(f"training compute: {numbers.flop(flop)} (90 % interval")
    assert "CC BY 4.0" in lines[-1]
    assert json.loads(typed("show", name, "--json").stdout)["catalogue_row"]["source_row"] > 0
    assert json.loads(typed("show", "gpt-3", "--json").stdout)["catalogue_row"] is None


def test_a_row_whose_model_has_a_record_shows_the_record():
    with database.reading() as book:
        sql = "select name, model_id from catalogue_estimates where model_id is not null limit 3"
        pairs = book.execute(sql).fetchall()
    for name, model_id in pairs:
        assert shown(name) == shown(model_id)


def test_a_row_without_a_record_is_not_compared():
    name, _ = row_without_record()
    done = typed("compare", "gpt-3", name)
    assert (done.returncode, done.stdout) == (1, "")
    assert "without a record" in done.stderr
