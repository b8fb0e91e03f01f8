"""Rows of `organizations` and `organization_parents`, and the owners of a model's makers with their countries."""

from collections.abc import Iterable

from pipeline.models.sql import Row
from pipeline.rules.ingestion import cell_of, columns, value_of
from schemas.organizations import maker_names
from schemas.records import Organization, Records
from schemas.vocabulary import SEPARATOR


def organizations(records: Records) -> list[Row]:
    """Return one row per organization."""
    return [
        {
            "organization_id": identifier,
            **columns(organization, "name country", organization_kind="kind"),
            "aliases": cell_of(organization.aliases),
        }
        for identifier, organization in records.organizations.items()
    ]


def organization_parents(records: Records) -> list[Row]:
    """Return one row for each parent that an organization ever had."""
    return [
        {"organization_id": identifier, "parent_organization_id": parent.value, "since": parent.since}
        for identifier, organization in records.organizations.items()
        for parent in organization.parents
    ]


def owner_columns(
    organization: str,
    published: str,
    records: Records,
    spellings: dict[str, str],
    countries: dict[str, tuple[str, str | None]],
) -> Row:
    """Return the owners of a model's makers on the day of publication, and their countries; null if any is unknown.

    An organization without a record is its own owner. If only a year or month is known, use the last owner in that
    period. `spellings` is `Records.organization_ids`, and `countries` is `Records.countries`.
    """
    names = maker_names(organization, spellings)
    makers = [records.organizations.get(spellings.get(name.lower(), "")) for name in names]
    owners = [
        _owner(maker, published, records).name if maker else name for maker, name in zip(makers, names, strict=True)
    ]
    stated = [value_of(maker.country) if maker else None for maker in makers]
    known = [countries.get(country or "", (country, None)) for country in stated]
    return {
        "parent_organization": SEPARATOR.join(dict.fromkeys(owners)) or None,
        "country": _all_of(name for name, _ in known),
        "country_code": _all_of(code for _, code in known),
    }


def _all_of(words: Iterable[str | None]) -> str | None:
    """Return the different words, joined; None if there is none, or if one is unknown."""
    known = list(dict.fromkeys(words))
    return None if None in known else SEPARATOR.join(filter(None, known)) or None


def _owner(organization: Organization, published: str, records: Records) -> Organization:
    """Return an organization's ultimate parent on a day, or the organization itself if it has no parent."""
    parents_then = [parent for parent in organization.parents if _is_by(parent.since, published)]
    if not parents_then:
        return organization
    latest = max(parents_then, key=lambda parent: parent.since or "")
    return _owner(records.organizations[latest.value], published, records)


def _is_by(since: str | None, published: str) -> bool:
    # A year and a day in that year count as simultaneous, because we do not know which came first.
    return since is None or since[: len(published)] <= published[: len(since)]
