"""Rows for pages, and a parser of pages."""

import functools
import html.parser
from datetime import date
from pathlib import Path
from statistics import median

import duckdb

from pipeline.models import sql
from pipeline.records import params
from pipeline.site.ledger import Ledger
from pipeline.site.numbers import times
from pipeline.site.page import NOWHERE, environment
from pipeline.site.pages import reports
from schemas.params import Params
from tests.rule_files import empty_tables

NEAR = 2.0  # both thresholds of params.yaml
HOSTILE = "</svg><script>alert(1)</script>"
VOID = {"meta", "br", "hr", "col"}
templates = functools.cache(environment)  # compiled once


class Reader(html.parser.HTMLParser):
    """Checks that every tag is closed in order, and keeps the descriptions of figures."""

    def __init__(self):
        super().__init__()
        self.open, self.drawn, self.figures, self.captions = [], [], 0, 0

    def handle_starttag(self, tag, attrs):
        if tag not in VOID:
            self.open.append(tag)
        self.figures += tag == "figure"
        self.captions += tag == "figcaption"
        if ("role", "img") in attrs:
            self.drawn.append(dict(attrs)["aria-label"])

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, self.getpos()


def ledger(ratio=NEAR, **tables):
    """Return a ledger with these rows by table, in which this ratio is the threshold for near values and disputes."""
    chosen = params.load().model_dump()
    chosen["check"]["near_ratio"] = chosen["reconcile"]["dispute_ratio"] = ratio
    connection = duckdb.connect(config={"threads": 1})
    empty_tables(connection)
    for name, rows in tables.items():
        sql.insert(connection, name, rows)
    return Ledger(connection, Path("nowhere"), Params(**chosen))


empty_ledger = functools.cache(ledger)


def drawn(report, ratio=NEAR, release=None, **tables):
    """Return the content of a report for a ledger with these rows; `release` has values that are in no table."""
    source = ledger(ratio, **tables) if tables or ratio != NEAR else empty_ledger()
    values = reports.report_values(source) | (release or {})
    path = f"reports/{report}.html"
    page = templates(NOWHERE, "2026-01-01").get_template(path)
    shared = {"path": path, "root": "../", "table": source.rows, "near": times(ratio), "apart": times(ratio)}
    return main(page.render({**shared, **values}))


def main(page):
    """Return the content of a page, without head, navigation and footer."""
    return page[page.index("<main") : page.index("</main>") + len("</main>")]


def read(page):
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    return reader


def measured_row(name, utilization, network="dense_convolution", precision="fp32", source="bench", default=0.4):
    return {
        "measurement_id": source, "row": f"{name}-{precision}", "network": network, "hardware_id": "chip", "precision": precision, "chips": 1.0,
        "default_utilization_fraction": default, "measured_utilization_fraction": utilization, "time_ratio": utilization / default,
        "is_within_factor_two": is_near(utilization / default), "architecture_id": f"{source}/{name}", "architecture": name, "examples_per_second": 100.0 * utilization,
        "utilization_low_fraction": utilization / 2, "utilization_middle_fraction": utilization * 1.5, "utilization_high_fraction": utilization * 3,
        "generation": "volta",
    }  # fmt: skip


def is_near(ratio):
    return 1 / NEAR <= ratio <= NEAR


def cell_of(rows):
    utilizations = [row["measured_utilization_fraction"] for row in rows]
    return {
        **{key: rows[0][key] for key in ("network", "precision", "generation", "default_utilization_fraction")},
        "rows": len(rows), "sources_number": 1, "utilization_p10_fraction": min(utilizations), "utilization_p90_fraction": max(utilizations),
        "utilization_median_fraction": median(utilizations), "share_within_factor_two_fraction": 0.5,
    }  # fmt: skip


def tables(rows, text="words", values=(0.3, 0.4)):
    """Return the tables for the utilization page, with `text` wherever a record may have any text."""
    study = [
        {"measurement_id": "p100-study", "row": f"{row['architecture']}-64-{method}", "network": row["network"], "stated_utilization_fraction": 0.2}
        for row in rows for method in ("theory", "one", "batch", "epoch")
    ]  # fmt: skip
    paper = {"measurement_id": "paper", "row": "one", "about": text, "network": None, "hardware_id": None, "precision": None,
              "stated_utilization_fraction": 0.5, "utilization_kind": "hfu", "evidence": "quoted", "note": text}  # fmt: skip
    return {
        "checks": rows,
        "defaults": [{"quantity": "utilization", "applies_to": f"{value}", "default_value": value} for value in values],
        "hardware": [{"hardware_id": "chip", "name": text, "generation": "volta"}],
        "measurements": rows,
        "rejected_measurements": [
            {"measurement_id": text, "row": "one", "rejection_reason": "inference", "note": text}
        ],
        "reported_utilizations": [*study, paper],
        "utilization_backtests": rows,
        "utilization_cells": [cell_of(rows)],
    }


def estimate(name, ratio, **changed):
    both = {"operation_count_flop": 1e20 * ratio, "gpu_time_flop": 1e20} if ratio else {}
    return {
        "model_id": name[:40], "name": name, "published": "2020-05-01", "published_date": date(2020, 5, 1), "domain": "vision", "method_ratio": ratio, "dispute_cause": "too_fast", "evidence_class": "stated",
        "is_disputed": None if ratio is None else not is_near(ratio), "implied_utilization_fraction": 0.1, "hardware": name,
        "hardware_basis": "reported", "precision": "fp16", "precision_basis": "assumed", "operation_count_flop": 1e20, "gpu_time_flop": None,
        "training_flop": 1e20, "training_flop_low": 5e19, "training_flop_high": 2e20, "headline_method": "operation_count", **both, **changed,
    }  # fmt: skip


def hidden_row(quantity, rule, error, is_in_interval=True, year=2020):
    return {
        "quantity": quantity, "rule": rule, "model_id": f"m{error}", "published_year": year, "log_error": error, "is_in_interval": is_in_interval,
    }  # fmt: skip


def error_row(quantity, rule, number=10, share=0.9):
    return {
        "quantity": quantity, "rule": rule, "period": "all", "errors_number": number, "median_log_error": 0.1, "log_bias": -0.1,
        "error_log_sd": 0.2, "share_in_interval_fraction": share,
    }  # fmt: skip


def peak_row(source):
    return {
        "published_year": 2020, "applies_to": "fp32", "default_peak_flop_per_second": 1.34e13, "peak_basis": "default_year", "source": source,
        "own_mean_peak_flop_per_second": 1.57e13, "log_sd": 0.1, "models_number": 3, "common_hardware_id": source,
        "common_peak_flop_per_second": 1.57e13, "common_models_number": 2,
    }  # fmt: skip


def models_with(estimates, text="words"):
    """Return tables of models with these estimates, and sentences with this text."""
    ids = [row["model_id"] for row in estimates]
    return {
        "estimates": estimates,
        "models": [{"model_id": name} for name in ids],
        "sentences": [{"model_id": name, "dispute_sentence": text} for name in ids],
    }
