"""Models filtered, sorted and limited."""

import csv
import io
import json
import re

import pytest

from pipeline.publishing import database, models_without_estimate
from tests.builders import listed, records_of, typed


def test_the_list_is_what_its_filters_say(records):
    names, *rows = records_of(typed("list", "--domain", "language", "--from-year", "2020", "--to-year", "2021"))
    ends = ["training_flop_low", "training_flop_high", "training_flop_at_least"]
    assert names[:6] == ["model_id", "training_flop", *ends, "published"]
    assert "gpt-3" in [row[0] for row in rows]
    assert {row[5][:4] for row in rows} == {"2020", "2021"}
    assert [row[5] for row in rows] == sorted(row[5] for row in rows)
    google = json.loads(typed("list", "--organization", "google", "--disputed", "--json").stdout)
    everyone = json.loads(typed("list", "--disputed", "--json").stdout)
    assert 0 < len(google) < len(everyone)
    assert len(list(csv.reader(io.StringIO(typed("list", "--csv").stdout)))) == 1 + len(records.models)


def test_a_list_is_sorted_as_asked():
    by_compute = [row["training_flop"] for row in listed("--sort", "compute")]
    known = [flop for flop in by_compute if flop is not None]
    assert known == sorted(known, reverse=True)
    assert by_compute[: len(known)] == known  # unknown values come last
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
    assert typed("list", "--year", "1970").stderr == "no model in the ledger matches\n"
    assert "or more by others" in typed("list", "--sort", "compute", "--limit", "10").stderr


def test_text_shows_few_digits_and_json_and_csv_all():
    _, *rows = records_of(typed("list", "--from-year", "2020"))
    for number in [cell for row in rows for cell in row[1:4] if cell]:
        assert re.fullmatch(r"\d(\.\d{1,3})?e[+-]\d\d", number), number
    table = {row[0]: row[1:] for row in records_of(typed("compare", "bloom-176b", "palm-540b"))}
    assert table["parameters"][0] == "1.762e+11"
    assert table["utilization_fraction"][1] == "0.462"
    (full,) = [row for row in listed("--from-year", "2020") if row["model_id"] == "gpt-3"]
    ((published,),) = records_of(typed("query", "select training_flop from estimates where model_id = 'gpt-3'"))[1:]
    assert full["training_flop"] == float(published)
    assert len(published) > 10
    whole = csv.DictReader(io.StringIO(typed("list", "--from-year", "2020", "--csv").stdout))
    assert [float(row["training_flop"]) for row in whole if row["model_id"] == "gpt-3"] == [float(published)]
    # A query's answer is complete, because another program may read it.
    assert records_of(typed("query", "select 1.0 / 3 as x, 175e9 as y"))[1] == ["0.3333333333333333", "175000000000.0"]


def test_a_list_is_of_one_tier_or_of_all():
    records, rows, every = (len(listed("--tier", tier)) for tier in ("record", "catalogue", "all"))
    assert records == len(listed())
    assert every == records + rows
    assert {row["tier"] for row in listed("--tier", "all", "--domain", "speech")} == {"record", "catalogue"}
    assert all(row["model_id"] is None for row in listed("--tier", "catalogue"))


def test_a_list_above_a_threshold():
    above = listed("--at-least", "1e24")
    assert [listed("--above", written) for written in ("10^24", "1e24 FLOP", "1 x 10^24")] == [above] * 3
    assert {row["model_id"] for row in above} == {
        row["model_id"] for row in listed() if (row["training_flop"] or 0) >= 1e24
    }
    possible, likely = listed("--at-least", "1e25"), listed("--at-least", "1e25", "--probability", "0.9")
    with database.reading() as book:
        sql = "select model_id, probability_above_1e25_fraction from estimates where probability_above_1e25_fraction >= 0.9"
        known = dict(book.execute(sql).fetchall())
        near = "select count(*) from estimates where probability_above_1e25_fraction between 0.05 and 0.8999999"
        ((number,),) = book.execute(near).fetchall()
    assert {row["model_id"]: row["probability_above_1e25_fraction"] for row in likely} == known
    assert len(known) > 2
    assert len(possible) == len(known) + number
    assert (
        f"{number} more have a probability of 5 % to 90 %"
        in typed("list", "--at-least", "1e25", "--probability", "0.9").stderr
    )
    assert "more have a probability" not in typed("list", "--at-least", "1e25").stderr
    assert "llama-3-1-405b" in known


def test_models_made_from_another_come_last_with_their_share():
    rows = listed("--at-least", "1e25", "--columns", "model_id,base_model,own_to_base_ratio,published")
    is_modified = [row["base_model"] is not None for row in rows]
    assert is_modified == sorted(is_modified)
    assert 3 < sum(is_modified) < len(is_modified) - 3
    assert {row["model_id"]: row["own_to_base_ratio"] for row in rows}["hermes-4-405b"] == pytest.approx(
        1.361e23 / 3.937e25, rel=1e-2
    )
    assert f"{sum(is_modified)} of these are made from another model" in typed("list", "--at-least", "1e25").stderr


def test_a_list_above_a_threshold_names_the_models_without_an_estimate_that_may_be_there():
    with database.reading() as book:
        matches = models_without_estimate.models_without_estimate(book, 1e25)
        ((placed,),) = book.execute(
            "select count(*) filter (external_flop >= 1e25) from models_without_estimate"
        ).fetchall()
    assert len(matches.placed_above) == placed
    message = [line for line in typed("list", "--at-least", "1e25").stderr.splitlines() if not line.startswith("  ")]
    assert [line.split(" (")[0] for line in message][1:] == [
        f"{len(matches.models)} models have no estimate",
        f"placed at 1e25 or more by others: {matches.placed_above[0]['name']}",
    ]


def test_of_a_facet_several_values_may_be_chosen():
    language, vision = (listed("--domain", domain) for domain in ("language", "vision"))
    assert len(listed("--domain", "language,vision")) == len(language) + len(vision)
    with database.reading() as book:
        sql = (
            "select model_id from estimates where regexp_matches(country, 'China|France') and weights_access = 'open'"
            " and regexp_matches(hardware, 'h800|h100-sxm5') and training_flop between 1e23 and 1e25"
        )
        expected = {name for (name,) in book.execute(sql).fetchall()}
    words = ("--country", "china, France", "--access", "open", "--chip", "h800,NVIDIA H100 SXM5")
    matches = {row["model_id"] for row in listed(*words, "--at-least", "1e23", "--at-most", "1e25")}
    assert matches == expected
    assert "deepseek-r1" in matches


def test_models_without_an_estimate_are_those_of_the_selection():
    message = " ".join(typed("list", "--at-least", "1e25", "--organization", "Anthropic").stderr.split())
    assert "Claude Opus 4.5" in message
    assert "Grok 4" not in message


def test_a_list_of_base_models_alone():
    with database.reading() as book:
        tuned = {
            name for (name,) in book.execute("select model_id from models where base_model is not null").fetchall()
        }
        rows_on_others_sql = (
            "select name from catalogue_estimates where model_id is null and base_training_flop is not null"
        )
        rows_on_others = [name for (name,) in book.execute(rows_on_others_sql).fetchall()]
    every, base = ({row["model_id"] for row in listed(*words)} for words in ((), ("--base-only",)))
    assert every - base == tuned != set()
    assert rows_on_others
    assert not {row["name"] for row in listed("--tier", "catalogue", "--base-only")} & set(rows_on_others)


@pytest.mark.parametrize(
    ("words", "model"),
    [
        ("405b llama-3", "llama-3-1-405b"),  # parts of the id, in any order
        ("davinci", "gpt-3"),  # an alias
        ("openai 175B", "gpt-3"),  # of the organization and the name
    ],
)
def test_a_list_is_searched_by_words(words, model):
    assert model in [row["model_id"] for row in listed("--search", words)]
    assert len(listed("--search", words)) < 10
    assert json.loads(typed("list", "--search", f"{words} neverwas", "--json").stdout) == []


def test_a_list_has_the_columns_that_are_asked_for():
    done = typed("list", "--search", "gpt-3", "--columns", "name, Chip Hours,energy_kwh,name", "--csv")
    assert done.stdout.splitlines()[0] == "name,chip_hours,energy_kwh"
