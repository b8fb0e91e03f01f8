"""What a violated contract raises; apart from the contracts, whose libraries take long to import."""


class ContractError(Exception):
    """Tables, parameters or a release that violate their contract; one line a problem.

    `rows` has the problem of each row of a table that violates it, by the values of the table's grain.
    """

    def __init__(self, message: str, rows: dict[tuple[str, ...], str] | None = None) -> None:
        super().__init__(message)
        self.rows = rows or {}
