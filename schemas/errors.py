"""Errors in contracts and figures, in a separate module because the libraries for contracts are slow to import."""


class ContractError(Exception):
    """Raised if tables, parameters or a release violate their contract. The message has one line per problem.

    `rows` maps each violating row of a table, identified by its grain values, to its problem.
    """

    def __init__(self, message: str, rows: dict[tuple[str, ...], str] | None = None) -> None:
        super().__init__(message)
        self.rows = rows or {}


class InputError(ValueError):
    """Raised with all mistakes in the figures stated for a model, one per line that begins with the figure's name."""

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        self.problems = problems
        super().__init__("\n".join(f"{name}: {what}" if name else what for name, what in problems))

    def as_options(self) -> str:
        """Return the message with figures named as command-line options."""
        return "\n".join(f"--{name.replace('_', '-')}: {what}" if name else what for name, what in self.problems)
