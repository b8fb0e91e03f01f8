"""Contract of `organizations`: one row an organization that trained a model, or that one belongs to."""

from schemas import fields
from schemas.table import TableModel


class Organizations(TableModel, grain=("organization_id",)):
    """One row an organization that trained a model, or that one belongs to."""

    organization_id: fields.organization_id
    name: fields.name
    aliases: fields.aliases | None
    country: fields.country | None
    organization_kind: fields.organization_kind | None
