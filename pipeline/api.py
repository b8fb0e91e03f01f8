"""FLOP Ledger in Python: the training compute of published machine-learning models, and estimates for your own models.

    model("gpt-4")                          # the answer; .explain(), .facts, .to_dict(), and values: .training_flop
    estimates()                             # all published estimates, a pandas data frame
    estimate(parameters="7B", tokens="2T")  # an estimate from a few figures, or from your own record
    forecast(parameters="7B", tokens="2T", chips=256, hardware="H100")  # the same for a plan that leaves out the days
    compare("gpt-3", "palm-540b")           # one row per model, a data frame
    match(["GPT-4", "Llama 3.1 405B"])      # the model that each name refers to, a data frame
    thresholds("gpt-4")                     # probabilities of 1e23, 1e25 and 1e26 FLOP
    utilization("llm", hardware="H100", precision="bf16", chips=256)  # the share of the peak to assume, and why
    trend(domain="language")                # how fast training compute grows, a data frame
    plot("compute.svg", domain="language")  # a chart of training compute over time
    query("select * from hardware")         # SQL on every table, a data frame
    count("resnet50", image_size=384)       # parameters and operations of a network
    dense_peak("NVIDIA H100 80GB HBM3")     # peaks of the device that torch, JAX or ROCm calls this
    cite("gpt-3")                           # the citation, as text and BibTeX
    validate("estimates", frame)            # the frame with its contract's types, or every mistake
    schema("estimates")                     # the contract as a pandera schema
    estimate_frames(runs, allocations, models)  # many models' tables, on DuckDB or Spark

The package is `flop_ledger` if installed, `pipeline` in a checkout. An error names the extra of a missing package.
"""

from __future__ import annotations

import functools
import os

# OpenBLAS reads this when numpy is first imported. On small matrices, its threads only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from collections.abc import Callable, Iterable, Mapping
from os import PathLike
from pathlib import Path
from types import FunctionType
from typing import TYPE_CHECKING, Any, Unpack, cast

from pipeline.answers.results import Citation, Model
from schemas.errors import ContractError, InputError
from schemas.figures import Figures

if TYPE_CHECKING:
    import pandas as pd
    from pandera.pandas import DataFrameSchema

    from pipeline.architectures.counting import CountError as CountError
    from pipeline.publishing.database import DatabaseError as DatabaseError
    from pipeline.records.loading import RecordError as RecordError

    __version__: str

__all__ = [
    "Citation", "ContractError", "InputError", "Model", "cite", "compare", "count", "dense_peak", "estimate",
    "estimate_frames", "estimates", "forecast", "match", "model", "plot", "query", "schema", "thresholds", "trend",
    "utilization", "validate",
]  # fmt: skip


if not TYPE_CHECKING:
    _ERRORS = {
        "CountError": "architectures.counting",
        "DatabaseError": "publishing.database",
        "RecordError": "records.loading",
    }

    def __dir__() -> list[str]:
        """Return the public names, so that completion does not offer the module's imports."""
        return [*__all__, *_ERRORS, "__version__"]

    def __getattr__(name: str) -> Any:
        """Return the version, or an error class, whose module is slow to import."""
        from importlib import import_module, metadata

        if name == "__version__":
            return metadata.version("flop-ledger")
        if name in _ERRORS:
            return getattr(import_module(f"{Model.__module__.partition('.answers')[0]}.{_ERRORS[name]}"), name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _names_missing_extra(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wrap the function, so that its error for a missing package names the extra to install."""

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except ModuleNotFoundError as problem:
            from pipeline.answers.problems import missing_package

            raise ModuleNotFoundError(missing_package(problem) or str(problem), name=problem.name) from None

    return wrapper


def model(name: str) -> Model:
    """Return the account of a model, given its id, name, alias or name in Epoch's table.

    Raises LookupError with the nearest names if the name matches no model or several, and DatabaseError if nothing is
    published.
    """
    from pipeline.answers import ledger
    from pipeline.publishing import database

    with database.reading() as connection:
        return Model(ledger.account_in(connection, name))


def estimates(tier: str = "record") -> pd.DataFrame:
    """Return the published estimates, one row per model, as in data/published/estimates.parquet.

    `tier="catalogue"` returns the rows of Epoch's table, as in catalogue_estimates.parquet. `tier="all"` returns the
    records, plus the rows of that table whose models have no record, with the column `tier`, as in `all_estimates`.

    FLOP counts are floats, with a multiply-add counted as two. A column's name ends in its unit (`training_flop`). A
    missing value is unknown, never zero. `estimates().attrs["descriptions"]` explains each column. Raises
    FileNotFoundError if nothing is published (run `make repro`), and ValueError for an unknown tier.
    """
    from pipeline.publishing import frames

    return frames.tier_rows(tier)


def estimate(
    record: Mapping[str, Any] | str | PathLike[str] | None = None,
    identifier: str = "my-model",
    **figures: Unpack[Figures],
) -> Model:
    """Return an estimate from a record (the path of a YAML file, or a mapping named `identifier`) or a few figures.

    The path may also be the folder, a file or a log of a training run, as for `flopledger estimate`; figures may
    complete or replace its own.

    It takes the figures of `flopledger estimate` and gives the same answer. An amount is a number, text such as "7B",
    or a range such as "5..6" or (5, 6). We treat your figures as exact.

    The result has the keys of `flopledger estimate --json`: `training_flop`, `training_flop_low` and
    `training_flop_high` (90 %), `operation_count_flop` and `gpu_time_flop`, in FLOP (None means unknown), `mfu`, and a
    forecast of the figure that a plan leaves out.

    Raises DatabaseError, RecordError with one line per mistake in the record, and InputError (a ValueError).
    """
    from pipeline.answers import ledger, own_run
    from pipeline.records import run_files
    from schemas.figures import stated_figures

    path = None if isinstance(record, Mapping | None) else Path(record)
    is_of_run = path is not None and run_files.is_of_run(str(record))
    if not is_of_run and (record is None) == (not figures):
        raise TypeError("estimate takes a record or figures, such as parameters='7B', and not both")
    with ledger.own_connection() as connection:
        if record is None or is_of_run:
            return Model(own_run.run(connection, stated_figures(figures), identifier, path))
        if path:
            return Model(own_run.record_account(connection, path, path.stem))
        return Model(own_run.record_account(connection, cast("Mapping[str, Any]", record), identifier))


def forecast(**figures: Unpack[Figures]) -> Model:
    """Return an estimate for a plan, with a forecast of the figure that the plan leaves out.

    State all but one of parameters, tokens (or images), chips and days. `left_out` names the missing one, which is
    forecast together with `chip_hours`, `utilization`, `energy_kwh`, `cost_usd` and `co2_kg`, each with `_low` and
    `_high`. Raises DatabaseError, and InputError if no figure or more than one is left out.
    """
    plan = estimate(None, **figures)
    if "left_out" not in plan:
        raise InputError([("", "state all but one of parameters, tokens, chips and days, and hardware")])
    return plan


def estimate_frames(
    runs: Any, allocations: Any, models: Any, *, lineages: Any = None, contributions: Any = None,
    operation_counts: Any = None, utilizations: Any = None, hardware: Any = None, peaks: Any = None,
    year_peaks: Any = None, defaults: Any = None,
) -> Mapping[str, Any]:  # fmt: skip
    """Return estimates of many models, by the engine of their tables: DuckDB (relations) or Spark (data frames).

    Each argument is the table of that name in data/README.md. A nullable column may be left out; its values are then
    unknown in every row. Without `lineages`, no total includes base models. Without `contributions`, contributions
    beyond training are unknown. Without `operation_counts`, operations are derived from parameters or a stated number.
    If `utilizations` is left out, utilization is predicted from the ledger's measurements; if `hardware`, `peaks`,
    `year_peaks` or `defaults` is left out, the ledger's table is used. The parameters are always the ledger's.

    The result maps names to tables: `estimates` (FLOP, one row per model) and the tables behind it (`completed_runs` to
    `dispute_causes`). They are of the same kind as the arguments, unsorted, and computed during the call. On DuckDB
    they are temporary tables in a cursor of the connection, whose memory limit and folder for spilled rows apply. None
    of the connection's own tables is hidden or changed, and the connection may be read-only.

    We check names, types, keys, nulls and that no number is infinite or NaN, but not the values of text columns. A chip
    or network missing from its table yields no estimate. A figure without an evidence class (`examples_class`,
    `steps_class`, `chip_seconds_class`) is the caller's own and exact, as in `estimate`, and the method behind a
    `reported_flop` without `reported_method` is unknown.

    Raises ContractError, with one line per mistake, or if the ledger's tables are needed but do not exist. On Spark,
    mistakes in rows are reported in Spark's own error.
    """
    tables = {name: table for name, table in locals().items() if table is not None}
    from pipeline.engines import relations

    if relations.is_of_spark(models):
        from pipeline.engines import spark

        return spark.estimate(tables)
    return relations.estimate(tables)


def count(
    config_or_name: str | PathLike[str],
    *,
    sequence_length: int | None = None,
    target_length: int | None = None,
    image_size: int | str | None = None,
    prediction_depth: int | None = None,
    batch: int = 1,
) -> dict[str, Any]:
    """Count the parameters and operations of a config.json, a network in YAML or a named network, layer by layer.

    `forward_flop` and `backward_flop` are whole numbers of FLOP (a multiply-add is two) for `batch` examples: sequences
    of `sequence_length` tokens (mel frames for Whisper, whose decoder takes `target_length`), or square images with
    sides of `image_size` pixels (832x480 or, for a video, 832x480x81). `prediction_depth` is the number of modules that
    predict further tokens. `by_kind` has the counts by kind of layer, `counted_for` the lengths used, and `not_counted`
    what was left out.

    Raises CountError (a ValueError), with one line, if the network cannot be counted.
    """
    import json

    from pipeline.architectures import counting
    from pipeline.architectures.network import Lengths

    counted = counting.count(
        str(config_or_name), Lengths(sequence_length, target_length), image_size, batch, prediction_depth
    )
    return json.loads(counting.as_json(counted))  # type: ignore[no-any-return]


def dense_peak(name: str, precision: str | None = None) -> dict[str, Any] | None:
    """Return the dense peaks, in FLOP/s, of the device that torch, JAX, ROCm or MLPerf calls this; None if unknown.

    `pipeline.publishing.dense_peaks.dense_peak` describes the result. Raises DatabaseError if nothing is published.
    """
    from pipeline.publishing import database, dense_peaks
    from pipeline.publishing.peak_table import peak_table

    with database.reading() as connection:
        return dense_peaks.dense_peak(name, precision, peak_table(connection))


def compare(*models: str | Iterable[str]) -> pd.DataFrame:
    """Compare models side by side: one row per model, and one column per quantity that at least one of them has.

    Give the models as arguments or as a list. Raises LookupError like `model`.
    """
    import pandas as pd

    from pipeline.commands.compare import side_by_side

    accounts: Any = [model(name) for group in models for name in ([group] if isinstance(group, str) else group)]
    names, lines = side_by_side(accounts)
    # One row per model, unlike on a terminal: pandas would show 24 digits in a column that mixes numbers and words.
    table = pd.DataFrame(lines, columns=names).set_index(names[0]).T
    return table.rename_axis("model_id").rename_axis(None, axis=1).infer_objects()


def match(names: Iterable[str]) -> pd.DataFrame:
    """Return one row per name, with its `model_id`, `tier`, `training_flop`, its lower bound and a `remark`.

    If a name matches no model or several, its row contains only the remark, which names the nearest models.
    """
    import pandas as pd

    from pipeline.lookup.names import match_rows
    from pipeline.publishing import database

    if isinstance(names, str):
        raise TypeError(f"match takes a list of names; model({names!r}) takes one")
    with database.reading() as connection:
        columns = ["name", "model_id", "tier", "training_flop", "training_flop_at_least", "remark"]
        return pd.DataFrame(match_rows(names, connection), columns=columns)


def thresholds(name: str) -> dict[str, Any]:
    """Return the probability that a model exceeds each regulatory threshold, as `flopledger thresholds --json` does."""
    from pipeline.commands.thresholds import answer

    return answer(model(name))


def utilization(family: str = "llm", **figures: Unpack[Figures]) -> dict[str, Any]:
    """Return the share of the peak that a run may reach, as `flopledger utilization --json` does; use `taken`.

    State `hardware`, `precision` and, for more than one chip, `chips`. Raises LookupError and InputError.
    """
    from pipeline.commands.utilization import answer
    from pipeline.publishing import database
    from schemas.figures import stated_figures

    with database.reading() as connection:
        return answer(family, stated_figures(figures), connection)


def plot(
    out: str | PathLike[str] = "compute.png", *, highlight: Iterable[str] = (), trend: bool = True,
    title: str | None = None, from_year: int = 2010, **selection: Any,
) -> Path:  # fmt: skip
    """Draw training compute over time into a .png, .svg or .html file, like `flopledger plot`, and return its path.

    `selection` takes the options of `flopledger plot` that select models, with _ in place of -. Raises ValueError if
    the chart cannot be drawn, and LookupError for an unknown name.
    """
    from pipeline.answers.selection import selection_of
    from pipeline.commands.plot import draw
    from pipeline.publishing import database

    with database.reading() as connection:
        draw(connection, selection_of(from_year=from_year, **selection), Path(out), highlight, title, with_trend=trend)
    return Path(out)


def trend(from_year: int = 2010, **selection: Any) -> pd.DataFrame:
    """Return how fast training compute grows with publication date: one row for all models, and one per frontier.

    `selection` takes the options of `flopledger trend` that select models, with _ in place of -. The result has the
    columns of the view `trends`. Raises TypeError for an unknown option, and LookupError if too few models are left.
    """
    import pandas as pd

    from pipeline.answers.selection import selection_of
    from pipeline.commands.trend import lines_of
    from pipeline.publishing import database

    with database.reading() as connection:
        lines = lines_of(connection, selection_of(from_year=from_year, **selection))
    return pd.DataFrame(lines).set_index("frontier")


def query(sql: str) -> pd.DataFrame:
    """Return the answer to one SQL statement (DuckDB) on the published database, read-only; `show tables` lists tables.

    The tables behind these are in the schema `work`, as in `from work.runs`. Raises duckdb.Error if the statement is
    invalid or does more than read.
    """
    import pandas  # noqa: F401  # otherwise DuckDB reports that numpy is missing

    from pipeline.publishing import database

    with database.reading() as connection:
        connection.execute("use main")
        return connection.sql(sql).df()


def validate(table: str, frame: pd.DataFrame) -> pd.DataFrame:
    """Return the frame with the types of this table's contract.

    The frame may come from `read_parquet`, `read_csv` or DuckDB's `.df()`. data/README.md lists the tables. Raises
    LookupError for an unknown table, TypeError for no pandas frame, and ContractError with one line per mistake.
    """
    import pandas as pd

    from schemas import contracts

    if not isinstance(frame, pd.DataFrame):
        raise TypeError(f"validate takes a pandas data frame, not {type(frame).__module__}.{type(frame).__name__}")
    judged = contracts.table_of_frame(table, frame)
    contracts.check(table, judged, most=len(frame) * len(frame.columns))
    return judged.to_pandas(types_mapper=pd.ArrowDtype)


def schema(table: str) -> DataFrameSchema:
    """Return this table's contract as a pandera schema: types, bounds, vocabulary, key and descriptions of its columns.

    `.validate(frame)` converts frames from parquet, CSV or DuckDB; `.to_yaml()` saves it. data/README.md lists the
    tables. Raises LookupError for an unknown table.
    """
    from schemas import contracts

    return contracts.schema(table)


def cite(name: str | None = None) -> Citation:
    """Return the citation for a model's number or, without a name, for the ledger, as `flopledger cite --json` does."""
    from pipeline.commands.cite import citation_of

    return Citation(citation_of(None if name is None else model(name)))


for _name in __all__:
    if isinstance(globals()[_name], FunctionType):
        globals()[_name] = _names_missing_extra(globals()[_name])
