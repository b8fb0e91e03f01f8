"""Who owned a model's makers on the day of its publication, and where they are, from records of organizations."""

import dataclasses

import pytest

from pipeline.rules.ingestion import models, organizations
from schemas.records import Model, Organization
from tests.builders import fact, miniature_defaults, subject

PAGE = {"sources": {"paper": {"title": "A page"}}}
ORGANIZATIONS = {
    "lab": {"name": "Lab", "aliases": ["The Lab"], "country": fact("France"), "parents": [fact("firm", since="2014-01-26"), fact("group", since="2020")], **PAGE},
    "firm": {"name": "Firm", "country": fact("Norway"), "kind": fact("industry"), "parents": [fact("holding", since="2016")], **PAGE},
    "holding": {"name": "Holding", **PAGE},
    "group": {"name": "Group", **PAGE},
    "unit": {"name": "Unit", "country": fact("France"), "parents": [fact("firm")], **PAGE},
    "school": {"name": "School", **PAGE},
}  # fmt: skip


def records_of(**model):
    return dataclasses.replace(
        miniature_defaults(),
        organizations={name: Organization.model_validate(each) for name, each in ORGANIZATIONS.items()},
        models={"subject": Model.model_validate(subject(**model))},
    )


def row_of(organization, published="2021-03-01"):
    (row,) = models.models(records_of(organization=organization, published=published))
    return row["parent_organization"], row["country"]


@pytest.mark.parametrize(
    ("published", "owner"),
    [
        ("2014-01-25", "Lab"),
        ("2014-01-26", "Firm"),
        ("2013", "Lab"),
        ("2014", "Firm"),  # at some time in the year of the purchase
        ("2016-05", "Holding"),  # the owner's own owner
        ("2021", "Group"),  # the later owner
    ],
)
def test_the_owner_is_that_of_the_day_of_publication(published, owner):
    assert row_of("Lab", published)[0] == owner


@pytest.mark.parametrize(
    ("organization", "owner", "country"),
    [
        ("Firm", "Holding", "Norway"),
        ("the lab", "Group", "France"),  # an alias, in any case
        ("Unit", "Holding", "France"),  # without a day, since it was founded
        ("Unit, Firm", "Holding", "France + Norway"),
        ("Lab and Unit", "Group + Holding", "France"),
        ("Lab, School", "Group + School", None),  # the school's country is not known
        ("Lab,Nobody", "Group + Nobody", None),  # an organization without a record is used as written
        ("Academy of Arts and Sciences and Lab", "Academy of Arts and Sciences + Group", None),
    ],
)
def test_several_organizations_are_joined(organization, owner, country):
    assert row_of(organization) == (owner, country)


def test_of_a_row_that_names_nobody_nothing_is_known():
    assert organizations.owner_columns("", "", records_of(), {}, {}) == {
        "parent_organization": None,
        "country": None,
        "country_code": None,
    }


def test_rows_of_organizations_and_their_parents():
    records = records_of()
    (lab,) = (row for row in organizations.organizations(records) if row["organization_id"] == "lab")
    assert lab == {
        "organization_id": "lab",
        "name": "Lab",
        "aliases": "The Lab",
        "country": "France",
        "organization_kind": None,
    }
    parents = [
        (row["organization_id"], row["parent_organization_id"], row["since"])
        for row in organizations.organization_parents(records)
    ]
    assert parents == [
        ("lab", "firm", "2014-01-26"),
        ("lab", "group", "2020"),
        ("firm", "holding", "2016"),
        ("unit", "firm", None),
    ]
