"""Small networks of transformers' types of language models, built without weights, and our counts of them."""

import inspect
import json
import os
import re

import torch
import transformers
from transformers import masking_utils
from transformers.models.auto import modeling_auto as auto

from pipeline.architectures.configs import read
from pipeline.architectures.configs.vocabulary import KEYS, TYPES
from pipeline.architectures.network import ArchitectureError, Lengths, place
from pipeline.formulas.totals import total

LENGTH = 128
# Small sizes for keys of KEYS["wholes"] and the like, by setting; a class takes those that it has.
SIZES = {
    "width": 256, "layers": 6, "heads": 8, "key_value_heads": 2, "vocabulary": 777, "feed_forward": 500, "positions": 512, "experts": 8,
    "experts_per_token": 2, "expert_width": 80, "embedding_width": 256, "state_heads": 16, "state_head_width": 32, "linear_heads": 8,
    "linear_key_heads": 4, "linear_key_width": 16, "linear_value_width": 32, "output_groups": 8, "output_rank": 32,
}  # fmt: skip
MORE = {  # further settings that a class requires
    "big_bird": {"attention_type": "original_full"},
    "bailing_hybrid": {"num_hidden_layers": 6, "layer_group_size": 3},
    "cohere_compass_text": {"layer_types": ["sliding_attention", "full_attention"] * 3, "rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 1e4}, "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}},
    "xlm": {"emb_dim": 256}, "flaubert": {"emb_dim": 256}, "esmc": {"num_key_value_heads": 8}, "dbrx": {"attn_config": {"kv_n_heads": 2}, "ffn_config": {"ffn_hidden_size": 80, "moe_num_experts": 8, "moe_top_k": 2}},
    "laguna": {"layer_types": ["full_attention", "sliding_attention"] * 3, "num_attention_heads_per_layer": [8, 4] * 3, "sliding_window": 32},
    "deberta": {"position_biased_input": False, "relative_attention": True, "pos_att_type": "c2p|p2c"},
    "codegen": {"rotary_dim": 16},
    "deberta-v2": {"position_biased_input": False, "relative_attention": True, "share_att_key": True, "norm_rel_ebd": "layer_norm", "pos_att_type": ["p2c", "c2p"], "position_buckets": 16},
    "gpt_neo": {"attention_types": [[["global", "local"], 3]], "window_size": 32},
    "gptj": {"rotary_dim": 16},
    "falcon_h1": {"mamba_d_ssm": 512},
    "lfm2_moe": {"layer_types": ["conv", "full_attention"] * 3, "num_dense_layers": 2},
    "deepseek_v4": {"head_dim": 64, "q_lora_rank": 48, "sliding_window": 32},
    "dots1": {"n_shared_experts": 1, "first_k_dense_replace": 1},
    "gemma3n_text": {"intermediate_size": [500] * 6, "layer_types": ["sliding_attention", "full_attention"] * 3, "num_kv_shared_layers": 2, "activation_sparsity_pattern": [0.0] * 6, "head_dim": 32, "laurel_rank": 16, "hidden_size_per_layer_input": 24, "vocab_size_per_layer_input": 700},
    "gemma4_text": {"hidden_size_per_layer_input": 24, "vocab_size_per_layer_input": 700, "enable_moe_block": True, "top_k_experts": 2, "layer_types": ["sliding_attention", "full_attention"] * 3, "num_kv_shared_layers": 2, "use_double_wide_mlp": True, "global_head_dim": 48, "head_dim": 32},
    "gemma4_unified_text": {"global_head_dim": 48, "head_dim": 32},
    "helium": {"head_dim": 32},
    "hunyuan_v1_dense": {"head_dim": 32},
    "hunyuan_v1_moe": {"head_dim": 32, "moe_topk": 2},
    "jamba": {"num_hidden_layers": 8, "attn_layer_period": 4, "attn_layer_offset": 1},
    "ministral": {"head_dim": 32},
    "nemotron_h": {"layers_block_type": ["mamba", "moe", "attention", "mamba", "moe", "mlp"], "num_hidden_layers": None, "moe_shared_expert_intermediate_size": 200},
    "opt": {"word_embed_proj_dim": 128, "do_layer_norm_before": False},
    "qwen2": {"use_sliding_window": True, "max_window_layers": 2, "sliding_window": 32},
    "qwen3_moe": {"mlp_only_layers": [0, 3]},
    "starcoder2": {"use_bias": False}, "step3p5": {"sliding_window": 32},
}  # fmt: skip
# Programs that multiply in another way than the definition: states cut into chunks, Mamba's scan by products, all
# experts run on all tokens (Llama 4), an indexer's weighted sum, the padding of a short convolution (LFM), a
# pooler that no loss reaches (LayoutLM), streams mixed by small matrices (Gemma 3n). Their parameters are equal, and so is the largest part of their operations.
OF_OTHER_PROGRAMS = (
    "bamba bailing_hybrid falcon_h1 falcon_mamba gemma3n_text glm_moe_dsa granitemoehybrid jamba kimi_linear layoutlm llama4_text mamba mamba2 minimax "
    "minimax_m3_vl_text nemotron_h qwen3_5_moe_text qwen3_5_text qwen3_next deepseek_v32 olmo_hybrid lara_mini lfm2_moe lfm3 recurrent_gemma xlstm"
).split()
CANNOT_RUN = ("helium", "dbrx")  # without heads x head_dim = width; without data that choose experts
LOOKS_AT_NUMBERS = ("xlm", "flaubert", "ibert")  # which meta tensors do not have
# Types of which only the text model is counted, with a remark on the towers left out.
READ_INSIDE = (
    "audioflamingo3 emu3 fuyu gemma3 gemma4 gemma4_unified glmasr got_ocr2 granite_speech granite_speech_plus llama4 modernvbert "
    "moss_transcribe_diarize musicflamingo nemo_speechlm omniasr qwen2_audio qwen3_5 qwen3_5_moe qwen3_asr ultravbert vibevoice_asr voxtral"
).split()
OF_TOWERS = re.compile(
    r"vision|audio|image|tokenizer_encoder|model\.encoder|projector|(?<!per_layer_)(?<!per_layer_model_)projection\.|connector|timestamp"
)
# Causal, masked and sequence-to-sequence types of transformers that are refused, by what their layers need.
UNREAD = {
    "attention that looks at chosen blocks, at hashes, at landmarks or at positions that the caller marks": (
        "big_bird bigbird_pegasus led longformer mra nystromformer pegasus_x reformer yoso"
    ),
    "attention of another form: values twice as wide as their projection, experts of attention, convolutions on queries, "
    "latent attention with other ranks in windows, query and gate from one joint latent, several predicted tokens at once": (
        "axk2 diffllama dots3_note dots3_note_text jetmoe prophetnet zaya"
    ),
    "attention to a source with fewer key heads, or in one softmax with the target": "t5gemma t5gemma2",
    "relative positions that are projected, scored or looked up for each pair": "inkling_text inkling2_text xlnet",
    "one part of the layers several times, with other inputs, or with gradients in the last times only": (
        "dory hrm_text inkling2_loop_text zamba zamba2"
    ),
    "streams between layers of another form": "hy_v4 qwen4_exp qwen4_exp_text",
    "as many experts as the data choose, or experts whose capacity drops tokens": "longcat_flash nllb-moe switch_transformers",
    "an input beside the words: bytes in patches, codes of sound, speech and its delay, an encoder, entities, images": (
        "blt git luke mllama moshi musicgen musicgen_melody neomme perceiver phi4_multimodal seamless_m4t seamless_m4t_v2 trocr voxtral_realtime"
    ),
    "two configs of any types, joined by attention that neither states": "encoder-decoder",
    "a draft of another model's states": "gemma4_assistant gemma4_unified_assistant",
    "blocks of another form: bottlenecks, convolutions with weights from the data, grouped products, Fourier transforms, pooling, adapters by language": (
        "convbert fnet funnel mobilebert squeezebert xmod"
    ),
}


transformers.logging.set_verbosity_error()
# Masks read positions, which meta tensors do not have.
masking_utils.find_packed_sequence_indices = lambda *given, **named: None
transformers.PreTrainedModel.warn_if_padding_and_no_attention_mask = lambda *given, **named: None
masking_utils.is_tracing = lambda *given, **named: True
SEQ2SEQ = dict.fromkeys(auto.MODEL_FOR_SEQ_TO_SEQ_CAUSAL_LM_MAPPING_NAMES, transformers.AutoModelForSeq2SeqLM)
MODELS = {
    **dict.fromkeys(auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES, transformers.AutoModelForMaskedLM),
    **dict.fromkeys(auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES, transformers.AutoModelForCausalLM),
}
TASKS = {
    "base": (auto.MODEL_MAPPING_NAMES, transformers.AutoModel),
    "pretraining": (auto.MODEL_FOR_PRETRAINING_MAPPING_NAMES, transformers.AutoModelForPreTraining),
    "sequences": (
        auto.MODEL_FOR_SEQUENCE_CLASSIFICATION_MAPPING_NAMES,
        transformers.AutoModelForSequenceClassification,
    ),
    "spans": (auto.MODEL_FOR_QUESTION_ANSWERING_MAPPING_NAMES, transformers.AutoModelForQuestionAnswering),
    "tokens": (auto.MODEL_FOR_TOKEN_CLASSIFICATION_MAPPING_NAMES, transformers.AutoModelForTokenClassification),
}
COMPARED = [
    name for name in TYPES if name in MODELS and name in transformers.CONFIG_MAPPING and "like" not in TYPES[name]
]
CHOSEN = COMPARED if os.environ.get("ALL_TYPES") else COMPARED[::10]


def device_of(name):
    return "cpu" if name in LOOKS_AT_NUMBERS else "meta"


def built(name, more=(), auto_class=None, device=None):
    """Return the class's model, on meta tensors unless it reads numbers, and its config as in config.json."""
    kind = transformers.CONFIG_MAPPING[name]
    parameters = {*inspect.signature(kind.__init__).parameters, *getattr(kind, "__dataclass_fields__", {})}
    keys = {
        key: SIZES[setting]
        for part in ("wholes", "wholes_or_zero")
        for setting, names in KEYS[part].items()
        if setting in SIZES
        for key in names
    }
    keys |= {"num_key_value_heads": 8} if "kv_lora_rank" in parameters else {}
    keys |= {"n_group": 1, "topk_group": 1, "pad_token_id": 0}
    own = {**MORE.get(name, {}), **dict(more)}
    config = kind(**{**{key: value for key, value in keys.items() if key in parameters}, **own})
    config._attn_implementation = "eager"
    if name == "dbrx":
        config.attn_config.rope_theta = 1e4  # its class reads what its config lacks
    with torch.device(device or device_of(name)):
        model = (auto_class or MODELS[name]).from_config(config, attn_implementation="eager")
    if hasattr(model, "set_experts_implementation"):
        model.set_experts_implementation("batched_mm")  # grouped products are not counted
    written = {
        **json.loads(config.to_json_string()),
        **own,
        "model_type": name,
        "architectures": [type(model).__name__],
    }
    return model, written


def counted(written):
    reading = read(written, Lengths(LENGTH), prediction_depth=0)
    return total((layer.count, layer.backward_flop, layer.times) for layer in place(reading.nodes))


def parameters_or_complaint(written):
    try:
        return counted(written).parameters
    except ArchitectureError as problem:
        return str(problem)
