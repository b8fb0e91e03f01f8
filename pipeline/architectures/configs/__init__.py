"""Hugging Face's config.json: by `model_type`, the layers that the config means.

Each reader takes the defaults of absent keys from the configuration class of transformers 5.23; they are written in decoders.yml, and for
other networks where the key is read. Width and number of layers are required, under that type's names: no default would fit a network that lacks them.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from pipeline.architectures.configs import decoders, encoder_decoders, encoders, images, state_space
from pipeline.architectures.configs.keys import Keys
from pipeline.architectures.network import ArchitectureError, Lengths, Node
from schemas.spelling import nearest

READERS: dict[str, Callable[[Keys], list[Node]]] = {
    **decoders.READERS,
    **encoders.READERS,
    **encoder_decoders.READERS,
    **images.READERS,
    **state_space.READERS,
}


class Reading(NamedTuple):
    """A config as layers, for sequences and images of these sizes.

    `assumed` are sizes that the caller left open, with the key that they were taken from; `defaults` the values taken for
    absent keys; `not_counted` what the layers leave out.
    """

    nodes: list[Node]
    lengths: Lengths
    image_size: int | None
    assumed: dict[str, str]
    defaults: dict[str, Any]
    not_counted: list[str]


def read(
    config: dict[str, Any], lengths: Lengths, image_size: int | None = None, has_own_lengths: bool = False
) -> Reading:
    """The layers that a config.json means. With `has_own_lengths` absent sequence lengths are the config's longest.

    >>> config = {"model_type": "gpt2", "n_embd": 768, "n_layer": 12}
    >>> read(config, Lengths(), has_own_lengths=True).lengths.sequence_length
    1024
    """
    name = config.get("model_type")
    if name is None:
        raise ArchitectureError(f"a config needs model_type; known are {', '.join(sorted(READERS))}")
    if not isinstance(name, str) or name not in READERS:
        hint = nearest(name, READERS, longest_list=0).removeprefix("; ")
        said = f"model_type {str(name)[:60]!r} cannot be read; {hint}{' ' if hint else ''}known are {', '.join(sorted(READERS))}"
        raise ArchitectureError(said, "model_type")
    keys = Keys(config, lengths, image_size, has_own_lengths)
    keys.refuse_unknown_activations()
    nodes = READERS[name](keys)
    return Reading(nodes, keys.lengths, keys.image_size, keys.assumed, keys.defaults, keys.not_counted)
