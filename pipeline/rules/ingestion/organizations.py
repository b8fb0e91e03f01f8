"""Rows of `organizations` and `organization_parents`, and what records of its organizations say of a model."""

from pipeline.models.sql import Row
from pipeline.rules.ingestion import joined
from schemas.organizations import named
from schemas.records import Organization, Records
from schemas.vocabulary import SEPARATOR


def organizations(records: Records) -> list[Row]:
    """One row an organization."""
    return [
        {
            "organization_id": identifier,
            "name": organization.name,
            "aliases": joined(organization.aliases),
            "country": organization.country.value if organization.country else None,
            "organization_kind": organization.kind.value.value if organization.kind else None,
        }
        for identifier, organization in records.organizations.items()
    ]


def organization_parents(records: Records) -> list[Row]:
    """One row an organization and one that it belonged to."""
    return [
        {"organization_id": identifier, "parent_organization_id": parent.value, "since": parent.since}
        for identifier, organization in records.organizations.items()
        for parent in organization.parents
    ]


def of_makers(organization: str, published: str, records: Records, spellings: dict[str, str]) -> Row:
    """Who owned the organizations of a model when it was published, and their countries; null where one is not known.

    An organization without a record stands as it is written; of a model without a day, the last owner counts.
    `spellings` are those of `Records.organization_ids`.
    """
    names = named(organization, spellings)
    makers = [records.organizations.get(spellings.get(name.lower(), "")) for name in names]
    owners = [
        _owner(maker, published, records).name if maker else name for maker, name in zip(makers, names, strict=True)
    ]
    countries = [maker.country.value if maker and maker.country else None for maker in makers]
    return {
        "parent_organization": SEPARATOR.join(dict.fromkeys(owners)) or None,
        "country": None if None in countries else SEPARATOR.join(dict.fromkeys(filter(None, countries))) or None,
    }


def _owner(organization: Organization, published: str, records: Records) -> Organization:
    """The last of the chain of parents on a day; the organization itself where it has none."""
    since = [parent for parent in organization.parents if _is_by(parent.since, published)]
    if not since:
        return organization
    latest = max(since, key=lambda parent: parent.since or "")
    return _owner(records.organizations[latest.value], published, records)


def _is_by(since: str | None, published: str) -> bool:
    # Of a year and a day in it, nobody knows which was first: they count as the same time.
    return since is None or since[: len(published)] <= published[: len(since)]
