"""Contract of `organization_parents`: one row an organization and one that it belonged to."""

from schemas import fields
from schemas.table import TableModel


class OrganizationParents(TableModel, grain=("organization_id", "parent_organization_id")):
    """One row an organization and one that it belonged to, from a day on."""

    organization_id: fields.organization_id
    parent_organization_id: fields.parent_organization_id
    since: fields.since | None
