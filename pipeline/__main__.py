"""Run a stage of dvc.yaml: `python -m pipeline STAGE`."""

import sys

from pipeline.stages import flow

if __name__ == "__main__":
    if sys.argv[1:] and sys.argv[1] in flow.STAGES:
        flow.main(sys.argv[1])
    else:
        sys.exit(f"usage: python -m pipeline {'|'.join(flow.STAGES)}")
