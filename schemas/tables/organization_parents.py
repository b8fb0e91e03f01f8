"""Contract of `organization_parents`: one row an organization and one that it belonged to."""

from schemas import columns
from schemas.contract import Contract


class OrganizationParents(Contract):
    """One row an organization and one that it belonged to, from a day on."""

    organization_id = columns.organization_id()
    parent_organization_id = columns.parent_organization_id()
    since = columns.since(null="From its beginning.")

    class Config:
        unique = ["organization_id", "parent_organization_id"]
