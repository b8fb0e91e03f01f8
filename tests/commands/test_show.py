"""One model on one screen. tests/golden/accounts holds the texts themselves."""

import csv
import json

from pipeline.answers import account_text, ledger
from pipeline.base.paths import PUBLISHED
from pipeline.base.text import numbers
from pipeline.commands import hardware
from pipeline.publishing import account, database
from pipeline.publishing.screen import LABELS
from tests.builders import listed, typed


def shown(model):
    done = typed("show", model)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


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


def test_show_is_one_screen_by_any_name():
    lines = shown("PaLM 540B")
    assert lines == shown("palm-540b") == shown("palm 540b")
    with (PUBLISHED / "estimates.csv").open(newline="") as file:
        (row,) = (row for row in csv.DictReader(file) if row["model_id"] == "palm-540b")
    assert lines[1].startswith(f"{numbers.flop(float(row['training_flop']))}   90 %: ")
    assert any("6,144 TPU v4 × 50 days" in line for line in lines)


def test_the_page_the_package_and_json_say_the_same_lines():
    answer = json.loads(typed("show", "gpt-3", "--json").stdout)["answer"]
    lines = shown("gpt-3")
    assert lines[:2] == [answer["title"], answer["number"]]
    assert [line[13:] for line in lines[2:-1]] == [answer[key] for key in LABELS if answer[key]]


def test_explain_tells_the_cause_of_every_kind_of_dispute():
    with database.reading() as book:
        causes = dict(
            book.execute(
                "select dispute_cause, any_value(model_id) from estimates where is_disputed group by 1"
            ).fetchall()
        )
        texts = dict(book.execute("select model_id, dispute_sentence from sentences").fetchall())
    assert {row["model_id"] for row in listed("--disputed")} == texts.keys()
    for model in causes.values():
        assert texts[model] in typed("explain", model).stdout
