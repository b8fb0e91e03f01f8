"""The results of the package's functions: accounts and citations. Printed, they look like the commands' output."""

from typing import Any

from schemas.spelling import nearest


class Model(dict[str, Any]):
    """A model's account (schemas/account.py): columns of `estimates`, and inputs. FLOP are floats; None is unknown.

    `print(model("gpt-4"))` shows what `flopledger show` prints. Each value is also an attribute.
    """

    def __getattr__(self, name: str) -> Any:
        if name in self:
            return self[name]
        raise AttributeError(f"a model has no {name!r}{nearest(name, self)}")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self]

    def _lines(self) -> list[str]:
        from pipeline.answers import own_run_text

        account: Any = self
        return list(own_run_text.screen(account))

    def __repr__(self) -> str:
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        from html import escape

        from pipeline.answers.terminal import Heading, Strong

        lines = (
            f"<b>{escape(line)}</b>" if isinstance(line, Heading | Strong) else escape(line) for line in self._lines()
        )
        # By default, notebooks break lines of output within words.
        return '<pre style="white-space: pre-wrap; word-break: normal">' + "\n".join(lines) + "</pre>"

    def explain(self) -> str:
        """Return each formula with its numbers and each fact with the words that state it, as `flopledger explain`."""
        from pipeline.answers import own_run_text

        return "\n".join(own_run_text.explanation(self))

    @property
    def facts(self) -> list[dict[str, Any]]:
        """Return each fact behind the number: value, unit, evidence, source, place and the words that state it."""
        return [fact for facts in self["facts"].values() for fact in facts]

    def to_dict(self) -> dict[str, Any]:
        """Return the account as a plain dictionary, as in `flopledger show --json`."""
        return dict(self)


class Citation(dict[str, Any]):
    """A citation: `text`, `bibtex`, `version`, `url` and more. `print` shows the first two, ready to paste."""

    def __repr__(self) -> str:
        return f"{self['text']}\n\n{self['bibtex']}"
