"""Recognise a row's network by its name, or else its kind, from which operations follow from the parameters."""

import re
from enum import StrEnum
from functools import cache
from typing import NamedTuple

from pipeline.architectures import counted
from pipeline.architectures.named import ALIASES, NAMED
from pipeline.catalogues.epoch.notes import pattern
from pipeline.catalogues.names import is_same_size
from schemas.records import Architecture
from schemas.spelling import Spellings, find

# Forward FLOP per parameter and picture, counted for the 133 named networks of pipeline/architectures: the geometric
# mean over their 18 families, and the standard deviation of the logarithm over families. tests/catalogues recomputes
# both.
IMAGE_FLOP_PER_PARAMETER = 266.0
IMAGE_LOG_SD = 0.83
# Frames of speech that a network processes per word of its transcript: 13,680 words per hour of English speech (the
# catalogue's own conversion), and one frame per 20 ms after the usual pooling of spectra by two.
FRAMES_PER_SPOKEN_WORD = 3600 * 50 / 13680
DENSE_BEFORE = 2012  # before AlexNet, most networks in the catalogue are fully connected and use each parameter once


class Kind(StrEnum):
    """How the operations of one example follow from the parameters."""

    COUNTED = "counted"  # from the layers of a named network
    TOKENS = "tokens"  # every parameter is used once per token
    IMAGES = "images"  # by the FLOP per parameter of counted networks
    SPEECH = "speech"  # every parameter is used once per frame; examples are words
    DENSE = "dense"  # every parameter is used once per example
    NEEDED = "needed"  # unknown without the architecture, so there is no number


class Known(NamedTuple):
    """An image network in pipeline/architectures, whose layers are known, and its name there."""

    architecture: Architecture
    name: str


_BRACKETS = re.compile(r"\([^()]*\)")


class Networks:
    """The networks in pipeline/architectures, by name; their layers are known."""

    def __init__(self) -> None:
        self._named = Spellings({name: ALIASES.get(name, name) for name in (*NAMED, *ALIASES)})

    def known(self, name: str, parameters: float | None) -> Known | None:
        """Return the network of this name, ignoring any part in brackets, if it has about as many parameters as stated."""
        for spelling in (name, _BRACKETS.sub(" ", name)) if "(" in name else (name,):
            identifier = find(spelling, self._named)
            if identifier and is_same_size(parameters, _size(identifier)):
                return Known(Architecture(source="ledger", **NAMED[identifier]), identifier)
        return None


@cache
def _size(named: str) -> float:
    return float(counted(NAMED[named]).parameters)


def kind_of(year: int, words: str, datapoints: float | None, domains: list[str]) -> Kind:
    """Return how operations follow from parameters if examples are not text, judging by the row's domain, year, data size and words."""
    first = domains[0] if domains else ""
    if _CONVOLUTION.search(words) and not _SEQUENCE_MODEL.search(words):
        return _convolutional(first, datapoints)
    if _MULTILAYER.search(words) or year < DENSE_BEFORE:
        return Kind.DENSE
    if _TOKEN.search(words) and first != "Games":
        return Kind.NEEDED if _OF_PAIRS.search(words) and not _SEQUENCE_MODEL.search(words) else Kind.TOKENS
    if first == "Vision":
        return Kind.TOKENS if datapoints and datapoints > LARGEST_IMAGE_SET else Kind.IMAGES
    if first == "Speech":
        return Kind.SPEECH
    if first == "Biology":
        return Kind.NEEDED if _OF_PAIRS.search(words) and not _SEQUENCE_MODEL.search(words) else Kind.TOKENS
    return Kind.IMAGES if first == "Multimodal" else Kind.NEEDED


def _convolutional(first: str, datapoints: float | None) -> Kind:
    # A convolution uses each parameter at many places in a picture, so twice the parameters is not a count of FLOP.
    if first == "Speech":
        return Kind.SPEECH
    is_of_pictures = first in ("Vision", "Multimodal") and (datapoints or 0) <= LARGEST_IMAGE_SET
    return Kind.IMAGES if is_of_pictures else Kind.NEEDED


_TOKEN = pattern(r"\btokens?\b")
_MULTILAYER = pattern(r"\b(mlp|perceptron|fully[\s-]connected|boltzmann)")
_CONVOLUTION = pattern(r"cnn|convol|conv[\s-]?net|shar\w+ weights|weight[\s-]sharing|neocognitron|lenet|resnet")
# Networks on pairs of residues or on atoms in space, and diffusion models: each example passes through their layers
# many times.
_OF_PAIRS = pattern(r"folding|docking|diffusion|flow matching|\bequivariant|structure prediction|pose|graph")
_SEQUENCE_MODEL = pattern(r"language model|transformer|autoregressive|(bert|gpt|lm)\b")
# No image data set has more examples (JFT-4B, LAION-5B, WebLI 10B), so a larger number counts patches or tokens.
LARGEST_IMAGE_SET = 3e10
