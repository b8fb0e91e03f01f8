"""Facts in a record: a value or a range with its origin, in one of the units in schemas/units.py."""

from schemas.facts.evidence import *
from schemas.facts.quantities import *
