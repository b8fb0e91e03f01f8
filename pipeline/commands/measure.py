"""`flopledger measure`: time networks on this machine."""

import typer


def measure(context: typer.Context) -> None:
    """Time networks on this machine, and write a measurement.

    The networks' operations are counted too. Needs torch and torchvision.
    """
    # argparse parses the options, because measuring machines lack typer and run `python -m pipeline.tools.measure`
    # instead.
    from pipeline.tools.measure import main

    raise typer.Exit(main(context.args))
