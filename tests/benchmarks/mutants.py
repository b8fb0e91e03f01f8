"""Tries 300 mutants of records, 300 of a catalogue and 300 of its rows where the tests try 40: `make hostile`."""

from itertools import product

import pytest

FILES = ("tests/records/test_hostile.py", "tests/catalogues/test_hostile.py")


class Many:
    """Has those tests try more."""

    def pytest_collection_modifyitems(self, items):
        records, tables = (next(item.module for item in items if item.nodeid.startswith(file)) for file in FILES)
        records.MUTANTS = 75  # of four files
        tables.FILES, tables.TABLES = 300, 15
        tables.LONGEST_CELLS = list(product(tables.COLUMNS, tables.PIECES_OF_CELLS))


if __name__ == "__main__":
    raise SystemExit(pytest.main(["-k", "mutated or longest_cell", *FILES], plugins=[Many()]))
