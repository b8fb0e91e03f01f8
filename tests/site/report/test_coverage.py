"""What the coverage page counts."""

import duckdb

from pipeline.site.report import coverage, registry


def test_coverage_counts_what_a_query_counts(miniature):
    with duckdb.connect(str(miniature / "data/published/ledger.duckdb"), read_only=True) as book:
        tables = {name: book.table(name).to_arrow_table().to_pylist() for name in registry.arguments(coverage)}
        ((both,),) = book.sql("select count(*) from estimates where method_ratio is not null").fetchall()
        ((counted,),) = book.sql(
            "select count(distinct model_id) from runs where architecture_id is not null"
        ).fetchall()
    names = ("models", "runs", "allocations", "estimates", "external_estimates", "hardware", "measurements")
    counts = coverage.counts(**{name: tables[name] for name in names})
    assert counts["with both methods"] == both
    assert counts["with an architecture, counted layer by layer"] == counted
