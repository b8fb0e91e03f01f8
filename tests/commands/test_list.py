"""Models filtered, sorted and cut."""

import csv
import io
import json
import re

import pytest

from pipeline.publishing import database
from tests.builders import listed, records_of, typed


def test_the_list_is_what_its_filters_say(records):
    names, *rows = records_of(typed("list", "--domain", "language", "--from-year", "2020", "--to-year", "2021"))
    assert names[:3] == ["model_id", "published", "training_flop"]
    assert "gpt-3" in [row[0] for row in rows]
    assert {row[1][:4] for row in rows} == {"2020", "2021"}
    assert [row[1] for row in rows] == sorted(row[1] for row in rows)
    google = json.loads(typed("list", "--organization", "google", "--disputed", "--json").stdout)
    everyone = json.loads(typed("list", "--disputed", "--json").stdout)
    assert 0 < len(google) < len(everyone)
    assert len(list(csv.reader(io.StringIO(typed("list", "--csv").stdout)))) == 1 + len(records.models)


def test_a_list_is_sorted_as_asked():
    by_compute = [row["training_flop"] for row in listed("--sort", "compute")]
    known = [flop for flop in by_compute if flop is not None]
    assert known == sorted(known, reverse=True)
    assert by_compute[: len(known)] == known  # the unknown stand last
    widths = [
        row["training_flop_high"] / row["training_flop_low"] for row in listed("--sort", "width", "--limit", "50")
    ]
    assert widths == sorted(widths, reverse=True)
    assert len(widths) == 50
    dates = [row["published"] for row in listed("--sort", "published")]
    assert dates == sorted(dates) == [row["published"] for row in listed()]
    with database.reading() as book:
        names = dict(book.execute("select model_id, lower(name) from models").fetchall())
    assert [names[row["model_id"]] for row in listed("--sort", "name")] == sorted(names.values())


def test_a_limit_cuts_the_sorted_list():
    assert listed("--sort", "compute", "--limit", "3") == listed("--sort", "compute")[:3]
    assert listed("--domain", "vision", "--limit", "10000") == listed("--domain", "vision")


@pytest.mark.parametrize("words", [("--sort", "size"), ("--limit", "0"), ("--limit", "ten")])
def test_what_is_no_order_or_limit_is_refused(words):
    done = typed("list", *words)
    assert (done.returncode, done.stdout) == (2, "")


def test_text_shows_few_digits_and_json_and_csv_all():
    _, *rows = records_of(typed("list", "--from-year", "2020"))
    for number in [cell for row in rows for cell in row[2:5] if cell]:
        assert re.fullmatch(r"\d(\.\d{1,3})?e[+-]\d\d", number), number
    table = {row[0]: row[1:] for row in records_of(typed("compare", "gpt-3", "palm-540b"))}
    assert table["parameters"][0] == "1.75e+11"
    assert table["utilization_fraction"][0] == "0.213"
    (full,) = [row for row in listed("--from-year", "2020") if row["model_id"] == "gpt-3"]
    ((published,),) = records_of(typed("query", "select training_flop from estimates where model_id = 'gpt-3'"))[1:]
    assert full["training_flop"] == float(published)
    assert len(published) > 10
    whole = csv.DictReader(io.StringIO(typed("list", "--from-year", "2020", "--csv").stdout))
    assert [float(row["training_flop"]) for row in whole if row["model_id"] == "gpt-3"] == [float(published)]
    # A query's answer stays whole: another program may read it.
    assert records_of(typed("query", "select 1.0 / 3 as x, 175e9 as y"))[1] == ["0.3333333333333333", "175000000000.0"]


def test_a_list_is_of_one_tier_or_of_all():
    records, rows, every = (len(listed("--tier", tier)) for tier in ("record", "catalogue", "all"))
    assert records == len(listed())
    assert every == records + rows
    assert {row["tier"] for row in listed("--tier", "all", "--domain", "speech")} == {"record", "catalogue"}
    assert all(row["model_id"] is None for row in listed("--tier", "catalogue"))
