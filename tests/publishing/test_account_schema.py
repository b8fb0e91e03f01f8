"""Accounts of models and rows of Epoch's table fit the JSON schema, and pages have the command's JSON."""

import json

import pytest
from jsonschema import Draft202012Validator

from pipeline.base.paths import ROOT
from pipeline.base.text.json_text import as_json
from pipeline.publishing import account_schema, database
from pipeline.publishing.account import accounts, row_account
from pipeline.publishing.citation import citation
from pipeline.site.ledger import open_ledger
from tests.builders import typed


@pytest.fixture(scope="module")
def connection():
    with database.reading() as connection:
        yield connection


def mistakes(validator, account):
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(json.loads(as_json(account)))]


@pytest.fixture(scope="module")
def validator():
    return Draft202012Validator(account_schema.schema())


def test_every_fourth_model_has_a_valid_account(connection, validator):
    ids = [name for (name,) in connection.execute("select model_id from estimates order by 1").fetchall()][::4]
    every = list(accounts(connection, ids, citation("2026-11-21")))
    assert len(every) == len(ids) > 100
    assert {account["model_id"]: problems for account in every if (problems := mistakes(validator, account))} == {}


def test_a_hundred_rows_of_epochs_table_have_valid_accounts(connection, validator):
    sql = "select distinct name from catalogue_estimates where model_id is null order by 1 limit 100"
    names = [name for (name,) in connection.execute(sql).fetchall()]
    assert len(names) == 100
    assert {name: problems for name in names if (problems := mistakes(validator, row_account(connection, name)))} == {}


def test_the_schema_refuses_other_types_and_keys(connection, validator):
    (account,) = accounts(connection, ["gpt-3"], None)
    assert mistakes(validator, {**account, "aliases": "x"}) == ["$.aliases: 'x' is not of type 'array'"]
    assert mistakes(validator, {**account, "training_flop": "3e23"}) != []
    assert mistakes(validator, {**account, "more": 1}) != []


def test_a_page_has_the_same_json_as_the_command():
    with open_ledger(ROOT) as ledger:
        for name in ("gpt-4", "grok-3", "alphago-zero", "stylegan3-r", "gpt-4o", "flan-palm-540b"):
            shown = typed("show", name, "--json")
            assert (shown.returncode, shown.stderr) == (0, "")
            assert shown.stdout == f"{as_json(ledger.accounts[name])}\n"
