"""The schema of chip prices and grid carbon intensities, from which cost and carbon are estimated."""

from typing import Annotated

from pydantic import Field

from schemas import vocabulary
from schemas.facts import Date, Text, Usd
from schemas.limits import LAST_YEAR
from schemas.strict import Strict

Year = Annotated[int, Field(ge=1990, le=LAST_YEAR)]
Intensity = Annotated[float, Field(gt=0, lt=2000, allow_inf_nan=False)]  # even the dirtiest coal plants emit less


class Price(Usd):
    """An offer on a given day: the price of one chip, of its share of a server, or of using it for an hour."""

    chip: str
    terms: vocabulary.PriceTerms = Field(strict=False)
    date: Date
    vendor: Text | None = None


class Grid(Strict):
    """Carbon intensity of a country's or region's electricity by year, in g CO2 equivalent per kWh (location-based)."""

    place: Text
    aliases: list[Text] = []  # its ISO 3166 codes and its short name
    source: str
    via: Text
    grams: Annotated[dict[Year, Intensity], Field(min_length=1)]
