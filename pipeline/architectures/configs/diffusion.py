"""Readers of diffusers' configs: the U-Net of Stable Diffusion 1 and 2, and the transformer of FLUX.1.

The image is in pixels, of which an autoencoder makes latents 8 times smaller. A prompt's encoder and the autoencoder are
networks of their own, with configs of their own.
"""

from pipeline.architectures.configs.keys import Keys
from pipeline.architectures.configs.parts import linear
from pipeline.architectures.families.latent_diffusion import LatentDiffusion
from pipeline.architectures.network import Input, Layer, Lengths, Node, Repeat, Side

PIXELS_PER_LATENT = 8
STEP_WIDTH = 256  # sines and cosines of the noise level


def _sizes(keys: Keys, image_size: int, length: int) -> tuple[int, int]:
    """Return the image's size in latents, and the prompt's tokens: as asked, or these usual ones."""
    if keys.asked_image_size is None:
        keys.reading.assumed["image_size"] = "class, trained on such images"
    if keys.asked.sequence_length is None:
        keys.reading.assumed["sequence_length"] = "class, whose prompts have this length"
    keys.reading.image_size = keys.asked_image_size or image_size
    keys.reading.lengths = Lengths(keys.asked.sequence_length or length)
    keys.leave_out("the prompt's encoder and the autoencoder, which have configs of their own")
    latents = keys.divided("image_size", keys.reading.image_size, PIXELS_PER_LATENT, "the image")
    return latents, int(keys.reading.lengths.sequence_length or 0)


def unet(keys: Keys) -> list[Node]:
    """Return the U-Net of Stable Diffusion 1 and 2, whose blocks with attention have one transformer each."""
    channels, kinds = keys.wholes("block_out_channels"), keys.value("down_block_types")
    levels = [level for level, kind in enumerate(kinds) if kind == "CrossAttnDownBlock2D"]
    mirrored = [kind.replace("Down", "Up") for kind in reversed(kinds)]
    if {*kinds} - {"CrossAttnDownBlock2D", "DownBlock2D"} or keys.value("up_block_types") != mirrored:
        raise keys.error("down_block_types", "other than blocks of Stable Diffusion 1 and 2 cannot be counted")
    keys.known |= {"attention_head_dim", "use_linear_projection", "upcast_attention", "dropout"}  # no other products
    latents, length = _sizes(keys, PIXELS_PER_LATENT * keys.whole("sample_size"), 77)
    network = LatentDiffusion(
        latent_size=latents,
        base_channels=channels[0],
        multipliers=[keys.divided("block_out_channels", width, channels[0], "the widths") for width in channels],
        residual_blocks=keys.whole("layers_per_block"),
        attention_levels=levels,
        context_positions=length,
        context_width=keys.whole("cross_attention_dim"),
        heads=1,
    )
    return network.nodes(Lengths())


def flux(keys: Keys) -> list[Node]:
    """Return FLUX.1's transformer: first blocks with weights for words and others for patches, then blocks for both.

    All blocks attend over words and patches together. The noise level and the prompt's pooled vector scale each block.
    """
    heads, head = keys.whole("num_attention_heads"), keys.whole("attention_head_dim")
    width, inputs = heads * head, keys.whole("in_channels")
    pairs, singles = keys.whole("num_layers"), keys.whole("num_single_layers")
    latents, length = _sizes(keys, 1024, 512)
    patches = (latents // 2) ** 2
    levels = [STEP_WIDTH] * (2 if keys.flag("guidance_embeds") else 1)
    nodes = [
        node
        for size in (*levels, keys.whole("pooled_projection_dim"))
        for node in (Input((1, size)), *[linear(width)] * 2)
    ]
    scales = [Repeat(2 * pairs, [Side([linear(6 * width)])]), Repeat(singles, [Side([linear(3 * width)])])]
    nodes += [*scales, Side([linear(2 * width)])]
    nodes += [
        Input((length, keys.whole("joint_attention_dim"))),
        linear(width),
        Input((patches, inputs)),
        linear(width),
    ]
    attention = {"heads": heads, "head_width": head, "norm_parameters": 2 * head}
    feed = Layer("feed_forward", {"width": 4 * width, "is_gated": False, "has_biases": True})
    # Each token uses one of two sets of weights, so the second set adds parameters but no operations.
    second = Layer("learned_parameters", {"number": 12 * width**2 + 9 * width + 2 * head})
    pair: list[Node] = [Layer("self_attention", {**attention, "has_biases": True}), feed, second]
    single: list[Node] = [Layer("self_attention", {**attention, "has_input_biases": True}), feed]
    nodes += [Input((length + patches, width)), Repeat(pairs, pair), Repeat(singles, single)]
    return [*nodes, Input((patches, width)), linear(inputs)]
