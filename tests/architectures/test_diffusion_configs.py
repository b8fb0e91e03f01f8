"""Configs of diffusers: parameters as published, and operations as torch counts them for the same sizes."""

import json

import pytest

from pipeline.architectures.counting import CountError, as_text, count
from pipeline.architectures.network import Lengths

DOWN, UP = ["CrossAttnDownBlock2D"] * 3 + ["DownBlock2D"], ["UpBlock2D"] + ["CrossAttnUpBlock2D"] * 3
SD1 = {
    "_class_name": "UNet2DConditionModel", "_diffusers_version": "0.6.0", "attention_head_dim": 8, "block_out_channels": [320, 640, 1280, 1280],
    "cross_attention_dim": 768, "down_block_types": DOWN, "up_block_types": UP, "layers_per_block": 2, "sample_size": 64, "norm_num_groups": 32,
}  # fmt: skip
SD2 = {**SD1, "attention_head_dim": [5, 10, 20, 20], "cross_attention_dim": 1024, "use_linear_projection": True}
FLUX = {"_class_name": "FluxTransformer2DModel", "guidance_embeds": True, "num_layers": 19, "num_single_layers": 38}


# Stable Diffusion 1.5: https://huggingface.co/docs/diffusers (num_parameters); 2: the sum of its weights' shapes; FLUX.1-dev: its
# model page. Forward: FlopCounterMode on diffusers 0.42's classes, 77 tokens and 64 x 64 latents, 512 tokens and 4,096 patches.
@pytest.mark.parametrize(
    ("config", "parameters", "forward_flop"),
    [
        (SD1, 859_520_964, 803_273_441_280),
        (SD2, 865_910_724, None),
        (FLUX, 11_901_408_320, 74_384_653_418_496),
    ],
    ids=["sd1.5", "sd2", "flux"],
)
def test_a_network_of_diffusers_has_its_published_parameters(tmp_path, config, parameters, forward_flop):
    (tmp_path / "config.json").write_text(json.dumps(config))
    counted = count(str(tmp_path), Lengths())
    assert counted.totals.parameters == parameters
    assert forward_flop in (None, counted.totals.forward_flop)
    assert "prompt's encoder" in " ".join(as_text(counted))
    larger = count(str(tmp_path), Lengths(64), 2 * int(counted.sizes["image_size"])).totals
    assert larger.parameters == parameters
    assert larger.forward_flop > 3 * counted.totals.forward_flop


@pytest.mark.parametrize(
    ("config", "message"),
    [
        ({**SD1, "addition_embed_type": "text_time"}, "addition_embed_type: unknown, and may change the network"),
        (
            {**SD1, "down_block_types": ["AttnDownBlock2D", *DOWN[1:]]},
            "down_block_types other than blocks of Stable Diffusion",
        ),
        ({"_class_name": "WanTransformer3DModel"}, "needs model_type"),
    ],
)
def test_another_network_of_diffusers_is_refused_with_a_way_on_by_torch(tmp_path, config, message):
    (tmp_path / "config.json").write_text(json.dumps(config))
    with pytest.raises(CountError, match=rf"{message}.*torch:FILE\.py:FUNCTION"):
        count(str(tmp_path), Lengths())
