"""Records of chip prices, grids and watched sources."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from schemas.facts import PLACE_AT_COMMIT, Date, mistake
from schemas.prices import Grid, Price
from schemas.records.parts import Name, Record
from schemas.strict import Strict


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
    found_at: Annotated[str | None, Field(pattern=f"^{PLACE_AT_COMMIT}$")] = (
        None  # the copy that was read, if not `address`
    )


class WatchedSource(Record):
    """A source that `flopledger update` checks: a table, repositories of each round's results, or cited addresses."""

    name: Name
    watched: Literal["table", "repositories", "addresses"]
    licence: str | None = None  # None if nobody read it, or if each address has its own
    cadence_days: Annotated[int, Field(gt=0, le=3660)]
    address: Annotated[str | None, Field(pattern=r"^https://\S+$")] = None  # contains {round} if every round has one
    file: Annotated[str | None, Field(pattern=r"^data/snapshots/[a-z0-9_]+\.csv$")] = None  # the snapshot that we keep
    columns: list[str] = []  # the columns that we use; a file that lacks one is refused
    rounds: dict[
        Annotated[str, Field(pattern=r"^v\d+\.\d+$")], str | None
    ] = {}  # the commit that was read; None if it was not read or does not exist yet
    fetched: Fetched | None = None  # None if it was never fetched

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        if (self.address is None) != (self.watched == "addresses") or bool(self.rounds) != (
            self.watched == "repositories"
        ):
            raise mistake("a table has an address, repositories have an address and rounds, addresses have neither")
        return self
