"""Errors of contracts and figures, in their own module because the contracts' libraries are slow to import."""


class ContractError(Exception):
    """Tables, parameters or a release that violate their contract. The message has one line per problem.

    `rows` has the problem of each violating row of a table, by the values of the table's grain.
    """

    def __init__(self, message: str, rows: dict[tuple[str, ...], str] | None = None) -> None:
        super().__init__(message)
        self.rows = rows or {}


class InputError(ValueError):
    """All mistakes in the figures of a model, one per line; each line begins with the figure's name."""

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        self.problems = problems
        super().__init__("\n".join(f"{name}: {what}" if name else what for name, what in problems))

    def as_options(self) -> str:
        """Return the message with figures named as command-line options."""
        return "\n".join(f"--{name.replace('_', '-')}: {what}" if name else what for name, what in self.problems)
