"""The statements that the site sends to a browser make the ledger's own estimates."""

import pytest

from pipeline.base.paths import ROOT
from pipeline.publishing.views import schema
from pipeline.site import rules
from pipeline.site.ledger import opened


@pytest.mark.usefixtures("published_database")
def test_the_statements_make_the_ledgers_estimates():
    with opened(ROOT) as ledger:
        data = rules.for_browser(ledger)
        cursor = ledger.connection.cursor()
        for name in [*data["of_models"], *data["others"]]:
            cursor.execute(f"create temp table {name} as from {schema(name)}.{name}")
        for statement in data["statements"]:
            cursor.execute(statement)
        columns = (
            "model_id, headline_method, evidence_class, cast(training_flop as float), cast(training_flop_low as float)"
        )
        worked_out = cursor.execute(
            f"select {columns} from temp.estimates where training_flop is not null order by model_id"
        ).fetchall()
        published = ledger.connection.execute(
            f"select {columns} from estimates where training_flop is not null order by model_id"
        ).fetchall()
    assert len(published) > 300
    for (*words, flop, low), (*stated_words, stated_flop, stated_low) in zip(worked_out, published, strict=True):
        assert words == stated_words
        assert (flop, low) == pytest.approx((stated_flop, stated_low), rel=1e-5), words
