"""The chart of training compute over time: its trend and its caption."""

import math
import random
import re
from datetime import date, timedelta

import pytest

from pipeline.publishing import trends
from pipeline.site import growth, overview


def point(number, flop, day, **more):
    return {
        "id": f"model-{number}", "name": f"Model {number}", "organization": "Lab", "group": "Language", "date": day.isoformat(),
        "published": day.isoformat(), "flop": flop, "low": flop / 2, "high": flop * 2, "words": "", "interval": "", **more,
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
    line = overview.caption(DOUBLING, "2026-01-01", trends.trend(models))[0]
    assert line.startswith(
        "Line: the 10 largest when published, ×4.00 a year (90 %: 4.00 to 4.00), doubling in 6.0 months"
    )
    assert line.endswith("30 models of 7 organizations, 2010 to 2024")


LACKING = " Of the 61 in Epoch's ten largest since 2020, 32 have no estimate."


@pytest.mark.parametrize(("largest", "words"), [(None, ""), ((0, 0), ""), ((61, 32), LACKING)])
def test_the_caption_without_a_line(largest, words):
    row = largest and dict(zip(("largest_number", "without_number"), largest, strict=True))
    assert overview.caption(DOUBLING[:1], "2026-01-01", None, row) == [
        "1 model with an estimate, selected, not sampled, fine-tuned ones left out; bars are 90 % intervals."
        f"{words} FLOP Ledger 2026-01-01, CC BY 4.0"
    ]


def test_named_are_the_highlighted_else_those_that_were_the_largest():
    dwarf = point(50, 1e19, date(2016, 1, 1))
    every = sorted([*DOUBLING, dwarf], key=lambda row: row["date"])
    drawn = overview.picture(every, "Title", "2026-01-01", None)
    named = {row["id"] for row in drawn["data"]["values"] if row["is_named"]}
    assert {row["id"] for row in growth.named(every)} == {
        f"model-{number}" for number in range(11, 20)
    }  # each of them was the largest, since 2017
    assert (
        {"model-19", "model-17"} <= named <= {f"model-{number}" for number in range(11, 20)}
    )  # a name without room is left out
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


def dots_names_and_limits(drawn):
    """Return an SVG's centres of marks, boxes of names at 6 px per letter, and heights of thresholds."""
    place = r'transform="translate\(([\d.-]+),([\d.-]+)\)"'
    marks = re.search(r'<g class="mark-symbol role-mark.*?</g>', drawn, re.DOTALL)[0]
    dots = [(float(x), float(y)) for x, y in re.findall(place, marks)]
    texts = re.findall(rf'<text text-anchor="(\w+)" {place}[^>]*>(Model \d+)<', drawn)
    left = {"start": 0, "middle": 0.5, "end": 1}
    boxes = {
        name: (float(x) - left[anchor] * 6 * len(name), float(x) + (1 - left[anchor]) * 6 * len(name), float(y) - 9, float(y) + 2)
        for anchor, x, y, name in texts
    }  # fmt: skip
    dashed = re.findall(rf'<line {place}[^>]*stroke-dasharray="4,4"', drawn)
    return dots, boxes, {float(y) for _, y in dashed}


def test_no_name_crosses_a_threshold_or_is_nearer_to_the_mark_of_another():
    draw = random.Random(60)
    rows = [
        point(number, 10 ** draw.uniform(22, 26.3), date(2018, 1, 1) + timedelta(days=draw.randrange(1500)))
        for number in range(120)
    ]
    drawn = overview.svg(overview.picture(rows, "Title", "2026-01-01", None, {row["id"] for row in rows})).decode()
    dots, boxes, limits = dots_names_and_limits(drawn)
    assert (len(dots), len(limits)) == (120, 3)
    assert 20 < len(boxes) < 120  # the others have no room for their name
    far = {row["name"] for row in overview.placed(rows, {row["id"] for row in rows}, overview.ends_of(rows), overview.SLIDE) if row.get("is_far")}  # fmt: skip
    assert 5 < len(far) < len(boxes)
    for name, (left, right, top, bottom) in boxes.items():
        assert not any(top <= limit <= bottom for limit in limits), name
        apart = [math.hypot(max(left - x, 0, x - right), max(top - y, 0, y - bottom)) for x, y in dots]
        assert min(apart) > 0 or name in far, name
        if name not in far:
            assert apart.index(min(apart)) == int(name.split()[1]), name


def test_what_others_state_is_hollow_and_in_no_line():
    estimates = [point(n, 1e20 * 4**n, date(2012 + n, 1, 1)) for n in range(10)]
    others = point(50, 1e27, date(2023, 1, 1), group=growth.OTHERS)
    drawn = overview.svg(overview.picture([*estimates, others], "Title", "2026-01-01", None)).decode()
    marks = re.search(r'<g class="mark-symbol role-mark.*?</g>', drawn, re.DOTALL)[0]
    looks = re.findall(r'fill="(#\w+)" stroke="(#\w+)"', marks)
    assert looks == [("#0072b2", "#fefefe")] * 10 + [("#fefefe", "#5b6673")]
    assert overview.caption([*estimates, others], "2026-01-01", None)[0].startswith("10 models with an estimate")
    assert "Hollow: 1 without an estimate" in overview.caption([*estimates, others], "2026-01-01", None)[1]


def test_the_line_ends_where_the_last_mark_reaches_it():
    trend = {
        "first_published_date": date(2010, 1, 1),
        "last_published_date": date(2026, 1, 1),
        "first_flop": 1e16,
        "last_flop": 1e26,
    }
    rows = [
        point(1, 1e15, date(2010, 6, 1)),
        point(2, 1e20, date(2012, 1, 1)),
        point(3, 1e26, date(2024, 1, 1)),
        point(4, 1e25, date(2025, 12, 1)),
        point(5, 1e28, date(2025, 12, 2), group=growth.OTHERS),
    ]  # fmt: skip
    assert [end["date"] for end in growth.line(rows, trend)] == ["2012-01-01", "2024-01-01"]
    assert growth.line(rows, trend)[1]["flop"] == pytest.approx(1e26 / 10 ** (10 * 731 / 5844))
    assert [end["date"] for end in growth.line(rows[:1], trend)] == ["2010-01-01", "2026-01-01"]


def test_no_models_make_no_picture():
    with pytest.raises(ValueError, match="no model with an estimate"):
        overview.picture([], "Title", "2026-01-01")
