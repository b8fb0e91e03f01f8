"""Configs as published with the weights, and the sums counted from them."""

from pipeline.architectures.configs import read
from pipeline.architectures.network import Lengths, place
from pipeline.formulas.totals import total

GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024, "vocab_size": 50257}  # fmt: skip
LLAMA = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "intermediate_size": 11008, "max_position_embeddings": 4096, "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 32, "tie_word_embeddings": False, "vocab_size": 32000}  # fmt: skip
MIXTRAL = {"model_type": "mixtral", "architectures": ["MixtralForCausalLM"], "hidden_size": 4096, "intermediate_size": 14336, "max_position_embeddings": 32768, "num_attention_heads": 32, "num_experts_per_tok": 2, "num_hidden_layers": 32, "num_key_value_heads": 8, "num_local_experts": 8, "sliding_window": None, "vocab_size": 32000}  # fmt: skip
QWEN3_MOE = {"model_type": "qwen3_moe", "architectures": ["Qwen3MoeForCausalLM"], "decoder_sparse_step": 1, "head_dim": 128, "hidden_size": 2048, "intermediate_size": 6144, "max_position_embeddings": 40960, "max_window_layers": 48, "mlp_only_layers": [], "moe_intermediate_size": 768, "num_attention_heads": 32, "num_experts": 128, "num_experts_per_tok": 8, "num_hidden_layers": 48, "num_key_value_heads": 4, "sliding_window": None, "tie_word_embeddings": False, "use_sliding_window": False, "vocab_size": 151936}  # fmt: skip
DEEPSEEK = {"model_type": "deepseek_v3", "architectures": ["DeepseekV3ForCausalLM"], "first_k_dense_replace": 3, "hidden_size": 7168, "intermediate_size": 18432, "kv_lora_rank": 512, "max_position_embeddings": 163840, "moe_intermediate_size": 2048, "moe_layer_freq": 1, "n_routed_experts": 256, "n_shared_experts": 1, "num_attention_heads": 128, "num_experts_per_tok": 8, "num_hidden_layers": 61, "num_key_value_heads": 128, "num_nextn_predict_layers": 1, "q_lora_rank": 1536, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 129280}  # fmt: skip
GEMMA3_TEXT = {"hidden_size": 2560, "intermediate_size": 10240, "model_type": "gemma3_text", "num_hidden_layers": 34, "sliding_window": 1024}  # fmt: skip
BERT = {"model_type": "bert", "architectures": ["BertModel"], "hidden_size": 768, "intermediate_size": 3072, "max_position_embeddings": 512, "num_attention_heads": 12, "num_hidden_layers": 12, "type_vocab_size": 2, "vocab_size": 30522}  # fmt: skip
ALBERT = {"model_type": "albert", "architectures": ["AlbertModel"], "embedding_size": 128, "hidden_size": 768, "inner_group_num": 1, "intermediate_size": 3072, "max_position_embeddings": 512, "num_attention_heads": 12, "num_hidden_groups": 1, "num_hidden_layers": 12, "type_vocab_size": 2, "vocab_size": 30000}  # fmt: skip
T5 = {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"], "d_ff": 2048, "d_kv": 64, "d_model": 512, "n_positions": 512, "num_heads": 8, "num_layers": 6, "relative_attention_num_buckets": 32, "vocab_size": 32128}  # fmt: skip
WHISPER = {"model_type": "whisper", "architectures": ["WhisperForConditionalGeneration"], "d_model": 384, "decoder_attention_heads": 6, "decoder_ffn_dim": 1536, "decoder_layers": 4, "encoder_attention_heads": 6, "encoder_ffn_dim": 1536, "encoder_layers": 4, "max_source_positions": 1500, "max_target_positions": 448, "num_mel_bins": 80, "vocab_size": 51865}  # fmt: skip
IMAGENET = {"id2label": {str(label): f"label {label}" for label in range(1000)}}
VIT = {"model_type": "vit", "architectures": ["ViTForImageClassification"], "hidden_size": 768, "image_size": 224, "intermediate_size": 3072, "num_attention_heads": 12, "num_channels": 3, "num_hidden_layers": 12, "patch_size": 16, "qkv_bias": True, **IMAGENET}  # fmt: skip
SWIN = {"model_type": "swin", "architectures": ["SwinForImageClassification"], "depths": [2, 2, 6, 2], "embed_dim": 96, "image_size": 224, "num_heads": [3, 6, 12, 24], "patch_size": 4, "window_size": 7, **IMAGENET}  # fmt: skip


def sums(config, **sizes):
    """Return the sums of a config, at its own longest sequence unless sizes are given."""
    image_size = sizes.pop("image_size", None)
    reading = read(config, Lengths(**sizes), image_size, has_own_lengths=True)
    return total((layer.count, layer.backward_flop, layer.times) for layer in place(reading.nodes))
