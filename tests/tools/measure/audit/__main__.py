"""`python -m tests.tools.measure.audit`, in an environment that has the counters."""

from tests.tools.measure.audit.command import main

if __name__ == "__main__":
    main()
