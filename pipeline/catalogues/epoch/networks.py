"""Recognize the kind of a row's network, which gives the operations per parameter, from the words about it."""

import re
from enum import StrEnum

DENSE_BEFORE = 2012  # before AlexNet, most networks in the catalogue were fully connected and used each parameter once


class Kind(StrEnum):
    """How the operations of one example follow from the parameters."""

    TOKENS = "tokens"  # every parameter is used once per token
    DENSE = "dense"  # every parameter is used once per example
    NEEDED = "needed"  # unknown without the architecture, so there is no number


def kind_of(year: int, words: str, datapoints: float | None, domains: list[str]) -> Kind:
    """Return how operations follow from parameters for other examples than text, by year, words, data and domains."""
    first = domains[0] if domains else ""
    is_large = (datapoints or 0) > LARGEST_IMAGE_SET
    is_of_sequences = _SEQUENCE_MODEL.search(words)
    if _CONVOLUTION.search(words) and not is_of_sequences:
        # A convolution uses each parameter at many places in a picture, so twice the parameters is not a count of FLOP.
        return Kind.NEEDED
    if _MULTILAYER.search(words) or year < DENSE_BEFORE:
        return Kind.DENSE
    if first == "Biology" or (_TOKEN.search(words) and first != "Games"):
        return Kind.NEEDED if _OF_PAIRS.search(words) and not is_of_sequences else Kind.TOKENS
    return Kind.TOKENS if first == "Vision" and is_large else Kind.NEEDED


_TOKEN = re.compile(r"\btokens?\b", re.IGNORECASE)
_MULTILAYER = re.compile(r"\b(mlp|perceptron|fully[\s-]connected|boltzmann)", re.IGNORECASE)
_CONVOLUTION = re.compile(
    r"cnn|convol|conv[\s-]?net|shar\w+ weights|weight[\s-]sharing|neocognitron|lenet|resnet", re.IGNORECASE
)
# Networks that work on pairs of residues or on atoms in space, and diffusion models. Each example passes through their
# layers many times.
_OF_PAIRS = re.compile(
    r"folding|docking|diffusion|flow matching|\bequivariant|structure prediction|pose|graph", re.IGNORECASE
)
_SEQUENCE_MODEL = re.compile(r"language model|transformer|autoregressive|(bert|gpt|lm)\b", re.IGNORECASE)
# No image data set has more examples (JFT-4B, LAION-5B, WebLI 10B), so a larger number counts patches or tokens.
LARGEST_IMAGE_SET = 3e10
