"""One row a place in a public repository and the words that were looked for there, letter by letter but for spaces, signs and LaTeX."""

from schemas import columns
from schemas.contract import Contract


class Places(Contract, grain="found_at text"):
    found_at = columns.found_at()
    text = columns.text()
    place_result = columns.place_result()
    checked_on = columns.checked_on()
