"""Limits on the quantities of models, chips and runs in facts, in our tables and in other people's tables.

The limits are wide: they catch errors of many powers of ten, and keep products of a few quantities within the range of
a float.
"""

FIRST_YEAR, LAST_YEAR = 1940, 2040  # years of publication; peaks of unknown chips are extrapolated no further
LARGEST_FLOP = 1e32  # for a total or a count
LARGEST_STATED_FLOP = 1e30  # so that the interval around a stated figure stays below LARGEST_FLOP
LARGEST_PEAK_FLOP_PER_SECOND = 1e18  # per chip
WIDEST_RANGE = 1e7  # high / low; a wider range is useless, and the catalogue's widest is 2e6
LARGEST_EXAMPLES = 1e36  # seen in a phase, so that sums fit into 38 digits
LARGEST_LOG_SD = 10.0
LEAST_EPOCHS, MOST_EPOCHS = 1e-3, 1e7
LEAST_UTILIZATION = 1e-4  # share of a peak
MOST_PHASES = 100
MOST_ALLOCATIONS = 100  # per phase
LONGEST_NAME = 1_000  # characters; tables list all organizations of a collaboration
