"""FLOP Ledger in Python: what is known of the training compute of published machine-learning models, and estimates of one's own.

    model("gpt-4")                          # the answer; .explain(), .facts, .to_dict(), and each value by its name: model("gpt-4")["training_flop"]
    estimates()                             # all published estimates, a pandas data frame
    estimate(parameters="7B", tokens="2T")  # an estimate of a few figures, or of your own record
    compare("gpt-3", "palm-540b")           # a row a model, a data frame
    trend(domain="language")                # how fast training compute grows, a data frame
    query("select * from hardware")         # SQL on every table, a data frame
    count("resnet50", image_size=384)       # parameters and operations of a network
    dense_peak("NVIDIA H100 80GB HBM3")     # peaks of the device that torch, JAX or ROCm name so
    cite("gpt-3")                           # text and BibTeX
    estimate_frames(runs, allocations, models)  # many models' tables, on the DuckDB or Spark that holds them

The installed package has these as `flop_ledger`, a checkout as `pipeline`. What each needs is imported when it is called; where it is not
installed, ModuleNotFoundError says with which extra it comes.
"""

from __future__ import annotations

import functools
import os

# OpenBLAS reads it when numpy is first imported: on matrices of a few hundred rows its threads spin while they wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar, Unpack

from schemas.figures import Figures

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Citation",
    "Model",
    "cite",
    "compare",
    "count",
    "dense_peak",
    "estimate",
    "estimate_frames",
    "estimates",
    "model",
    "query",
    "trend",
]
FIRST_COLUMNS = (
    "training_flop training_flop_low training_flop_high name organization published_date domain confidence evidence_class headline_method"
).split()  # of `estimates`: those that people use, and of these first what a narrow screen shows
Parameters, Answer = ParamSpec("Parameters"), TypeVar("Answer")


def _names_missing_extra(function: Callable[Parameters, Answer]) -> Callable[Parameters, Answer]:
    """Decorates a function so that, where a package is missing, the error names the extra that installs it."""

    @functools.wraps(function)
    def wrapper(*args: Parameters.args, **kwargs: Parameters.kwargs) -> Answer:
        try:
            return function(*args, **kwargs)
        except ModuleNotFoundError as problem:
            from pipeline.commands.problems import missing_package

            raise ModuleNotFoundError(missing_package(problem), name=problem.name) from None

    return wrapper


class Model(dict[str, Any]):
    """A model's account (schemas/account.py): every column of the table `estimates`, FLOP as floats, None being unknown, and what it follows from.

    `print(model("gpt-4"))` shows the answer as `flopledger show` does.
    """

    def _lines(self) -> list[str]:
        from pipeline.commands import account_text, own_run_text

        account: Any = self
        return list(account_text.row_screen(account) if self["catalogue_row"] else own_run_text.screen(account))

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        from html import escape

        from pipeline.commands.terminal import Heading, Strong

        lines = (
            f"<b>{escape(line)}</b>" if isinstance(line, Heading | Strong) else escape(line) for line in self._lines()
        )
        # Notebooks break lines of output within words.
        return '<pre style="white-space: pre-wrap; word-break: normal">' + "\n".join(lines) + "</pre>"

    def explain(self) -> str:
        """Every formula with its numbers, and every fact with the words it was read in, as `flopledger explain` has them."""
        from pipeline.commands import account_text

        account: Any = self
        return "\n".join(account_text.explanation(account))

    @property
    def facts(self) -> list[dict[str, Any]]:
        """Every fact behind the number: its value, unit, evidence, source, place and the words it was read in."""
        return [fact for facts in self["facts"].values() for fact in facts]

    def to_dict(self) -> dict[str, Any]:
        """The same as a plain dictionary, as `flopledger show --json` has it."""
        return dict(self)


@_names_missing_extra
def model(name: str) -> Model:
    """The account of the model of this id, name, alias or name of Epoch's table.

    Raises LookupError, which names the nearest, where the name fits none or several, pipeline.publishing.database.DatabaseError where nothing is published.
    """
    from pipeline.commands import ledger
    from pipeline.publishing import database

    with database.reading() as connection:
        return Model(ledger.account_in(connection, name))


@_names_missing_extra
def estimates(tier: str = "record") -> pd.DataFrame:
    """The published estimates, one row a model, indexed by `model_id`; as in data/published/estimates.parquet.

    `tier="catalogue"` gives the rows of Epoch's table, indexed by `source_row`, as in catalogue_estimates.parquet; `tier="all"` the
    records, and the rows of that table whose models have none, with the column `tier`, as in the view `all_estimates`.

    FLOP counts are floats, a multiply-add being two; the column's name ends in its unit (`training_flop`,
    `utilization_fraction`); `published_date` is a date. Missing is unknown, never zero. What each column means: `estimates().attrs["descriptions"]`.

    Raises FileNotFoundError where nothing is published (`make repro` does it), ValueError for another tier.
    """
    import pandas as pd

    from pipeline.publishing.views import OF_RECORDS

    if tier == "record":
        return _ordered(_published("estimates"))
    if tier == "catalogue":
        return _ordered(_published("catalogue_estimates"))
    if tier != "all":
        raise ValueError(f"{tier!r} is not a tier; known are record, catalogue, all")
    records, rows = _published("estimates").reset_index(), _published("catalogue_estimates").reset_index()
    keys = ["model_id", "source_row", "no_estimate_reason"]
    shared = [name for name in records.columns if name in rows.columns and name not in keys]
    parts = [records.assign(tier="record"), rows[rows["model_id"].isna()].assign(tier="catalogue")]
    columns = ["tier", *keys, *shared, *OF_RECORDS]
    frame = pd.concat([part.reindex(columns=columns) for part in parts], ignore_index=True)
    types = {"tier": "string", "source_row": "Int64", "no_estimate_reason": "string"}
    frame = frame.astype(types | {name: records.dtypes[name] for name in OF_RECORDS})
    frame.attrs = {name: rows.attrs[name] | records.attrs[name] for name in records.attrs}
    return _ordered(frame)


def _ordered(frame: pd.DataFrame) -> pd.DataFrame:
    first = [name for name in FIRST_COLUMNS if name in frame.columns]
    return frame[[*first, *(name for name in frame.columns if name not in first)]]


def _published(name: str) -> pd.DataFrame:
    import json

    import duckdb
    import pandas as pd

    from pipeline.base.paths import PUBLISHED

    files = [file for end in ("parquet", "csv") if (file := PUBLISHED / f"{name}.{end}").is_file()]  # the CSV is in git
    if not files:
        raise FileNotFoundError(f"{PUBLISHED} holds no {name}; `make repro` makes them")
    package = json.loads((PUBLISHED / "datapackage.json").read_text(encoding="utf-8"))  # what the contracts say of it
    (schema,) = (resource["schema"] for resource in package["resources"] if resource["path"] == f"{name}.csv")
    dtypes = {
        "number": "float64",
        "boolean": "boolean",
        "string": "string",
        "integer": "Int64",
        "date": "datetime64[ns]",
    }
    types = {field["name"]: dtypes[field["type"]] for field in schema["fields"]}
    dates = [field["name"] for field in schema["fields"] if field["type"] == "date"]
    if files[0].suffix == ".parquet":
        frame = duckdb.read_parquet(str(files[0])).df().astype(types)  # pandas would need pyarrow
    else:
        read = {column: kind for column, kind in types.items() if column not in dates}
        frame = pd.read_csv(files[0], dtype=read, parse_dates=dates, keep_default_na=False, na_values=[""]).astype(
            types
        )
    frame.attrs["descriptions"] = {field["name"]: field["description"] for field in schema["fields"]}
    frame.attrs["units"] = {field["name"]: field["unit"] for field in schema["fields"] if "unit" in field}
    return frame.set_index(schema["primaryKey"])


@_names_missing_extra
def estimate(
    record: Mapping[str, Any] | str | PathLike[str] | None = None,
    identifier: str = "my-model",
    **figures: Unpack[Figures],
) -> Model:
    """The estimate of a model record: the path of a YAML file, or its content as a mapping, by the name `identifier`; or of a few figures.

    The figures are those of `flopledger estimate`, and so is the answer. An amount is a number, text such as "7B", or a range as "5..6"
    or (5, 6); your own figures count as exact.

    The result has `training_flop` with `training_flop_low` and `training_flop_high` (its 90 % interval), `operation_count_flop` and
    `gpu_time_flop`, all in FLOP, None being unknown; `mfu` where operations and time are stated, the forecast of what a plan leaves out;
    and beside them what they follow from, and the answer in words. Chips, base models and defaults are the published ledger's.

    Raises pipeline.publishing.database.DatabaseError where there is none, pipeline.records.loading.RecordError with every mistake of the record, one line each, and
    schemas.errors.InputError (a ValueError) with those of the figures.
    """
    from pipeline.commands import own_run
    from schemas.figures import stated

    if (record is None) == (not figures):
        raise TypeError("estimate takes a record or figures, such as parameters='7B', and not both")
    if record is None:
        return Model(own_run.run(stated(figures), identifier))
    if not isinstance(record, Mapping):
        record = Path(record)
        identifier = record.stem
    return Model(own_run.of_record(record, identifier))


@_names_missing_extra
def estimate_frames(
    runs: Any, allocations: Any, models: Any, *, lineages: Any = None, contributions: Any = None, operation_counts: Any = None,
    utilizations: Any = None, hardware: Any = None, peaks: Any = None, year_peaks: Any = None, defaults: Any = None,
) -> Mapping[str, Any]:  # fmt: skip
    """The estimates of many models, by the engine that holds their tables: DuckDB relations of one connection, or Spark data frames.

    Each argument is the table of that name in data/README.md. A column that may be null may be left out: it is unknown in every row.
    Of the tables that may be left out,
    - `lineages`: every model is a part of itself alone, and what its base models took is in no total;
    - `contributions`: nothing is known of what results rest on beside training;
    - `operation_counts`: no network was counted; operations follow from parameters or a stated number;
    - `utilizations`: those that the ledger's measurements predict, of runs that state no utilization;
    - `hardware`, `peaks`, `year_peaks`, `defaults`: the ledger's own, with its chips, as is params.yaml in any case.

    The result has by name `estimates` (FLOP, one row a model) and what these follow from: `completed_runs`, `completed_allocations`,
    `operation_estimates`, `gpu_time_estimates`, `energy_estimates`, `reconciliations` and `dispute_causes`, all of the same kind as what
    was given, not sorted. All are made in the call. On DuckDB they are temporary tables of a cursor of the connection, which shares its
    limit of memory and its place for spilled rows; nothing of the connection's own is hidden or changed, and it may be read-only. On
    Spark each partition of whole families of models runs the same rules in a DuckDB of its own.

    Checked are the names and types of columns, and that no number is infinite or NaN, no key repeated and nothing null that is never null.
    Words are taken as they are, and a chip or network that its table lacks gives no estimate. A figure without a class of evidence
    (`examples_class`, `steps_class`, `chip_seconds_class`) is the caller's own, which counts as exact, as in `estimate`; a
    `reported_flop` without `reported_method` was found in an unknown way.

    Raises schemas.errors.ContractError with every mistake, one line each; also where the ledger's tables are needed and were not made.
    On Spark, mistakes in rows are lines in the message of Spark's own error.
    """
    from pipeline.engines import relations

    given = {"runs": runs, "allocations": allocations, "models": models}
    optional = {
        "lineages": lineages, "contributions": contributions, "operation_counts": operation_counts, "utilizations": utilizations,
        "hardware": hardware, "peaks": peaks, "year_peaks": year_peaks, "defaults": defaults,
    }  # fmt: skip
    tables = given | {name: table for name, table in optional.items() if table is not None}
    if relations.is_of_spark(models):
        from pipeline.engines import spark

        return spark.estimated(tables)
    return relations.estimated(tables)


@_names_missing_extra
def count(
    config_or_name: str | PathLike[str],
    *,
    sequence_length: int | None = None,
    target_length: int | None = None,
    image_size: int | None = None,
    prediction_depth: int | None = None,
    batch: int = 1,
) -> dict[str, Any]:
    """Parameters and operations of a config.json, of a network in YAML or of a named one, counted from its architecture.

    `forward_flop` and `backward_flop` are whole numbers of FLOP (a multiply-add is two) for `batch` examples: sequences of
    `sequence_length` tokens (for Whisper mel frames; `target_length` is the decoder's), or images of `image_size` pixels
    squared; `prediction_depth` is the number of modules that predict further tokens. `by_kind` has them by kind of layer, `counted_for` the lengths used, `not_counted` what was left out.

    Raises pipeline.architectures.counting.CountError (a ValueError), in one line, for what cannot be counted.
    """
    import json

    from pipeline.architectures import counting
    from pipeline.architectures.network import Lengths

    counted = counting.count(
        str(config_or_name), Lengths(sequence_length, target_length), image_size, batch, prediction_depth
    )
    made: dict[str, Any] = json.loads(counting.as_json(counted))
    return made


@_names_missing_extra
def dense_peak(name: str, precision: str | None = None) -> dict[str, Any] | None:
    """Dense peaks in FLOP/s of the device of exactly this name, as torch, JAX, ROCm or MLPerf print it; None where none is known.

    See `pipeline.publishing.dense_peaks.dense_peak` for the answer. Raises pipeline.publishing.database.DatabaseError where nothing is published.
    """
    from pipeline.publishing import database, dense_peaks
    from pipeline.publishing.peak_table import peak_table

    with database.reading() as connection:
        return dense_peaks.dense_peak(name, precision, peak_table(connection))


@_names_missing_extra
def compare(*models: str) -> pd.DataFrame:
    """These models beside each other: one row a model, one column a quantity that at least one of them has. Raises LookupError as `model` does."""
    import pandas as pd

    from pipeline.commands.compare import side_by_side

    accounts: Any = [model(name) for name in models]
    names, lines = side_by_side(accounts)
    # A row a model, unlike on a terminal: a column of numbers and words together would show 24 digits.
    return (
        pd.DataFrame(lines, columns=names)
        .set_index(names[0])
        .T.rename_axis("model_id")
        .rename_axis(None, axis=1)
        .infer_objects()
    )


@_names_missing_extra
def trend(from_year: int = 2010, **selection: Any) -> pd.DataFrame:
    """How fast training compute grows with the date of publication, of all models and of those among the largest when published: one row a frontier.

    The selection is that of `flopledger trend`, its options with _ for -; the columns are those of the view `trends`. Raises TypeError for
    another option, LookupError where too few models are left for a line.
    """
    import pandas as pd

    from pipeline.commands.selection import Selection
    from pipeline.commands.trend import lines_of
    from pipeline.publishing import database

    with database.reading() as connection:
        lines = lines_of(connection, Selection(from_year=from_year, **selection))
    return pd.DataFrame(lines).set_index("frontier")


@_names_missing_extra
def query(sql: str) -> pd.DataFrame:
    """The answer to one statement of SQL (DuckDB) on the published database, which can only be read; `show tables` lists tables and views.

    Raises duckdb.Error for a statement that is wrong or does more than read.
    """
    import pandas  # noqa: F401  # else DuckDB says that it lacks numpy

    from pipeline.publishing import database

    with database.reading() as connection:
        return connection.sql(sql).df()


class Citation(dict[str, Any]):
    """A citation's `text`, `bibtex`, `version`, `url` and more; `print` shows the first two as one pastes them."""

    def __repr__(self) -> str:
        return f"{self['text']}\n\n{self['bibtex']}"


@_names_missing_extra
def cite(name: str | None = None) -> Citation:
    """The citation of a model's number, or without a name of the ledger, with the keys of `flopledger cite --json`."""
    from pipeline.commands.cite import citation_of

    return Citation(citation_of(None if name is None else model(name)))
