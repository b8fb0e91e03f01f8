"""`flopledger count`: a network's parameters and operations, from its architecture."""

from dataclasses import replace
from typing import Annotated

import typer

from pipeline.answers import networks, output
from pipeline.answers.options import Json
from pipeline.answers.problems import reported


def count(
    what: Annotated[
        str | None,
        typer.Argument(
            help="A config.json, its folder, a record or layers in YAML, a model's id on the Hub, a network such as"
            " resnet50, or torch:MODULE:FUNCTION, which runs that code."
        ),
    ] = None,
    sequence_length: Annotated[
        int | None, typer.Option(min=1, max=10**9, help="Tokens per sequence; mel frames for Whisper.")
    ] = None,
    target_length: Annotated[
        int | None, typer.Option(min=1, max=10**9, help="Tokens per decoder sequence, if there is a decoder.")
    ] = None,
    image_size: Annotated[
        str | None, typer.Option(help="Side of square images in pixels; or 832x480; or 832x480x81 for a video.")
    ] = None,
    prediction_depth: Annotated[
        int | None, typer.Option(min=0, max=100, help="Modules that predict further tokens (MTP), in training.")
    ] = None,
    batch: Annotated[int, typer.Option(min=1, max=10**9, help="Examples per training step.")] = 1,
    list_: Annotated[bool, typer.Option("--list", help="List the known networks and config.json types.")] = False,
    json: Json = False,
) -> None:
    """Count a network's parameters and operations.

    The forward and backward passes are counted from the architecture, so neither a framework nor weights are needed.
    Counts are whole numbers. Without --sequence-length, we assume the config's original length, or if it has none, its
    longest, but at most 8,192. The answer lists the assumptions, the values used for absent keys (the defaults of the
    Hugging Face class) and the operations not counted, and compares the parameters with a safetensors index next to the
    file. A YAML file contains a record, its architecture, or an input and layers. For a model on the Hub, only
    config.json is downloaded; HF_ENDPOINT names a mirror.
    """
    from pipeline.architectures import counting
    from pipeline.architectures.network import Lengths

    if list_:
        output.tell(counting.countable_networks())
        return
    if what is None:
        raise typer.BadParameter("state a config.json, the id of a model or the name of a network, or --list")
    lengths = Lengths(sequence_length, target_length)
    with reported(counting.CountError):
        with networks.local_network(what) as network:
            counted = counting.count(network, lengths, image_size, batch, prediction_depth)
        if network != what:
            counted = replace(counted, name=what)
    if json:
        output.say(counting.as_json(counted))
    else:
        output.tell(counting.as_text(counted))
