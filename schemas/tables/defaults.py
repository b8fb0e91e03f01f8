"""Contract of `defaults`: one row a default or standard deviation and the case that it applies to."""

from typing import Any

from schemas import columns
from schemas.contract import Contract
from schemas.errors import ContractError


class Defaults(Contract):
    """One row a default or standard deviation and the case that it applies to."""

    quantity = columns.quantity()
    applies_to = columns.applies_to()
    default_value = columns.default_value()
    log_sd = columns.log_sd(null="The default has no standard deviation of its own.")
    default_basis = columns.default_basis()
    record_id = columns.record_id()
    source = columns.source()
    evidence = columns.evidence()
    note = columns.note(null=columns.NONE_KNOWN)

    class Config:
        unique = ["quantity", "applies_to"]


def values(defaults: Any, quantity: str) -> dict[str, float]:
    """The values of one quantity by the case that they apply to; `defaults` is the table as a lazy frame."""
    return _by_case(defaults, quantity, "default_value")


def log_sds(defaults: Any, quantity: str) -> dict[str, float]:
    """The log standard deviations of one quantity by the case that they apply to; `defaults` is the table as a lazy frame."""
    return _by_case(defaults, quantity, "log_sd")


class _Cases(dict[str, float]):
    """Values by case; a case that no record states is a mistake in the records, not in the code."""

    def __init__(self, quantity: str, values: dict[str, float]) -> None:
        super().__init__(values)
        self.quantity = quantity

    def __missing__(self, case: str) -> float:
        raise ContractError(
            f"data/records/defaults: states no {self.quantity} for {case!r}; it states {', '.join(self) or 'none'}"
        )


def _by_case(defaults: Any, quantity: str, column: str) -> dict[str, float]:
    rows = defaults.collect("pyarrow").rows(named=True)
    known = {row["applies_to"]: row[column] for row in rows if row["quantity"] == quantity and row[column] is not None}
    return _Cases(quantity, known)
