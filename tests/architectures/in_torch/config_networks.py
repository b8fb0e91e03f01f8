"""Networks of transformers' classes for published configs, built without weights, and torch's counts of them."""

import json

import torch
import transformers
from torch.utils.flop_counter import FlopCounterMode

from pipeline.architectures.configs import encoder_decoders, read
from pipeline.architectures.network import Lengths, place
from pipeline.formulas.totals import total
from tests.architectures.transformers_configs import IMAGES, LANGUAGE

HEADS = [
    ("gpt2", "GPT2Model"), ("gpt2", "GPT2ForSequenceClassification"), ("gpt2", "GPT2ForTokenClassification"),
    ("llama 7b", "LlamaForSequenceClassification"), ("llama 7b", "LlamaForTokenClassification"), ("llama 7b", "LlamaForQuestionAnswering"),
    ("bert base", "BertModel"), ("bert base", "BertForPreTraining"), ("bert base", "BertForSequenceClassification"),
    ("bert base", "BertForTokenClassification"), ("bert base", "BertForQuestionAnswering"),
    ("roberta large", "RobertaModel"), ("roberta large", "RobertaForSequenceClassification"),
    ("albert base", "AlbertModel"), ("albert base", "AlbertForSequenceClassification"), ("albert base", "AlbertForPreTraining"),
    ("t5 small", "T5Model"), ("t5 small", "T5EncoderModel"), ("whisper tiny", "WhisperModel"),
    ("vit base", "ViTModel"), ("swin tiny", "SwinModel"), ("mamba", "MambaModel"),
    ("convnext tiny", "ConvNextModel"), ("resnet 50", "ResNetModel"), ("regnet y 040", "RegNetModel"), ("mobilenet_v2", "MobileNetV2Model"),
    ("efficientnet b0", "EfficientNetModel"),
]  # fmt: skip
LENGTH, FRAMES, TARGET, SAMPLES = 128, 3000, 32, 16_000
PAIRS = ("clip", "siglip")
STATES = ("deit", "clip_vision_model", "siglip_vision_model", "wav2vec2", *PAIRS)  # types without a head here
SEQ2SEQ = ("t5", "mt5", "umt5", "longt5", *encoder_decoders.BARTS)
# Without its kernels, Mamba's scan is a product of inner width x states (elementwise here), and the convolution covers
# three more positions, which are cut off.
MAMBA_MORE = 24 * (2 * LENGTH * 1536 * 16 + 2 * 3 * 1536 * 4)


def built(name, numbers, architecture=None):
    """Return Hugging Face's model on meta tensors, and its config as written to config.json."""
    model_type = name.split()[0]
    config = transformers.AutoConfig.for_model(model_type, **numbers)
    config._attn_implementation = "eager"
    if hasattr(config, "num_experts_per_tok"):
        config._experts_implementation = "batched_mm"  # grouped products are not counted
    with torch.device("cpu" if model_type == "fsmt" else "meta"):  # FSMT looks at its positions
        if architecture is None:
            model = {
                **dict.fromkeys(("bert", "roberta", "albert"), transformers.AutoModelForMaskedLM),
                **dict.fromkeys(SEQ2SEQ, transformers.AutoModelForSeq2SeqLM),
                **dict.fromkeys(("whisper",), transformers.AutoModelForSpeechSeq2Seq),
                **dict.fromkeys(IMAGE_TYPES, transformers.AutoModelForImageClassification),
                **dict.fromkeys(STATES, transformers.AutoModel),
            }.get(model_type, transformers.AutoModelForCausalLM).from_config(config)
        else:
            model = getattr(transformers, architecture)(config)
    written = json.loads(config.to_json_string())
    written["architectures"] = [type(model).__name__]
    return model.eval(), written


IMAGE_TYPES = sorted({name.split()[0] for name in IMAGES})


def inputs(model, written):
    """Return one example with the sizes of the comparison, and our words for these sizes."""
    whole = {"dtype": torch.long, "device": model.device}
    ids = torch.zeros(1, LENGTH, **whole)
    kind = written["model_type"]
    if kind in PAIRS:
        words = torch.zeros(1, 64, **whole)
        images = torch.zeros(1, 3, 112, 112, device="meta")
        given = {"input_ids": words, "pixel_values": images}
        return given, Lengths(64), 112
    if kind == "wav2vec2":
        return {"input_values": torch.zeros(1, SAMPLES, device="meta")}, Lengths(SAMPLES), None
    if kind in IMAGE_TYPES:
        size = written.get("image_size", 224)
        return {"pixel_values": torch.zeros(1, 3, size, size, device="meta")}, Lengths(), size
    if kind == "whisper":
        features = torch.zeros(1, written["num_mel_bins"], FRAMES, device="meta")
        target = torch.zeros(1, TARGET, **whole)
        decoder = {"decoder_input_ids": target, "decoder_attention_mask": torch.ones_like(target)}
        return {"input_features": features, **decoder}, Lengths(FRAMES, TARGET), None
    if kind in SEQ2SEQ and "Encoder" not in type(model).__name__:
        target = torch.zeros(1, TARGET, **whole)
        return {"input_ids": ids, "decoder_input_ids": target}, Lengths(LENGTH, TARGET), None
    if kind in ("bert", "roberta", "albert", "t5"):
        return {"input_ids": ids}, Lengths(LENGTH), None
    # Without a mask, decoders read the positions, which meta tensors do not have.
    return {"input_ids": ids, "attention_mask": torch.ones(1, LENGTH, **whole)}, Lengths(LENGTH), None


def compared(model, written):
    """Return our and torch's parameters and forward FLOP with full attention."""
    given, lengths, image_size = inputs(model, written)
    if model.config.model_type == "gpt2" or hasattr(model, "score"):
        model.config.pad_token_id = 0
    ours = total(
        (layer.count, layer.backward_flop, layer.times)
        for layer in place(read(written, lengths, image_size, prediction_depth=0).nodes)
    )
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        model(**given, **({} if written["model_type"] in (*IMAGE_TYPES, "wav2vec2") else {"use_cache": False}))
    parameters = sum(parameter.numel() for parameter in model.parameters())
    return ours, parameters, counter.get_total_flops()


ALL = {**LANGUAGE, **IMAGES}
