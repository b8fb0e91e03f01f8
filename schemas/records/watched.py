"""Records of prices of chips, of grids, and of the sources that are watched."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from schemas.facts import PLACE_AT_COMMIT, Date, mistake
from schemas.prices import Grid, Price
from schemas.records.parts import Name, Record
from schemas.strict import Strict


class HardwarePrices(Record):
    """Prices of chips that one source lists."""

    prices: Annotated[list[Price], Field(min_length=1)]


class GridFactors(Record):
    """Carbon intensities of grids that one source lists."""

    factors: Annotated[list[Grid], Field(min_length=1)]


class Fetched(Strict):
    """The raw file of a watched source as it was last read."""

    on: Date
    sha256: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
    bytes: Annotated[int, Field(gt=0)]
    rows: Annotated[int | None, Field(gt=0)] = None
    entity_tag: str | None = None
    found_at: Annotated[str | None, Field(pattern=f"^{PLACE_AT_COMMIT}$")] = (
        None  # the copy, where it was not the address itself
    )


class WatchedSource(Record):
    """What `flopledger update` looks at: a table, repositories of results by round, or the addresses that models' records name."""

    name: Name
    watched: Literal["table", "repositories", "addresses"]
    licence: str | None = None  # None: not read, or each address has its own
    cadence_days: Annotated[int, Field(gt=0, le=3660)]
    address: Annotated[str | None, Field(pattern=r"^https://\S+$")] = None  # with {round} where there is one a round
    file: Annotated[str | None, Field(pattern=r"^data/snapshots/[a-z0-9_]+\.csv$")] = None  # the snapshot that is kept
    columns: list[str] = []  # that are used: a file without one of them is refused
    rounds: dict[
        Annotated[str, Field(pattern=r"^v\d+\.\d+$")], str | None
    ] = {}  # the commit read; None: not read, if it is there
    fetched: Fetched | None = None  # None: never

    @model_validator(mode="after")
    def _has_what_it_needs(self) -> Self:
        if (self.address is None) != (self.watched == "addresses") or bool(self.rounds) != (
            self.watched == "repositories"
        ):
            raise mistake("a table has an address, repositories have an address and rounds, addresses have neither")
        return self
