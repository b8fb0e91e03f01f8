"""Quantities and rules of the ledger's tables are shown in words."""

from pipeline.site.report import words


def test_every_quantity_and_rule_of_the_tables_has_words(tables):
    assert {row["quantity"] for row in tables["defaults"]} == {*words.DEFAULTS}
    errors = tables["imputation_errors"]
    assert {row["quantity"] for row in errors} <= {*words.HIDDEN}
    for row in errors:
        assert row["rule"] in (words.HEADLINES if row["quantity"] == "training_flop" else words.RULES)
