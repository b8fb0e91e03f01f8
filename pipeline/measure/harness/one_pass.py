"""One forward and one backward pass in NVTX ranges, for a profiler. `python -m pipeline.measure.harness.one_pass`."""

import argparse

from pipeline.measure.harness.networks import networks, quick_networks
from pipeline.measure.harness.step import arithmetic, prepare


def main() -> None:
    """Runs a whole step first, so that what happens only once is outside the ranges."""
    import torch

    parser = argparse.ArgumentParser()
    for name in ("network", "precision", "device"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--batch", type=int, required=True)
    given = parser.parse_args()
    (subject,) = (network for network in (*networks(), *quick_networks()) if network.name == given.network)
    with arithmetic(given.precision):
        step = prepare(subject, given.batch, given.precision, "channels_first", "eager", given.device)
        step.whole()
        for name in ("forward", "backward"):
            torch.cuda.synchronize()
            torch.cuda.nvtx.range_push(name)
            getattr(step, name)()
            torch.cuda.synchronize()
            torch.cuda.nvtx.range_pop()


if __name__ == "__main__":
    main()
