"""A page and a JSON file for each model: the headline as a picture, both methods with every factor, and the words behind them."""

import json
import math
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from pipeline.publishing import headline_text
from pipeline.publishing.guidelines import modification, of_base
from pipeline.site import axes, numbers
from pipeline.site.columns import COLUMNS, shown
from pipeline.site.ledger import Ledger, Row
from pipeline.site.page import Site
from schemas.units import DAY_SECONDS, HOUR_SECONDS
from schemas.vocabulary import (
    GPU_TIME_REASONS,
    OUTCOMES,
    THRESHOLDS,
    GpuTimeReason,
    Outcome,
)

LONGEST_VALUE = 160  # characters of a fact, such as a list of layers
WORDS_AT_AN_END = 5  # of a quotation, by which a browser finds it
AS_FILES = (".pdf", ".tex", ".txt", ".json", ".py", ".md", ".yaml")
NOT_THE_TEXT = ("arxiv.org/abs", "github.com", "doi.org")  # pages that do not hold the words
TABLES = (  # of a model, by its id, that its JSON holds as they are published
    "estimates", "reconciliations", "sentences", "runs", "completed_runs", "allocations", "completed_allocations", "operation_estimates",
    "gpu_time_estimates", "utilizations", "dispute_causes", "external_estimates", "errata", "missing_facts", "energy_estimates", "contributions",
)  # fmt: skip
OF_RECORDS = ("facts", "fact_quotes", "sources")


def write(site: Site, ledger: Ledger) -> None:
    """Writes models/<id>.html and models/<id>.json for every model, and models/index.json."""
    formats = sorted({row["precision"] for row in ledger.rows("peaks")})
    for row in ledger.models:
        shown = {
            **shown_of(row, ledger),
            "supposing": supposing(row, ledger),
            "formats": formats,
            "has_database": site.has_database,
        }
        site.page(f"models/{row['model_id']}.html", "model.html", **shown)
        site.text(f"models/{row['model_id']}.json", as_json(row["model_id"], ledger, site))
    index = [{"model_id": row["model_id"], "name": row["name"], "training_flop": row["training_flop"], "path": f"models/{row['model_id']}.json"} for row in ledger.models]  # fmt: skip
    site.text("index.json", json.dumps({"version": site.version, "models": index}, indent=1, ensure_ascii=False) + "\n")


def as_json(identifier: str, ledger: Ledger, site: Site) -> str:
    """All that is published of a model, by table, with the columns and digits of the database."""
    tables = {name: rows for name in TABLES if (rows := ledger.of(name, "model_id", identifier))}
    tables |= {name: _of_record(name, identifier, ledger) for name in OF_RECORDS}
    return (
        json.dumps(
            {
                "model_id": identifier,
                "version": site.version,
                "licence": "CC-BY-4.0",
                "unit_of_flop": "1 (a multiply-add is 2)",
                **tables,
            },
            indent=1,
            ensure_ascii=False,
            default=str,
        )
        + "\n"
    )  # fmt: skip


def _of_record(table: str, identifier: str, ledger: Ledger) -> list[Row]:
    return [row for row in ledger.of(table, "record_id", identifier) if row["record_kind"] == "models"]


def shown_of(row: Row, ledger: Ledger) -> dict[str, Any]:
    """What the template of a model's page shows."""
    identifier = row["model_id"]
    parts = [part["part_id"] for part in ledger.of("lineages", "model_id", identifier)]
    parts.sort(key=lambda part: (part != identifier, part))
    reconciled = [own for part in parts for own in ledger.of("reconciliations", "model_id", part)]
    (sentences,) = ledger.of("sentences", "model_id", identifier)
    axis, lines = picture(row, ledger)
    columns = [column for column in COLUMNS if column.is_at_a_glance and row.get(column.name) is not None]
    return {
        "row": row,
        "parts": parts,
        "names": ledger.names_of_models,
        "axis": axis,
        "lines": lines,
        "picture_words": _words(lines),
        **sentences,
        "reasons": list(headline_text.lines(reconciled, None, row["training_flop"]))[1:],
        "counted": [_counted(part, ledger) for part in parts],
        "timed": [_timed(part, ledger) for part in parts],
        "gpu_time_reason": _gpu_time_reason(reconciled),
        "unused_report": headline_text.unused_report(reconciled),
        "energy": [_energy(each, ledger) for part in parts for each in ledger.of("energy_estimates", "model_id", part) if each["energy_kwh"] is not None],
        "external": [_external(each, row, ledger) for each in ledger.of("external_estimates", "model_id", identifier)],
        "errata": ledger.of("errata", "model_id", identifier),
        "missing": ledger.of("missing_facts", "model_id", identifier),
        "contributions": ledger.of("contributions", "model_id", identifier),
        "facts": list(facts(identifier, ledger)),
        "sources": _of_record("sources", identifier, ledger),
        "glance": [(column.label, shown(column, row)) for column in columns],
        "modified": of_base(row),
        "origin": _origin(identifier, ledger),
        "limits": [(each, row.get(each.column)) for each in THRESHOLDS],
        **modification(row),
        "tuned_from_it": [each["model_id"] for each in ledger.models if each.get("base_model") == identifier],
    }  # fmt: skip


def _origin(identifier: str, ledger: Ledger) -> str | None:
    kinds = {row["source"]: row["source_kind"] for row in _of_record("sources", identifier, ledger)}
    facts = _of_record("facts", identifier, ledger)
    return headline_text.origin((row["path"], kinds[row["source"]]) for row in facts if kinds.get(row["source"]))


def picture(row: Row, ledger: Ledger) -> tuple[axes.Axis | None, list[Row]]:
    """The axis and the lines of the picture: the headline with its interval, each method, what the authors and others state."""
    others = [
        (_whose(each, row["model_id"], ledger), each["stated_flop"])
        for each in ledger.of("external_estimates", "model_id", row["model_id"])
    ]
    lines = [
        ("headline", row["training_flop"], row["training_flop_low"], row["training_flop_high"]),
        ("by counting operations", row["operation_count_flop"], None, None),
        ("by GPU time, default utilization", row["gpu_time_flop"], None, None),
        ("by GPU time, best known utilization", row["gpu_time_informed_flop"], None, None),
        ("reported by the authors", row["reported_flop"], None, None),
        *((name, value, None, None) for name, value in others),
    ]  # fmt: skip
    known = [line for line in lines if line[1] is not None]
    if not known:
        return None, []
    axis = axes.axis([value for line in known for value in line[1:] if value is not None])
    return axis, [
        {"label": label, "value": middle, "spot": axis.spot(middle, low, high), "is_main": label == "headline"}
        for label, middle, low, high in known
    ]


def _words(lines: Iterable[Row]) -> str:
    return "; ".join(f"{line['label']}: {numbers.power(line['value'])} FLOP" for line in lines)


def _whose(each: Row, identifier: str, ledger: Ledger) -> str:
    source = _source(each["source"], identifier, ledger)
    return (source["title"] if source else None) or each["source"]


def _source(key: str | None, identifier: str, ledger: Ledger) -> Row | None:
    return next((each for each in _of_record("sources", identifier, ledger) if each["source"] == key), None)


def _counted(part: str, ledger: Ledger) -> dict[str, Any]:
    phases = []
    for row in ledger.of("operation_estimates", "model_id", part):
        run = next(own for own in ledger.of("completed_runs", "model_id", part) if own["phase"] == row["phase"])
        stated = next(own for own in ledger.of("runs", "model_id", part) if own["phase"] == row["phase"])
        count = next(iter(ledger.of("operation_counts", "architecture_id", run["architecture_id"])), None)
        phases.append({**row, "run": run, "stated": stated, "count": count, "unit": numbers_of(stated["example_unit"])})
    own = next(iter(ledger.of("reconciliations", "model_id", part)), None)
    return {"part": part, "phases": phases, "total": own["operation_count_flop"] if own else None}


def numbers_of(unit: str | None) -> str:
    """An example unit in the plural, in words.

    >>> numbers_of("second_of_audio"), numbers_of(None)
    ('seconds of audio', 'examples')
    """
    first, *rest = (unit or "example").replace("_", " ").split(" of ")
    return " of ".join([f"{first}s", *rest])


def _timed(part: str, ledger: Ledger) -> dict[str, Any]:
    chips = {row["hardware_id"]: row for row in ledger.rows("hardware")}
    allocations = []
    for row in ledger.of("gpu_time_estimates", "model_id", part):
        place = (row["phase"], row["allocation"])
        filled, stated = (
            next(own for own in ledger.of(table, "model_id", part) if (own["phase"], own["allocation"]) == place)
            for table in ("completed_allocations", "allocations")
        )
        is_known = row["chip_peak_flop"] is not None and bool(filled["chip_seconds"])
        allocations.append(
            {
                **row,
                "filled": filled,
                "stated": stated,
                "chip": chips.get(filled["hardware_id"]),
                "chip_days": None if filled["chip_seconds"] is None else filled["chip_seconds"] / DAY_SECONDS,
                "peak": row["chip_peak_flop"] / filled["chip_seconds"] if is_known else None,
            }
        )
    own = next(iter(ledger.of("reconciliations", "model_id", part)), None)
    return {"part": part, "allocations": allocations, "total": own["gpu_time_flop"] if own else None,
            "informed": own["gpu_time_informed_flop"] if own else None}  # fmt: skip


def _energy(row: Row, ledger: Ledger) -> Row:
    key = (row["phase"], row["allocation"])
    filled = next(
        each
        for each in ledger.of("completed_allocations", "model_id", row["model_id"])
        if (each["phase"], each["allocation"]) == key
    )
    chip = next(iter(ledger.of("hardware", "hardware_id", filled["hardware_id"])), None)
    return {**row, "chip": chip, "chip_hours": row["chip_seconds"] / HOUR_SECONDS}


def _gpu_time_reason(reconciled: list[Row]) -> str | None:
    own = reconciled[0] if reconciled else None
    if own is None or own["gpu_time_used_reason"] is None:
        return None
    return GPU_TIME_REASONS[GpuTimeReason(own["gpu_time_used_reason"])]


def supposing(row: Row, ledger: Ledger) -> Row | None:
    """What a reader may suppose otherwise of the model's own training, and where it stands; None where there is nothing."""
    runs = [run for run in ledger.of("runs", "model_id", row["model_id"]) if run["examples"] is not None]
    epochs = {run["epochs"] for run in runs if run["epochs"] is not None}
    passes = epochs.pop() if len(epochs) == 1 and row["operation_count_flop"] is not None else None
    seconds = [own["chip_seconds"] for own in ledger.of("completed_allocations", "model_id", row["model_id"])]
    is_timed = row["gpu_time_flop"] is not None and bool(seconds) and None not in seconds
    if passes is None and not is_timed:
        return None
    return {
        "passes": passes,
        "passes_low": passes and passes / 8,
        "passes_high": passes and passes * 8,
        "utilization": row["utilization_fraction"] if is_timed else None,
        "hours": math.fsum(seconds) / HOUR_SECONDS if is_timed else None,
    }


def _external(each: Row, row: Row, ledger: Ledger) -> Row:
    source = _source(each["source"], row["model_id"], ledger)
    return {
        **each,
        "from": source or {"source": each["source"], "title": None, "url": None},
        "verdict": None if row["training_flop"] is None else OUTCOMES[Outcome(each["outcome"])],
        "link": words_address(source, each["text"], None),
    }


def facts(identifier: str, ledger: Ledger) -> Iterator[Row]:
    """Every fact of the record with its quotes, each with an address that finds the words where the source is a web page."""
    quotes: dict[str, list[Row]] = {}
    for row in _of_record("fact_quotes", identifier, ledger):
        quotes.setdefault(row["path"], []).append(row)
    sources = {row["source"]: row for row in _of_record("sources", identifier, ledger)}
    for fact in _of_record("facts", identifier, ledger):
        source = sources.get(fact["source"])
        yield {
            **fact,
            "value": fact["written"] if len(fact["written"]) <= LONGEST_VALUE else f"{fact['written'][:LONGEST_VALUE]} …",
            "quotes": [
                {**each, "from": sources.get(each["source"]), "link": words_address(sources.get(each["source"]), each["text"], each["found_at"])}
                for each in quotes.get(fact["path"], [])
            ],
            "from": source,
        }  # fmt: skip


def words_address(source: Row | None, text: str | None, found_at: str | None) -> str | None:
    """Address of the source, and in a web page of the words themselves.

    >>> words_address({"url": "https://a.org/b"}, "one two", None)
    'https://a.org/b#:~:text=one%20two'
    >>> words_address({"url": "https://arxiv.org/abs/1"}, "one two", "github-copy:1")
    'https://arxiv.org/abs/1'
    """
    copy = found_at if found_at and found_at.startswith(("https://", "http://")) else None
    address = copy or (source or {}).get("url")
    if not address or not address.startswith(("https://", "http://")):
        return None
    is_text = not address.lower().endswith(AS_FILES) and not any(part in address for part in NOT_THE_TEXT)
    if not text or not is_text or "#" in address or copy is None and found_at is not None:
        return address
    words = text.split()
    ends = [text] if len(words) <= 2 * WORDS_AT_AN_END else [" ".join(words[:WORDS_AT_AN_END]), " ".join(words[-WORDS_AT_AN_END:])]  # fmt: skip
    return f"{address}#:~:text={','.join(quote(end, safe='').replace('-', '%2D') for end in ends)}"
