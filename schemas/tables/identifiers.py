"""One row an id that is or was in use; ids are permanent."""

from schemas import columns
from schemas.contract import Contract


class Identifiers(Contract, grain="record_kind record_id"):
    record_kind = columns.record_kind()
    record_id = columns.record_id()
    is_retired = columns.is_retired()
    replaced_by = columns.replaced_by(null="The id is in use, or has no replacement.")
    former_ids = columns.former_ids(null=columns.NONE_KNOWN)
