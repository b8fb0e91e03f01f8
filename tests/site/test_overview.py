"""The chart of training compute over time: its trend and its caption."""

import math
import random
import re
from datetime import date, timedelta

import pytest

from pipeline.answers import trends
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


LACKING = " Of the 61 in Epoch's ten largest since 2019, 32 have no estimate."


@pytest.mark.parametrize(("largest", "words"), [((), ""), (((2019, 48, 20), (2020, 13, 9)), LACKING)])
def test_the_caption_without_a_line(largest, words):
    rows = [dict(zip(("year", "largest_number", "estimated_number"), row, strict=True)) for row in largest]
    assert overview.caption(DOUBLING[:1], "2026-01-01", None, rows) == [
        "1 model with an estimate, selected, not sampled, fine-tuned ones left out; bars are 90 % intervals."
        f"{words} FLOP Ledger 2026-01-01, CC BY 4.0"
    ]


def test_the_largest_of_years_the_latest_and_the_highest_by_others_are_named():
    early = [point(number, 10.0 ** (20 + number), date(2020, 1 + number, 1)) for number in range(4)]
    late = [point(10 + number, 10.0 ** (21 + number), date(2026, 1 + number, 1)) for number in range(4)]
    others = [point(20 + number, 10.0 ** (27 - number), date(2021, 1, 1), group=growth.OTHERS) for number in range(2)]
    floor = point(30, 1e28, date(2021, 2, 1), group=growth.FLOORS)
    rows = sorted([*early, *late, *others, floor], key=lambda row: row["date"])
    # Shares: 1/6 of the latest six, 1/4 of others' four, 2/6; three times 1/2; 4/6; later ones of 2020.
    order = [13, 20, 12, 21, 3, 11, 10, 2, 1, 0]
    assert [row["id"] for row in growth.labelled_points(rows)] == [f"model-{number}" for number in order]


def test_highlighted_models_are_named_in_place_of_others():
    every = sorted([point(50, 1e19, date(2016, 1, 1)), *DOUBLING], key=lambda row: row["date"])
    for highlighted in ({"model-50"}, {"model-9", "model-50"}):
        drawn = overview.picture(every, "Title", "2026-01-01", None, highlighted)
        assert {row["id"] for row in drawn["data"]["values"] if row["is_named"]} == highlighted


def test_a_threshold_and_a_tick_are_written_alike():
    drawn = overview.svg(overview.picture(DOUBLING[:15], "Title", "2026-01-01", None)).decode()
    assert ">10²³ FLOP<" in drawn
    assert ">10²³<" in drawn
    assert "1e23" not in drawn


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
    named = [row["id"] for row in sorted(rows, key=lambda row: -row["flop"])]
    positions = overview.with_name_positions(rows, named, overview.ends_of(rows), overview.SLIDE, len(named))
    far = {row["name"] for row in positions if row.get("is_far")}
    five = overview.with_name_positions(rows, named, overview.ends_of(rows), overview.SLIDE, 5)
    assert sum(row["is_named"] for row in five) == 5
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
