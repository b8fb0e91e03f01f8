"""Tries 300 mutants of records, 300 of a catalogue and 300 of its rows where the tests try 40: `make hostile`."""

from itertools import product

import pytest

from tests.catalogues import test_hostile as tables
from tests.records import test_hostile as records


def main():
    records.MUTANTS = 75  # of four files
    tables.FILES, tables.TABLES = 300, 15
    tables.LONGEST_CELLS = list(product(tables.COLUMNS, tables.PIECES_OF_CELLS))
    raise SystemExit(pytest.main(["-k", "mutated or longest_cell", records.__file__, tables.__file__]))


if __name__ == "__main__":
    main()
