"""One row an organization and one that it belonged to, from a day on."""

from schemas import columns
from schemas.contract import Contract


class OrganizationParents(Contract, grain="organization_id parent_organization_id"):
    organization_id = columns.organization_id()
    parent_organization_id = columns.parent_organization_id()
    since = columns.since(null="From its beginning.")
