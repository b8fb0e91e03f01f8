"""The ids of an earlier release and of today's rows, in the same form."""

from pipeline.publishing import published_ids


def test_ids_of_a_release_and_of_rows_have_one_form(tmp_path):
    file = tmp_path / "identifiers.csv"
    file.write_text("record_kind,record_id,is_retired,replaced_by\nmodels,alexnet,false,\nmodels,twice,true,alexnet\n")
    rows = [
        {"record_kind": "models", "record_id": "alexnet", "is_retired": False, "replaced_by": None},
        {"record_kind": "models", "record_id": "twice", "is_retired": True, "replaced_by": "alexnet"},
    ]
    expected = [("models/alexnet", False), ("models/twice", True)]
    assert list(published_ids.of_release(tmp_path)) == published_ids.of_rows(rows) == expected


def test_before_the_first_release_there_are_none(tmp_path):
    assert list(published_ids.of_release(tmp_path)) == []
