"""What a violated contract raises; apart from the contracts, whose libraries take long to import."""


class ContractError(Exception):
    """Tables, parameters or a release that violate their contract; one line a problem.

    `rows` has the problem of each row of a table that violates it, by the values of the table's grain.
    """

    def __init__(self, message: str, rows: dict[tuple[str, ...], str] | None = None) -> None:
        super().__init__(message)
        self.rows = rows or {}


class InputError(ValueError):
    """Everything that is wrong with the figures of a model, a line each, which begins with the figure's name."""

    def __init__(self, problems: list[tuple[str, str]]) -> None:
        self.problems = problems
        super().__init__("\n".join(f"{name}: {what}" if name else what for name, what in problems))

    def as_options(self) -> str:
        """The same, with the figures named as options of the command line."""
        return "\n".join(f"--{name.replace('_', '-')}: {what}" if name else what for name, what in self.problems)
