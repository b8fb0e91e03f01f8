"""Impossible prices and grids: one line each, with its place; none is used for another chip, place or currency."""

import pytest

from tests.records.conftest import World

PRICES, GRIDS, MODEL = "hardware_prices/shop.yaml", "grid_factors/office.yaml", "models/images.yaml"
SHOP = """
sources: {shop: {title: A shop}}
prices:
  - {chip: nvidia-gtx-580, date: 2012-05, terms: chip, value: 499 usd, source: shop}
"""
OFFICE = """
sources: {office: {title: An office}}
factors:
  - {place: France, source: office, via: "row 1", grams: {2012: 70}}
"""


@pytest.fixture
def priced(world: World) -> World:
    world.write(PRICES, SHOP)
    world.write(GRIDS, OFFICE)
    return world


def test_a_sound_price_and_grid_have_no_mistakes(priced: World) -> None:
    assert priced.mistakes() == []


@pytest.mark.parametrize(("file", "old", "new", "field", "complaint"), [
    (PRICES, "date: 2012-05, ", "", "prices[0].date", "is missing"),
    (PRICES, "date: 2012-05", "date: 2012-13", "prices[0].date", "'2012-13' is not a date; write 2012-12-03, 2012-12 or 2012"),
    (PRICES, "date: 2012-05", "date: 2005", "prices[0].date", "GTX 580 was released on 2010-11-09, long after this price"),
    (PRICES, "499 usd", "499 EUR", "prices[0]", "'EUR' is not a unit; state money in usd of that day"),
    (PRICES, "terms: chip", "terms: chips", "prices[0].terms", "'chips' is not an allowed value; did you mean 'chip'?"),
    (PRICES, "nvidia-gtx-580", "nvidia-gtx-590", "prices[0].chip", "'nvidia-gtx-590' is not a chip in the ledger"),
    (GRIDS, "2012: 70", "2012: 0", "factors[0].grams", "greater than 0"),
    (MODEL, "scope: single", "scope: single\ntrained_in: {value: Atlantis, source: paper}", "trained_in",
     "'Atlantis' has no grid; known are France; add its grid to data/records/grid_factors, or leave it out"),
    (GRIDS, "grams: {2012: 70}", "grams: {}", "factors[0].grams", "is empty; state at least one"),
])  # fmt: skip
def test_each_mistake_is_named_where_it_stands(
    priced: World, file: str, old: str, new: str, field: str, complaint: str
) -> None:
    priced.change(file, old, new)
    ((_, _, where, message, *_),) = priced.mistakes()
    assert where.startswith(field), where
    assert complaint in message
