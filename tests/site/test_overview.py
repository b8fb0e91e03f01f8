"""The picture of training compute over time: its trend and what its caption says."""

from datetime import date, timedelta

import pytest

from pipeline.site import growth, overview


def point(number, flop, day, **more):
    return {
        "id": f"model-{number}", "name": f"Model {number}", "organization": "Lab", "group": "Language", "date": day.isoformat(),
        "published": day.isoformat(), "flop": flop, "low": flop / 2, "high": flop * 2, "words": "", "interval": "", "link": "", **more,
    }  # fmt: skip


DOUBLING = [point(n, 1e20 * 2**n, date(2012, 1, 1) + timedelta(days=round(n * 365.25 / 2))) for n in range(20)]


def test_models_that_double_every_six_months_do():
    found = growth.trend(DOUBLING)
    assert found.doubling_months == pytest.approx(6, rel=0.01)
    assert found.number == 20
    assert (
        "(line) doubles every 6 months: 20 models, 2012 to 2021" in overview.caption(DOUBLING, "2026-01-01", found)[0]
    )


def test_the_first_models_of_a_later_trend_are_at_the_frontier_of_those_before_them():
    small = point(99, 1e20, date(2018, 3, 1))
    assert growth.trend([*DOUBLING[:12], small, *DOUBLING[12:]], 2018).number == 8


def test_two_models_have_no_trend():
    assert growth.trend(DOUBLING[:2]) is None
    assert overview.caption(DOUBLING[:1], "2026-01-01", None) == [
        "1 model, fine-tuned ones left out; bars are 90 % intervals. FLOP Ledger 2026-01-01, CC BY 4.0"
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
