"""Readers of diffusers' configs: U-Nets of Stable Diffusion, and transformers whose layers diffusers.yml writes out.

The image is in pixels, of which an autoencoder makes smaller latents. A prompt's encoder and the autoencoder are
networks of their own, with configs of their own.
"""

from math import prod
from typing import Any

from pipeline.architectures.configs.keys import Keys
from pipeline.architectures.configs.vocabulary import CLASSES, DIFFUSERS
from pipeline.architectures.families.latent_diffusion import LatentDiffusion
from pipeline.architectures.network import Input, Lengths, Node
from pipeline.architectures.node_networks import Sizes, linear, nodes_of

PIXELS_PER_LATENT = 8
BLOCKS = {"CrossAttnDownBlock2D": True, "DownBlock2D": False}  # types of blocks, and whether each has attention
NO_CHANGE = "use_linear_projection upcast_attention dropout addition_time_embed_dim norm_eps".split()


def _latents(keys: Keys, usual: dict[str, Any], pixels: int, frames_each: int | None = None) -> tuple[int, int, int]:
    """Return the image in latents (or patches) of so many pixels: width, height and, with `frames_each`, frames.

    Sizes are as asked, or these usual ones. Take the prompt's length, and say what is left out.
    """
    if keys.asked_image_size is None:
        keys.reading.assumed["image_size"] = "class, trained on such images"
    keys.reading.image_size = keys.asked_image_size or usual["image_size"]
    if "words" in usual:
        if keys.asked.sequence_length is None:
            keys.reading.assumed["sequence_length"] = "class, whose prompts have this length"
        keys.reading.lengths = Lengths(keys.asked.sequence_length or usual["words"])
        keys.leave_out("the prompt's encoder")
    keys.leave_out("the autoencoder between pixels and latents")
    width, *others = map(int, str(keys.reading.image_size).split("x"))
    height, frames = [*(others or [width]), 1][:2]
    if width % pixels or height % pixels:
        raise keys.error("image_size", f"must be a multiple of {pixels} pixels, not {keys.reading.image_size}")
    if (frames - 1) % (frames_each or frames):
        needs = f"have a multiple of {frames_each} frames after the first" if frames_each else "have one frame"
        raise keys.error("image_size", f"must {needs}, not {frames}")
    return width // pixels, height // pixels, 1 + (frames - 1) // (frames_each or 1)


def unet(keys: Keys) -> list[Node]:
    """Return a U-Net of Stable Diffusion 1, 2 or XL."""
    channels, kinds = keys.wholes("block_out_channels"), keys.value("down_block_types")
    mirrored = [str(kind).replace("Down", "Up") for kind in reversed(kinds)] if isinstance(kinds, list) else []
    if not {*mirrored} <= {kind.replace("Down", "Up") for kind in BLOCKS} or keys.value("up_block_types") != mirrored:
        raise keys.error("down_block_types", "other than blocks of Stable Diffusion cannot be counted")
    depths = keys.value("transformer_layers_per_block")
    depths = [keys.checked("transformer_layers_per_block", depths)] * len(kinds) if type(depths) is int else depths
    depths = keys.wholes("transformer_layers_per_block", value=depths)
    if not len(kinds) == len(channels) == len(depths):
        raise keys.error("block_out_channels", f"has {len(channels)} numbers for {len(kinds)} blocks")
    keys.known |= {"attention_head_dim", *NO_CHANGE}  # heads change no product
    usual = {"image_size": PIXELS_PER_LATENT * (keys.maybe_whole("sample_size") or 64), "words": 77}
    width, height, _ = _latents(keys, usual, PIXELS_PER_LATENT)
    if width != height:
        raise keys.error("image_size", "of a U-Net must be one number, the side of a square")
    keys.only("addition_embed_type", [None, "text_time"])
    added = keys.whole("projection_class_embeddings_input_dim") if keys.value("addition_embed_type") else 0
    network = LatentDiffusion(
        latent_size=width,
        base_channels=channels[0],
        multipliers=[keys.divided("block_out_channels", width, channels[0], "the widths") for width in channels],
        residual_blocks=keys.whole("layers_per_block"),
        attention_levels=[level for level, kind in enumerate(kinds) if BLOCKS[kind]],
        transformer_layers=depths,
        context_positions=int(keys.reading.lengths.sequence_length or 0),
        context_width=keys.whole("cross_attention_dim"),
        heads=1,
    )
    vector: list[Node] = [Input((added,)), *[linear(4 * channels[0])] * 2]  # the pooled prompt and the image's size
    return [*(vector if added else []), *network.nodes(Lengths())]


def transformer(keys: Keys) -> list[Node]:
    """Return the transformer of a class in diffusers.yml."""
    row = DIFFUSERS[keys.model_type]
    if "by" in row:
        kind = keys.word(row["by"], [word for word in row if word != "by"])
        row, keys.class_row = DIFFUSERS[row[kind]], {**CLASSES[row[kind]], **keys.class_row}
    for key, among in row.get("only", {}).items():
        keys.only(key, among)
    keys.known |= {*row["same"]}
    heads, head = keys.whole("num_attention_heads"), keys.whole("attention_head_dim")
    sides = keys.value("patch_size")
    sides = keys.wholes("patch_size", value=sides if isinstance(sides, list) else [sides] * 2)
    patch = [*([keys.whole("patch_size_t")] if "patch_size_t" in keys.class_row else []), *sides]
    values: dict[str, Any] = {
        "width": heads * head,
        "patch": prod(patch),
        "out_channels": keys.maybe_whole("out_channels"),
    }
    values["out_channels"] = values["out_channels"] or keys.whole("in_channels")
    for key in _names(row["nodes"]) & {*keys.class_row} - {*values}:
        value, usual = keys.value(key), keys.class_row[key]
        if key in row.get("absent", {}):
            other, number = row["absent"][key]
            value = keys.value(other) == number if value is None else keys.flag(key)
        elif isinstance(usual, bool):
            value = keys.flag(key)
        elif isinstance(usual, list):
            value = len(keys.wholes(key, least=0, may_be_empty=True))
        elif key in row.get("optional", ()):
            value = keys.maybe_whole(key) or 0
        elif key not in row.get("only", {}):
            value = keys.whole(key)
        values[key] = bool(value) if isinstance(value, str) else value
    pixels = row.get("pixels", PIXELS_PER_LATENT)
    if isinstance(pixels, dict):
        keys.only("in_channels", [*pixels])
        pixels = pixels[keys.value("in_channels")]
    usual_size = keys.whole("sample_size") * pixels if "sample_size" in keys.class_row else 1024
    values |= {f"has_{key}": values[key] > 0 for key in row.get("optional", ())}
    tile = row.get("tile", pixels * sides[-1])
    latents = _latents(keys, {"image_size": usual_size, **row["usual"]}, tile, row.get("frames"))
    values |= {"patches": prod(latents), "words": keys.reading.lengths.sequence_length}
    return nodes_of(Sizes(values), row["nodes"])


def _names(nodes: Any) -> set[str]:
    """Return the words in nodes, among them the keys whose values the nodes use."""
    if isinstance(nodes, dict):
        nodes = list(nodes.values())
    return {nodes} if isinstance(nodes, str) else set().union(*map(_names, nodes)) if isinstance(nodes, list) else set()
