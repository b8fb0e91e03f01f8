"""`python -m tests.measure.audit`, in an environment that has the counters."""

from tests.measure.audit.command import main

if __name__ == "__main__":
    main()
