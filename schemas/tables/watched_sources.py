"""One row a source that `flopledger update` looks at."""

from schemas import columns
from schemas.contract import Contract


class WatchedSources(Contract, grain="watched_source_id"):
    watched_source_id = columns.watched_source_id()
    name = columns.name()
    watched_kind = columns.watched_kind()
    source_address = columns.source_address(null="It is many addresses: those that records name.")
    source_licence = columns.source_licence(null="It was not read, or each address has its own.")
    cadence_days = columns.cadence_days()
    fetched_on = columns.fetched_on(null="It has not been read as a whole, or is no file.")
    fetched_sha256 = columns.fetched_sha256(null="It has not been read as a whole, or is no file.")
    fetched_bytes = columns.fetched_bytes(null="It has not been read as a whole, or is no file.")
