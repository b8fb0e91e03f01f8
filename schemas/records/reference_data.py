"""Records of chip prices, grids and watched sources."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from schemas import vocabulary
from schemas.base_model import Strict
from schemas.facts import PLACE_AT_COMMIT, Date, Text, Usd, mistake
from schemas.limits import LAST_YEAR
from schemas.records.parts import Name, Record

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


class HardwarePrices(Record):
    """Chip prices listed by one source."""

    prices: Annotated[list[Price], Field(min_length=1)]


class GridFactors(Record):
    """Grid carbon intensities listed by one source."""

    factors: Annotated[list[Grid], Field(min_length=1)]


class Fetched(Strict):
    """The raw file of a watched source, as last read."""

    on: Date
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    bytes: Annotated[int, Field(gt=0)]
    rows: Annotated[int | None, Field(gt=0)] = None
    entity_tag: str | None = None
    # The copy that was read, if not `address`.
    found_at: Annotated[str | None, Field(pattern=f"^{PLACE_AT_COMMIT}$")] = None


class WatchedSource(Record):
    """A source that `flopledger update` checks: a table, repositories of each round's results, or cited addresses."""

    name: Name
    watched: Literal["table", "repositories", "addresses"]
    licence: str | None = None  # None if nobody read it, or if each address has its own
    cadence_days: Annotated[int, Field(gt=0, le=3660)]
    address: Annotated[str | None, Field(pattern=r"^https://[!-~]+$")] = None  # contains {round} if every round has one
    file: Annotated[str | None, Field(pattern=r"^data/snapshots/[a-z0-9_]+\.csv$")] = None  # the snapshot that we keep
    columns: list[str] = []  # the columns that we use; a file that lacks one is refused
    # The commit that was read for each round; None if it was not read or does not exist yet.
    rounds: dict[Annotated[str, Field(pattern=r"^v\d+\.\d+$")], str | None] = {}
    fetched: Fetched | None = None  # None if it was never fetched

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        if (self.address is None) != (self.watched == "addresses") or bool(self.rounds) != (
            self.watched == "repositories"
        ):
            raise mistake("table takes an address, repositories an address and rounds, addresses neither")
        return self
