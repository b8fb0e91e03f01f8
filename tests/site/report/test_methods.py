"""The page on methods."""

import duckdb
import yaml


def test_the_methods_page_says_what_records_and_queries_say(miniature_site, miniature):
    page = " ".join((miniature_site / "reports/methods.html").read_text().split())
    record = yaml.safe_load((miniature / "data/records/defaults/utilization.yaml").read_text())
    for each in record["values"]:
        assert f'<th scope="row">{each["applies_to"]}</th><td class="n">{each["value"]:g}</td>' in page
    with duckdb.connect(str(miniature / "data/published/ledger.duckdb"), read_only=True) as book:
        ((language, agreed),) = book.sql(
            "select count(*), avg(1 - is_disputed::int) from estimates where domain = 'vision' and method_ratio is not null"
        ).fetchall()
    assert f'<th scope="row">vision</th><td class="n">{language}</td><td class="n">{100 * agreed:.0f} %</td>' in page
