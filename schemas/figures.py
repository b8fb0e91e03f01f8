"""The figures that a user may state for a training run, on the command line, in Python and on the plan page."""

from collections.abc import Mapping
from functools import cache
from typing import Annotated, Any, NamedTuple, TypedDict, cast, get_type_hints

from schemas.spelling import nearest

Amount = str | float | tuple[str | float, str | float]  # a number, text such as 7B or 5..6, or both ends


class Figure(NamedTuple):
    """A figure's help text and, for an amount, its kind of fact (schemas.facts) and unit; for a word, what it names."""

    help: str
    fact: str = ""
    unit: str = ""
    names: str = ""
    is_supposable: bool = False  # may replace a recorded model's value
    alias: str = ""  # another name of the option


class Figures(TypedDict, total=False):
    """The stated figures of a run; figures that are not stated are absent."""

    parameters: Annotated[Amount, Figure("Parameters, such as 7B.", "Parameters")]
    active_parameters: Annotated[Amount, Figure("Parameters that a token uses in a mixture of experts.", "Parameters")]
    forward_flop: Annotated[
        Amount,
        Figure("FLOP of a forward pass of one example, 2 per multiply-add, in place of the network.", "Flop", "flop"),
    ]
    tokens: Annotated[
        Amount, Figure("Tokens seen in training, such as 2T; with --epochs, those in the data set.", "Count")
    ]
    images: Annotated[Amount, Figure("Images in the data set, seen --epochs times.", "Count")]
    examples: Annotated[
        Amount, Figure("Other examples, such as pairs of sequences or clips of sound, seen --epochs times.", "Count")
    ]
    epochs: Annotated[Amount, Figure("Passes over the data", "Epochs", is_supposable=True)]
    steps: Annotated[Amount, Figure("Updates, each of one --batch.", "Count")]
    batch: Annotated[
        Amount, Figure("Batch of a step: tokens, sequences (with --sequence-length), images or clips.", "Count")
    ]
    sequence_length: Annotated[Amount, Figure("Tokens per sequence; mel frames for Whisper.", "Length")]
    target_length: Annotated[
        Amount, Figure("Tokens per sequence of the decoder, if there is an encoder too.", "Length")
    ]
    generated_tokens: Annotated[
        Amount,
        Figure("Tokens generated to learn from (RL): forward passes. Without --tokens, all are learnt.", "Count"),
    ]
    chips: Annotated[Amount, Figure("Number of chips.", "Chips")]
    hardware: Annotated[
        str | float,
        Figure(
            "The chips, such as H100, or the dense peak of one in FLOP/s, such as 2.1e14", "Peak", "flop_per_second",
            "a chip in the ledger", is_supposable=True,
        ),
    ]  # fmt: skip
    days: Annotated[Amount, Figure("Days that the chips ran.", "Duration", "day")]
    chip_hours: Annotated[Amount, Figure("Hours of all chips together, in place of --days.", "ChipTime", "chip_hour")]
    total_flos: Annotated[
        Amount, Figure("FLOP that a Hugging Face trainer states; for text, they give the tokens.", "Flop", "flop")
    ]
    tokens_per_second: Annotated[Amount, Figure("Throughput of all chips together.", "Count")]
    step_time: Annotated[Amount, Figure("Seconds per step of one --batch.", "StepTime", "second")]
    precision: Annotated[
        str, Figure("Precision of matrix products, such as bf16", names="a precision", is_supposable=True)
    ]
    utilization: Annotated[
        Amount, Figure("Share of the peak reached (MFU), such as 0.4", "Fraction", is_supposable=True)
    ]
    tflops_per_chip: Annotated[
        Amount, Figure("TFLOP/s that a chip achieves, as logs print it, in place of --utilization.", "Count")
    ]
    recompute: Annotated[bool, Figure("Activations are recomputed: --utilization is then the hardware's (HFU).")]
    frozen: Annotated[bool, Figure("The weights are frozen, as with LoRA: they have no gradients.", alias="--lora")]
    config: Annotated[
        str, Figure("The network: a config.json, a record or layers in YAML, or a name such as resnet50.")
    ]
    image_size: Annotated[
        str, Figure("Side of the network's square images; or width x height (x frames), such as 832x480x81.")
    ]
    prediction_depth: Annotated[int, Figure("Modules of the network that predict further tokens in training.")]
    base_model: Annotated[str, Figure("The model that was trained further.", names="a model in the ledger")]
    domain: Annotated[str, Figure("Domain of the task, such as language or vision.", names="a domain")]
    published: Annotated[str, Figure("Date of publication, such as 2024-05 or 2024; this year if left out.")]
    organization: Annotated[
        str, Figure("Organization that trains it, such as Google; it determines data centres and country.")
    ]
    trained_in: Annotated[
        str,
        Figure("The country whose grid is used.", names="a place whose grid is known; without it the world's is used"),
    ]
    overhead: Annotated[
        Amount, Figure("Power of the data centre / power of its servers (PUE), such as 1.1.", "Overhead")
    ]
    name: Annotated[str, Figure("Name of the model.")]


@cache
def declarations() -> dict[str, tuple[Any, Figure]]:
    """Return the type and the declaration of each figure, by name."""
    hints = get_type_hints(Figures, include_extras=True)
    return {name: (hint.__origin__, hint.__metadata__[0]) for name, hint in hints.items()}


def stated_figures(figures: Mapping[str, Any]) -> Figures:
    """Return the figures without those that are None or False. Raise TypeError for an unknown name."""
    for name in figures:
        if name not in declarations():
            raise TypeError(f"{name!r} is not a figure of a model{nearest(name, declarations())}")
    return cast(Figures, {name: value for name, value in figures.items() if value is not None and value is not False})
