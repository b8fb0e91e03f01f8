"""One model on one screen. tests/golden/accounts holds the texts themselves."""

import csv
import json

from pipeline.base.paths import PUBLISHED
from pipeline.base.text import numbers
from pipeline.commands import hardware
from pipeline.publishing import database
from pipeline.publishing.screen import LABELS
from tests.builders import typed


def shown(model):
    done = typed("show", model)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.splitlines()


def test_every_chip_can_be_shown():
    with database.reading() as book:
        for (identifier,) in book.execute("select hardware_id from hardware").fetchall():
            assert list(hardware.screen(hardware.chip(identifier, book)))
        for identifier, aliases in book.execute("select hardware_id, aliases from hardware").fetchall():
            for alias in (aliases or "").split(" | "):
                assert not alias or hardware.find_chip(alias, book) == identifier


def test_a_row_whose_model_has_a_record_shows_the_record():
    with database.reading() as book:
        sql = "select name, model_id from catalogue_estimates where model_id is not null limit 3"
        pairs = book.execute(sql).fetchall()
    for name, model_id in pairs:
        assert shown(name) == shown(model_id)


def test_show_is_one_screen_by_any_name():
    lines = shown("PaLM 540B")
    assert lines == shown("palm-540b") == shown("palm 540b")
    with (PUBLISHED / "estimates.csv").open(newline="") as file:
        (row,) = (row for row in csv.DictReader(file) if row["model_id"] == "palm-540b")
    assert lines[1].startswith(f"{numbers.flop(float(row['training_flop']))}   90 %: ")


def test_the_page_the_package_and_json_say_the_same_lines():
    answer = json.loads(typed("show", "gpt-3", "--json").stdout)["answer"]
    lines = shown("gpt-3")
    assert lines[:2] == [answer["title"], answer["number"]]
    assert [line[13:] for line in lines[2:-1]] == [answer[key] for key in LABELS if answer[key]]
