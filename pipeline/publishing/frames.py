"""The published estimates as pandas data frames, with the meaning and unit of each column in `.attrs`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pipeline.base.paths import PUBLISHED
from pipeline.publishing.files import CSV_TABLES
from pipeline.publishing.views import OF_RECORDS
from schemas.columns import DUCKDB, PANDAS
from schemas.tables import columns_of

if TYPE_CHECKING:
    import pandas as pd


def tier_rows(tier: str) -> pd.DataFrame:
    """Return the rows of one or all tiers, as in `flop_ledger.estimates`. Raise ValueError for an unknown tier."""
    import pandas as pd

    if tier == "record":
        return table_frame("estimates")
    if tier == "catalogue":
        return table_frame("catalogue_estimates")
    if tier != "all":
        raise ValueError(f"{tier!r} is not a tier; known are record, catalogue, all")
    records, rows = table_frame("estimates"), table_frame("catalogue_estimates")
    keys = ["model_id", "source_row", "no_estimate_reason"]
    shared = [name for name in records.columns if name in rows.columns and name not in keys]
    # A catalogue row with a model_id belongs to a model with a record, so leave it out.
    parts = [records.assign(tier="record"), rows[rows["model_id"].isna()].assign(tier="catalogue")]
    columns = ["tier", *keys, *shared, *OF_RECORDS]
    frame = pd.concat([part.reindex(columns=columns) for part in parts], ignore_index=True)
    types = {"tier": "string", "source_row": "Int64", "no_estimate_reason": "string"}
    frame = frame.astype(types | {name: records.dtypes[name] for name in OF_RECORDS})
    frame.attrs = {name: rows.attrs[name] | records.attrs[name] for name in records.attrs}
    return frame


def table_frame(name: str) -> pd.DataFrame:
    """Return a published table as a data frame. Raise FileNotFoundError if nothing has been published."""
    import duckdb

    # Only the CSV is in git.
    files = [file for end in ("parquet", "csv") if (file := PUBLISHED / f"{name}.{end}").is_file()]
    if not files:
        raise FileNotFoundError(f"{PUBLISHED} has no {name}; `make repro` makes it")
    places = columns_of(CSV_TABLES[name])
    kinds = {column: place.column.kind for column, place in places.items()}
    if files[0].suffix == ".parquet":
        rows = duckdb.read_parquet(str(files[0]))  # pandas would need pyarrow to read it
    else:
        rows = duckdb.read_csv(str(files[0]), dtype={column: DUCKDB[kind] for column, kind in kinds.items()})
    frame = rows.df().astype({column: PANDAS[kind] for column, kind in kinds.items()})
    frame.attrs["descriptions"] = {column: place.description for column, place in places.items()}
    frame.attrs["units"] = {column: place.column.unit for column, place in places.items() if place.column.unit}
    return frame
