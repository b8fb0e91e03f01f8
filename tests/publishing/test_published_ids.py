"""Ids in an earlier release and in the current table have the same form."""

import duckdb

from pipeline.publishing import published_ids


def test_ids_in_a_release_and_in_the_table_have_the_same_form(tmp_path):
    file = tmp_path / "identifiers.csv"
    file.write_text("record_kind,record_id,is_retired,replaced_by\nmodels,alexnet,false,\nmodels,twice,true,alexnet\n")
    table = duckdb.sql(
        "select * from (values ('models', 'alexnet', false), ('models', 'twice', true)) t(record_kind, record_id, is_retired)"
    )
    expected = [("models/alexnet", False), ("models/twice", True)]
    assert published_ids.of_release(tmp_path) == published_ids.of_table(table) == expected


def test_there_are_no_ids_before_the_first_release(tmp_path):
    assert published_ids.of_release(tmp_path) == []
