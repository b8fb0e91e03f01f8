"""Turn a Hugging Face config.json into layers.

For language models, keys.yml gives the meaning of keys, and types.yml the properties of a class that no key states.
Encoder-decoders and image networks have separate readers. Absent keys take the defaults of transformers'
configuration classes (classes.json).
"""

from collections.abc import Callable
from typing import Any

from pipeline.architectures.configs import diffusion, encoder_decoders, encoders, images, language
from pipeline.architectures.configs.keys import Keys, Reading
from pipeline.architectures.configs.outer_parts import Part
from pipeline.architectures.configs.vocabulary import DIFFUSERS, TYPES
from pipeline.architectures.network import Lengths, Node

_IMAGES = ("convnext", "efficientnet", "mobilenet_v1", "mobilenet_v2", "regnet", "resnet", "swin")
READERS: dict[str, Callable[[Keys], list[Node]]] = {
    **dict.fromkeys(("t5", "mt5", "umt5", "longt5"), encoder_decoders.t5),
    **dict.fromkeys(encoder_decoders.BARTS, encoder_decoders.bart),
    **dict.fromkeys(encoders.ENCODERS, encoders.encoder),
    **dict.fromkeys(("clip", "siglip"), encoders.pair),
    **{name: getattr(images, name) for name in _IMAGES},
    "wav2vec2": encoders.wav2vec2,
    "UNet2DConditionModel": diffusion.unet,
    **dict.fromkeys(DIFFUSERS, diffusion.transformer),
}
KNOWN_TYPES = sorted({*TYPES, *READERS})


def parts_left_out(config: dict[str, Any]) -> list[Part]:
    """Return the parts of a config's network that `read` leaves out."""
    return [] if config.get("model_type") in READERS else language.text_model(config)[1]


def networks_left_out(config: dict[str, Any]) -> list[str]:
    """Return the networks with configs of their own that a diffusion model needs."""
    return read(config, Lengths()).not_counted if config.get("_class_name") in READERS else []


def read(
    config: dict[str, Any],
    lengths: Lengths,
    image_size: int | str | None = None,
    has_own_lengths: bool = False,
    prediction_depth: int | None = None,
) -> Reading:
    """Return the layers described by a config.json. With `has_own_lengths`, take missing lengths from the config.

    `prediction_depth` replaces the config's number of modules that predict further tokens. Raise ArchitectureError,
    with the key and a way forward, for a config that cannot be read.
    """
    name = config.get("model_type") or config.get("_class_name")
    if not isinstance(name, str) or name not in READERS:
        return language.read(config, lengths, has_own_lengths, prediction_depth)
    keys = Keys(config, name, lengths, image_size, has_own_lengths)
    keys.reading.nodes = READERS[name](keys)
    keys.pass_over()
    return keys.reading
