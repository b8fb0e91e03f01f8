"""Contract of `places`: one row a place in a public repository and the words that were looked for there."""

from schemas import columns
from schemas.contract import Contract


class Places(Contract):
    """One row a place in a public repository and the words that were looked for there, letter by letter but for spaces, signs and LaTeX."""

    found_at = columns.found_at()
    text = columns.text()
    place_result = columns.place_result()
    checked_on = columns.checked_on()

    class Config:
        unique = ["found_at", "text"]
