"""The picture of training compute over time: its trend and what its caption says."""

from datetime import date, timedelta

import pytest

from pipeline.publishing import trends
from pipeline.site import overview


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
            "organization": f"Lab {place % 7}",
            "parent_organization": None,
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
    assert "model-19" in named
    assert "model-50" not in named
    drawn = overview.picture(every, "Title", "2026-01-01", None, {"model-50"})
    assert {row["id"] for row in drawn["data"]["values"] if row["is_named"]} == {"model-50"}


def test_a_threshold_and_a_tick_are_written_alike():
    drawn = overview.svg(overview.picture(DOUBLING, "Title", "2026-01-01", None)).decode()
    assert ">10²³ FLOP<" in drawn
    assert ">10²³<" in drawn
    assert "1e23" not in drawn


def test_names_leave_out_what_would_cover_another_name_or_mark():
    rows = [point(1, 1e20, date(2020, 1, 1)), point(2, 1.02e20, date(2020, 1, 2)), point(3, 1e24, date(2021, 1, 1))]
    ends = overview.Ends(2010, 2022, 1e18, 1e26)
    size = overview.SLIDE._replace(width=1000, height=500, letter=7, line=20, margin=0)
    found = overview.leaders(rows, ends, size)
    assert [row["id"] for row in found] == ["model-3", "model-2"]


def test_no_models_make_no_picture():
    with pytest.raises(ValueError, match="no model with an estimate"):
        overview.picture([], "Title", "2026-01-01")
