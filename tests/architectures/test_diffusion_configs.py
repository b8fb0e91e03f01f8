"""Configs of diffusers: parameters as published, and operations as torch counts them for the same sizes."""

import json

import pytest

from pipeline.architectures.counting import CountError, as_text, count
from pipeline.architectures.network import Lengths

CROSS, PLAIN = "CrossAttnDownBlock2D", "DownBlock2D"


def unet(channels, down, **keys):
    up = [kind.replace("Down", "Up") for kind in reversed(down)]
    return {"_class_name": "UNet2DConditionModel", "block_out_channels": channels, "down_block_types": down, "up_block_types": up, **keys}  # fmt: skip


TEXT_TIME = {"addition_embed_type": "text_time", "addition_time_embed_dim": 256, "use_linear_projection": True, "sample_size": 128}  # fmt: skip
SD1 = unet([320, 640, 1280, 1280], [CROSS] * 3 + [PLAIN], attention_head_dim=8, cross_attention_dim=768)
SD2 = {**SD1, "attention_head_dim": [5, 10, 20, 20], "cross_attention_dim": 1024, "use_linear_projection": True}
SDXL = unet([320, 640, 1280], [PLAIN, CROSS, CROSS], cross_attention_dim=2048, attention_head_dim=[5, 10, 20], transformer_layers_per_block=[1, 2, 10], projection_class_embeddings_input_dim=2816, **TEXT_TIME)  # fmt: skip
FLUX = {"_class_name": "FluxTransformer2DModel", "guidance_embeds": True, "num_layers": 19, "num_single_layers": 38}
PIXART = {"_class_name": "PixArtTransformer2DModel", "caption_channels": 4096, "sample_size": 128}
OLD = {"_class_name": "Transformer2DModel", "num_layers": 28, "num_attention_heads": 16, "attention_head_dim": 72, "in_channels": 4, "out_channels": 8, "patch_size": 2, "attention_bias": True, "norm_elementwise_affine": False, "activation_fn": "gelu-approximate", "num_embeds_ada_norm": 1000}  # fmt: skip
OLD_PIXART = {**OLD, "norm_type": "ada_norm_single", "sample_size": 64, "caption_channels": 4096, "cross_attention_dim": 1152}  # fmt: skip
SD3 = {"_class_name": "SD3Transformer2DModel", "num_layers": 24, "num_attention_heads": 24, "caption_projection_dim": 1536, "pos_embed_max_size": 192}  # fmt: skip
SD35 = {**SD3, "qk_norm": "rms_norm", "dual_attention_layers": [*range(13)]}
WAN = {"_class_name": "WanTransformer3DModel", "num_layers": 30, "num_attention_heads": 12, "ffn_dim": 8960}


# Parameters are printed by many for these models (Stable Diffusion 1.5 and XL, PixArt-alpha, FLUX.1-dev, SD3 Medium,
# Wan 2.1 1.3B and 14B, LTX-Video 2B, Qwen-Image); for the others, they are those of diffusers' class. Forward: FlopCounterMode on
# diffusers 0.42's classes at the sizes that we assume. SD3's class also has queries of words in its last layer, which
# nothing uses (2 x 333 x 1536^2, and 4 x 333 x (4096 + 333) x 1536), and DiT's embeds the noise level once more.
@pytest.mark.parametrize(
    ("config", "parameters", "forward_flop"),
    [
        (SD1, 859_520_964, 803_273_441_280),
        (SD2, 865_910_724, None),
        (SDXL, 2_567_463_684, 6_761_236_398_080),
        (FLUX, 11_901_408_320, 74_384_653_418_496),
        ({**FLUX, "patch_size": 2, "out_channels": 16}, 11_901_408_320, 74_384_653_418_496),
        (PIXART, 611_349_152, 6_509_523_566_592),
        (OLD_PIXART, 610_856_096, 1_235_985_924_096),
        ({**OLD, "norm_type": "ada_norm_zero", "sample_size": 32}, 749_826_464, 237_333_676_032 - 2 * 1152 * (256 + 1152)),
        (SD3, 2_028_328_000, 8_904_337_539_072 - 2 * 333 * 1536**2 - 4 * 333 * 4429 * 1536),
        (SD35, 2_243_171_520, 11_249_573_707_776 - 2 * 333 * 1536**2 - 4 * 333 * 4429 * 1536),
        ({"_class_name": "LTXVideoTransformer3DModel"}, 1_923_385_472, 29_112_421_842_944),
        (WAN, 1_418_996_800, 283_001_787_777_024),
        ({"_class_name": "WanTransformer3DModel"}, 14_288_491_584, None),
        ({"_class_name": "WanTransformer3DModel", "image_dim": 1280, "added_kv_proj_dim": 5120, "in_channels": 36}, 16_394_878_784, None),
        ({**WAN, "num_attention_heads": 24, "ffn_dim": 14336, "in_channels": 48, "out_channels": 48}, 4_999_787_712, None),
        ({"_class_name": "QwenImageTransformer2DModel"}, 20_430_401_088, None),
    ],
)  # fmt: skip
def test_a_network_of_diffusers_has_its_published_parameters(tmp_path, config, parameters, forward_flop):
    (tmp_path / "config.json").write_text(json.dumps(config))
    counted = count(str(tmp_path), Lengths())
    assert counted.totals.parameters == parameters
    assert forward_flop in (None, counted.totals.forward_flop)
    assert "the autoencoder between pixels and latents" in " ".join(as_text(counted))
    larger = count(str(tmp_path), Lengths(), 2 * int(str(counted.sizes["image_size"]).split("x")[0])).totals
    assert larger.parameters == parameters


def test_a_video_has_frames_and_two_sides(tmp_path):
    (tmp_path / "config.json").write_text(json.dumps(WAN))
    tall, wide, still = (count(str(tmp_path), Lengths(), size) for size in ("480x832x81", "832x480x81", 480))
    assert tall.totals == wide.totals == count(str(tmp_path), Lengths()).totals
    # 21 frames of 30 x 52 patches attend to each other in 30 layers, and to 512 words.
    assert wide.totals.attention_score_flop == 30 * 4 * 1536 * 32760 * (32760 + 512)
    assert still.totals.attention_score_flop == 30 * 4 * 1536 * 900 * (900 + 512)


@pytest.mark.parametrize(
    ("config", "size", "message"),
    [
        ({**SD1, "addition_embed_type": "image"}, None, "addition_embed_type other than null cannot be counted; count"),
        ({**SD1, "down_block_types": ["AttnDownBlock2D", CROSS]}, None, "down_block_types other than blocks of Stable"),
        ({**SD1, "in_channels": 9}, None, "in_channels: unknown, and may change the network; count its code with torch"),
        ({**WAN, "pos_embed_seq_len": 514}, None, "pos_embed_seq_len other than null cannot be counted; count its code with"),
        ({**WAN, "in_channels": 17}, None, "in_channels other than 16 cannot be counted; count its code with torch"),
        ({"_class_name": "AWan"}, None, r"'AWan' of diffusers cannot be read; count its code .* torch:FILE\.py:FUNCTION"),
        (WAN, "832x480x80", "image_size must have a multiple of 4 frames after the first, not 80"),
        (WAN, "830x480x81", "image_size must be a multiple of 16 pixels, not 830x480x81"),
        (SD3, "512x512x2", "image_size must have one frame, not 2"),
        (SD1, "512x256", "image_size of a U-Net must be one number"),
        (WAN, "832:480", "image_size '832:480' cannot be read; write 512, 832x480 or 832x480x81"),
    ],
)  # fmt: skip
def test_another_network_or_size_of_diffusers_is_refused_with_a_way_on(tmp_path, config, size, message):
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(CountError, match=message) as problem:
        count(str(tmp_path), Lengths(), size)
    assert "6 operations" not in str(problem.value)
