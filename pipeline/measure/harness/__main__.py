"""`python -m pipeline.measure.harness`, for a machine that has torch and nothing else of the stack."""

from pipeline.measure.harness.command import main

if __name__ == "__main__":
    raise SystemExit(main())
