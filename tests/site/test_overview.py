"""The picture of training compute over time: its trend and what its caption says."""

from datetime import date, timedelta

import pytest

from pipeline.publishing import trends
from pipeline.site import growth, overview


def point(number, flop, day, **more):
    return {
        "id": f"model-{number}", "name": f"Model {number}", "organization": "Lab", "group": "Language", "date": day.isoformat(),
        "published": day.isoformat(), "flop": flop, "low": flop / 2, "high": flop * 2, "words": "", "interval": "", "link": "", **more,
    }  # fmt: skip


DOUBLING = [point(n, 1e20 * 2**n, date(2012, 1, 1) + timedelta(days=round(n * 365.25 / 2))) for n in range(20)]


def test_the_caption_tells_the_growth_of_the_line():
    models = [
        {
            "training_flop": 1e20 * 2**place,
            "parent_organization": f"Lab {place % 7}",
            "published_date": date(2010 + place // 2, 1 + place % 2 * 6, 1),
        }
        for place in range(30)
    ]
    told = overview.caption(DOUBLING, "2026-01-01", trends.trend(models))[0]
    assert told.startswith(
        "Line: the 10 largest when published, ×4.00 a year (90 %: 4.00 to 4.00), doubling in 6.0 months"
    )
    assert told.endswith("30 models of 7 organizations, 2010 to 2024")


def test_the_caption_without_a_line():
    assert overview.caption(DOUBLING[:1], "2026-01-01", None) == [
        "1 model, selected, not sampled, fine-tuned ones left out; bars are 90 % intervals. FLOP Ledger 2026-01-01, CC BY 4.0"
    ]


def test_named_are_the_highlighted_else_those_that_were_the_largest():
    dwarf = point(50, 1e19, date(2016, 1, 1))
    every = sorted([*DOUBLING, dwarf], key=lambda row: row["date"])
    drawn = overview.picture(every, "Title", "2026-01-01", None)
    named = {row["id"] for row in drawn["data"]["values"] if row["is_named"]}
    assert named == {f"model-{number}" for number in range(11, 20)}  # each of them the largest, since 2017
    drawn = overview.picture(every, "Title", "2026-01-01", None, {"model-50"})
    assert {row["id"] for row in drawn["data"]["values"] if row["is_named"]} == {"model-50"}


def test_a_threshold_and_a_tick_are_written_alike():
    drawn = overview.svg(overview.picture(DOUBLING, "Title", "2026-01-01", None)).decode()
    assert ">10²³ FLOP<" in drawn
    assert ">10²³<" in drawn
    assert "1e23" not in drawn


def test_gpt_4_is_named_though_another_is_larger():
    gpt_4 = point(1, 1e25, date(2023, 3, 14)) | {"id": "gpt-4"}
    assert growth.named([point(0, 1e26, date(2022, 1, 1)), gpt_4, point(2, 2e25, date(2024, 1, 1))])[1:] == [gpt_4]


def test_a_name_stands_where_it_covers_neither_a_mark_nor_another_name():
    rows = [point(1, 1e22, date(2016, 1, 1)), point(2, 1e22, date(2016, 1, 20)), point(3, 1.02e22, date(2016, 2, 10))]
    ends, size = overview.Ends(2010, 2022, 1e18, 1e26), overview.SLIDE._replace(letter=7, line=20, margin=0)
    first, second, third = overview.placed(rows, ["model-2", "model-3"], ends, size)
    assert not first["is_named"]
    assert (third["align"], third["dx"], third["dy"]) == ("right", -9, -9)  # left of it are the others' marks
    assert (second["align"], second["dx"], second["dy"]) != ("right", -9, -9)


def test_no_models_make_no_picture():
    with pytest.raises(ValueError, match="no model with an estimate"):
        overview.picture([], "Title", "2026-01-01")
