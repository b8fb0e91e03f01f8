"""One row an organization that trained a model, or that one belongs to."""

from schemas import columns
from schemas.contract import Contract


class Organizations(Contract, grain="organization_id"):
    organization_id = columns.organization_id()
    name = columns.name()
    aliases = columns.aliases(null=columns.NONE_KNOWN)
    country = columns.country(null=columns.NO_COUNTRY)
    organization_kind = columns.organization_kind(null=columns.RECORD_SAYS_NOTHING)
