"""Columns that hold a result are never read."""

from pipeline.catalogues.epoch.columns import READ


def test_every_column_of_a_result_is_hidden():
    read = {header for headers in READ.values() for header in headers}
    columns = [
        header
        for header in read
        if any(word in header.lower() for word in ("compute", "cost", "utilization", "rank", "frontier"))
    ]
    assert columns == ["Training compute notes"]  # of which only inputs are read
