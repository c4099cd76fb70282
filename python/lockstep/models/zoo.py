"""Models by name: PyTorch's benchmark lists in small configurations with random weights, and functions of the user's files.

`make(name)` gives a module on the CPU and its arguments. What a configuration keeps is its structure: kinds of layers, heads,
experts; it has few layers, narrow ones, a small vocabulary, no dropout (docs/torch-compile.md)."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

#: PyTorch's names (benchmarks/dynamo/huggingface_models_list.txt) -> class of transformers.
HUGGING_FACE = {
    "AllenaiLongformerBase": "LongformerForMaskedLM", "CamemBert": "CamembertForMaskedLM", "DistillGPT2": "GPT2LMHeadModel",
    "GoogleFnet": "FNetForMaskedLM", "T5Small": "T5ForConditionalGeneration", "YituTechConvBert": "ConvBertForMaskedLM",
    "meta-llama/Llama-3.2-1B": "LlamaForCausalLM", "google/gemma-2-2b": "Gemma2ForCausalLM", "google/gemma-3-4b-it": "Gemma3ForCausalLM",
    "openai/whisper-tiny": "WhisperForConditionalGeneration", "Qwen/Qwen3-0.6B": "Qwen3ForCausalLM",
    "mistralai/Mistral-7B-Instruct-v0.3": "MistralForCausalLM", "openai/gpt-oss-20b": "GptOssForCausalLM",
    **{name: name for name in (
        "AlbertForMaskedLM", "AlbertForQuestionAnswering", "BartForCausalLM", "BartForConditionalGeneration", "BertForMaskedLM",
        "BertForQuestionAnswering", "BlenderbotForCausalLM", "BlenderbotForConditionalGeneration", "BlenderbotSmallForCausalLM",
        "BlenderbotSmallForConditionalGeneration", "DebertaV2ForMaskedLM", "DebertaV2ForQuestionAnswering", "DistilBertForMaskedLM",
        "DistilBertForQuestionAnswering", "ElectraForCausalLM", "ElectraForQuestionAnswering", "GPT2ForSequenceClassification",
        "GPTJForCausalLM", "GPTJForQuestionAnswering", "GPTNeoForCausalLM", "GPTNeoForSequenceClassification", "LayoutLMForMaskedLM",
        "LayoutLMForSequenceClassification", "M2M100ForConditionalGeneration", "MBartForCausalLM", "MBartForConditionalGeneration",
        "MT5ForConditionalGeneration", "MegatronBertForCausalLM", "MegatronBertForQuestionAnswering", "MobileBertForMaskedLM",
        "MobileBertForQuestionAnswering", "OPTForCausalLM", "PLBartForCausalLM", "PLBartForConditionalGeneration", "PegasusForCausalLM",
        "PegasusForConditionalGeneration", "RobertaForCausalLM", "RobertaForQuestionAnswering", "T5ForConditionalGeneration",
        "TrOCRForCausalLM", "XGLMForCausalLM", "XLNetLMHeadModel")},
}  # fmt: skip
#: timm's names (benchmarks/dynamo/timm_models_list.txt) -> arguments of create_model that make the model small.
_VIT: dict[str, Any] = {"img_size": 64, "embed_dim": 48, "depth": 1, "num_heads": 3}
TIMM: dict[str, dict[str, Any]] = {
    "adv_inception_v3": {"size": 96}, "beit_base_patch16_224": _VIT,
    "convnextv2_nano.fcmae_ft_in22k_in1k": {"depths": (1, 1, 1, 1), "dims": (8, 16, 24, 32)},
    "deit_base_distilled_patch16_224": _VIT, "deit_tiny_patch16_224.fb_in1k": _VIT, "dm_nfnet_f0": {}, "ghostnet_100": {}, "inception_v3": {"size": 96},
    "mobilenetv2_100": {}, "mobilenetv3_large_100": {}, "mobilevit_s": {}, "nfnet_l0": {}, "repvgg_a2": {},
    "swin_base_patch4_window7_224": {"img_size": 32, "embed_dim": 16, "depths": (1, 1), "num_heads": (1, 2), "window_size": 4},
    "tf_efficientnet_b0": {}, "visformer_small": {"img_size": 64, "embed_dim": 48, "depth": (1, 1, 1), "num_heads": 3},
    "vit_base_patch14_dinov2.lvd142m": {**_VIT, "img_size": 56}, "vit_base_patch16_siglip_256": _VIT,
}  # fmt: skip
#: Values of a small configuration, for each key that a configuration has.
_SMALL: dict[str, Any] = {
    "vocab_size": 128, "hidden_size": 32, "d_model": 32, "n_embd": 32, "dim": 32, "embedding_size": 32, "word_embed_proj_dim": 32,
    "num_hidden_layers": 1, "n_layer": 1, "n_layers": 1, "num_layers": 1, "encoder_layers": 1, "decoder_layers": 1, "num_decoder_layers": 1,
    "num_attention_heads": 2, "n_head": 2, "n_heads": 2, "num_heads": 2, "encoder_attention_heads": 2, "decoder_attention_heads": 2, "attention_heads": 2,
    "num_key_value_heads": 1, "head_dim": 16, "d_kv": 16, "d_head": 16, "rotary_dim": 8, "intermediate_size": 64, "encoder_ffn_dim": 64, "decoder_ffn_dim": 64,
    "ffn_dim": 64, "d_ff": 64, "d_inner": 64, "hidden_dim": 64, "n_inner": 64, "max_position_embeddings": 64, "n_positions": 64, "true_hidden_size": 32,
    "intra_bottleneck_size": 32, "num_local_experts": 2, "num_experts_per_tok": 1, "sliding_window": 8, "num_mel_bins": 8, "max_source_positions": 16,
    "max_target_positions": 32, "attention_window": [8], "pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 1,
    "forced_eos_token_id": None, "begin_suppress_tokens": None, "suppress_tokens": None, "max_2d_position_embeddings": 64, "query_pre_attn_scalar": 16,
    "tpu_short_seq_length": 16, "cross_attention_hidden_size": None,
}  # fmt: skip
_SMALL_OF: dict[str, dict[str, Any]] = {
    "GPTNeoConfig": {"num_layers": 2, "num_hidden_layers": 2, "attention_types": [[["global", "local"], 1]], "window_size": 8},
    "LongformerConfig": {"attention_window": [8]}, "GptOssConfig": {"layer_types": ["full_attention"], "num_hidden_layers": 1},
    "Gemma2Config": {"num_hidden_layers": 2, "layer_types": ["sliding_attention", "full_attention"]},
    "Gemma3TextConfig": {"num_hidden_layers": 2, "layer_types": ["sliding_attention", "full_attention"]},
    "Qwen3Config": {"layer_types": ["full_attention"]}, "T5Config": {"decoder_start_token_id": 0}, "XLNetConfig": {"d_head": 16}, "MobileBertConfig": {"embedding_size": 32},
}  # fmt: skip
ROWS, LENGTH = 2, 16


@dataclass
class Made:
    """A module and how to call it; `loss` is an output's attribute, or "" for the sum of the first output."""

    module: Any
    arguments: dict[str, Any] = field(default_factory=dict)
    positional: tuple[Any, ...] = ()


class NotHere(Exception):
    """A model that cannot be made here, and why."""


def names() -> list[str]:
    """The names of PyTorch's lists: "hf:...", "timm:..."."""
    return [f"hf:{name}" for name in sorted(HUGGING_FACE)] + [f"timm:{name}" for name in sorted(TIMM)]


def package_of(name: str) -> str:
    """What must be installed for a name; "" for a file's function."""
    return {"hf": "transformers", "timm": "timm"}.get(name.partition(":")[0] if not os.path.exists(name.partition("::")[0]) else "", "")


def make(name: str, seed: int = 0) -> Made:
    """Raises NotHere where the package is missing or does not have the model; what the model's code raises, else."""
    import torch

    torch.manual_seed(seed)
    if "::" in name:
        return _from_file(name)
    kind, _, rest = name.partition(":")
    if kind == "hf" and rest in HUGGING_FACE:
        return _hugging_face(HUGGING_FACE[rest])
    if kind == "timm" and rest in TIMM:
        return _timm(rest)
    raise NotHere(f"there is no model {name!r}: hf:NAME and timm:NAME of `lockstep model --list`, or FILE.py::FUNCTION")


def _imported(package: str) -> ModuleType:
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise NotHere(f"the package {package} cannot be imported: {error}") from None


def _from_file(name: str) -> Made:
    """FILE.py::FUNCTION gives a module, or a module and its arguments (a tuple or a dictionary)."""
    file, _, function = name.partition("::")
    path = os.path.abspath(file)
    if not os.path.isfile(path):
        raise NotHere(f"{file}: there is no such file")
    spec = importlib.util.spec_from_file_location("lockstep_model_" + os.path.basename(path).removesuffix(".py"), path)
    if spec is None or spec.loader is None:
        raise NotHere(f"{file} is not a Python file")
    sys.path.insert(0, os.path.dirname(path))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    maker = getattr(module, function, None)
    if not callable(maker):
        raise NotHere(f"{file} has no function {function!r}")
    made = maker()
    if not isinstance(made, tuple):
        raise NotHere(f"{name} gives {type(made).__name__}; it must give (module, arguments)")
    model, arguments = made
    return Made(model, arguments, ()) if isinstance(arguments, dict) else Made(model, {}, tuple(arguments))


def _hugging_face(class_name: str) -> Made:
    import torch

    transformers = _imported("transformers")
    kind = getattr(transformers, class_name, None)
    if kind is None:
        raise NotHere(f"transformers {transformers.__version__} has no {class_name}")
    configuration = small(kind.config_class)
    module = kind(configuration)
    ids = torch.randint(3, 120, (ROWS, LENGTH))
    arguments: dict[str, Any] = {"input_ids": ids}
    if class_name.startswith("Whisper"):
        arguments = {"input_features": torch.randn(ROWS, configuration.num_mel_bins, 2 * configuration.max_source_positions), "labels": ids}
    elif class_name.endswith("QuestionAnswering"):
        arguments |= {"start_positions": torch.tensor([1, 2]), "end_positions": torch.tensor([5, 7])}
    elif class_name.endswith("SequenceClassification"):
        arguments["labels"] = torch.tensor([0, 1])
    else:
        arguments["labels"] = ids
    return Made(module, arguments)


def small(kind: Any) -> Any:
    """A configuration of a class, small and without dropout."""
    has = kind().to_dict()
    values = {name: value for name, value in _SMALL.items() if name in has or name in getattr(kind, "attribute_map", {})}
    values |= {name: 0.0 for name in has if "drop" in name and isinstance(has[name], float)}
    values |= _SMALL_OF.get(kind.__name__, {})
    values["use_cache"] = False
    return kind(**values)


def _timm(name: str) -> Made:
    import torch

    timm = _imported("timm")
    values = dict(TIMM[name])
    size = values.pop("size", values.get("img_size", 64))
    try:
        module = timm.create_model(name, pretrained=False, num_classes=10, **values)
    except RuntimeError as error:
        raise NotHere(f"timm {timm.__version__}: {error}") from None
    return Made(module, {}, (torch.randn(ROWS, 3, size, size),))
