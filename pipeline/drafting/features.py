"""What speaks for a candidate and what against it: words of its sentence, of its place, of its kind."""

import math
import re
from collections.abc import Mapping

from pipeline.drafting.documents import Passage
from pipeline.drafting.figures import is_same
from pipeline.drafting.names import Target
from pipeline.drafting.quotes import LONGEST_SENTENCE
from pipeline.drafting.units import Value

FINE_TUNING = re.compile(
    r"fine-?tun|finetun|downstream|instruction[- ]tun|\bSFT\b|RLHF|reward model|transfer learning|adapt(?:ed|ing|ation)|distill",
    re.IGNORECASE,
)
PRETRAINING = re.compile(r"pre-?train", re.IGNORECASE)
TRAINING = re.compile(r"\btrain(?:ed|ing|s)?\b|optimi[sz]", re.IGNORECASE)
EVALUATION = re.compile(
    r"evaluat|benchmark|zero-shot|few-shot|accuracy|test set|validation|held[- ]out|inference|decoding|beam|latency|speed ?up|score",
    re.IGNORECASE,
)
ABLATION = re.compile(r"ablat|baseline|compar|smaller|variant|instead|experiment with|vary|varying|toy", re.IGNORECASE)
RATE = re.compile(
    r"warm-?up|learning rate|decay|dropout|weight decay|every N|anneal|ramp|momentum|checkpoint|clip", re.IGNORECASE
)
CITED = re.compile(r"\(?[A-Z][\w-]+ et al|\[\d+(?:, ?\d+)*\]|\b(?:prior|previous|earlier|existing) (?:work|models?)\b")
OURS = re.compile(r"\b(?:we|our|ours|us|this (?:model|work|paper))\b", re.IGNORECASE)
HELD_OUT = re.compile(r"\b(?:test(?:ing)?|validation|held[- ]out|evaluation|dev(?:elopment)?)\b", re.IGNORECASE)
TRAINED_ON = re.compile(r"\btrain", re.IGNORECASE)
TOTAL = re.compile(r"\b(?:total|overall|altogether|in all|entire|final|all models|each model)\b", re.IGNORECASE)
PARTIAL = re.compile(r"\b(?:per|each|every|subset|first|initial|last|additional|another|stage|phase)\b", re.IGNORECASE)
HEADINGS = {  # words of headings, by feature
    "heading: training": re.compile(r"train|optimi[sz]|setup|set-up|implementation|details|hyper-?param|recipe|schedule|settings", re.IGNORECASE),
    "heading: model": re.compile(r"model|architect|network|overview|configuration|design|method", re.IGNORECASE),
    "heading: compute": re.compile(r"hardware|comput|infrastructure|efficien|carbon|energy|environment|cost|cluster|scal|parallel|schedule", re.IGNORECASE),
    "heading: data": re.compile(r"data|corpus|corpora|tokeni[sz]|vocab|preprocess", re.IGNORECASE),
    "heading: fine-tuning": re.compile(r"fine-?tun|post-train|instruct|alignment|SFT|RLHF|downstream|transfer|reward|distill", re.IGNORECASE),
    "heading: evaluation": re.compile(r"evaluat|result|benchmark|experiment|analysis|discussion|task|ablation|compar|perform|inference|limitation|bias", re.IGNORECASE),
    "heading: others' work": re.compile(r"related|background|prior|previous|reference|conclusion|introduction", re.IGNORECASE),
}  # fmt: skip
SUBJECTS = {
    **dict.fromkeys(
        ("layers", "width", "heads", "key_value_heads", "feed_forward_width", "parameters", "active_parameters"),
        "model",
    ),
    **dict.fromkeys(("chip", "chips", "duration", "chip_time", "utilization", "reported_flop"), "compute"),
    **dict.fromkeys(("steps", "batch", "epochs", "sequence_length", "precision"), "training"),
    **dict.fromkeys(("examples", "vocabulary"), "data"),
}


def of_context(target: Target, passage: Passage, sentence: str, before: str) -> dict[str, float]:
    """Features of the sentence and its place, the same for every kind."""
    sentence, before, heading = (text[:LONGEST_SENTENCE] for text in (sentence, before, passage.heading))
    is_named = target.is_named(sentence)
    holds = {
        "the sentence names the model": is_named,
        "the sentence names its family": not is_named and target.family_pattern.search(sentence),
        "the sentence has its size": target.sizes and target.has_size(sentence),
        "the sentence has another size": target.has_other_size(sentence),
        "the sentence names another model": target.names_other(sentence),
        "the sentence before names the model": target.is_named(before) or target.has_size(before),
        "the heading names the model": target.label(heading) == "ours" or target.is_named(heading),
        "fine-tuning in the sentence": FINE_TUNING.search(sentence),
        "pre-training in the sentence": PRETRAINING.search(sentence),
        "training in the sentence": TRAINING.search(sentence),
        "evaluation in the sentence": EVALUATION.search(sentence),
        "comparison in the sentence": ABLATION.search(sentence),
        "others' work in the sentence": CITED.search(sentence),
        "we or our in the sentence": OURS.search(sentence),
        **{name: pattern.search(heading) for name, pattern in HEADINGS.items()},
        f"a {passage.kind.value}": True,
        "in the abstract": passage.place == "abstract",
        "in an appendix": passage.place.startswith("appendix"),
    }
    return {name: 1.0 for name, is_so in holds.items() if is_so}


def of_kind(target: Target, kind: str, value: Value | None, context: Mapping[str, float]) -> dict[str, float]:
    """Features that depend on the kind, or on the value."""
    features: dict[str, float] = {}
    subject = SUBJECTS[kind]
    if f"heading: {subject}" in context:
        features["the heading fits"] = 1.0
    for shared in (
        "fine-tuning in the sentence",
        "pre-training in the sentence",
        "heading: fine-tuning",
        "heading: evaluation",
        "we or our in the sentence",
        "training in the sentence",
    ):
        if shared in context:
            features[f"{subject}: {shared}"] = 1.0
    if value is None or isinstance(value.value, str):
        return features
    if kind in ("parameters",) and target.sizes:
        is_its_size = any(is_same(value.value, size, 0.15) for size in target.sizes)
        features["its size is in the name" if is_its_size else "another size than in the name"] = 1.0
    if 1980 <= value.value <= 2030 and value.derived is None and "," not in value.written:
        features["reads like a year"] = 1.0
    features[f"{kind}: size"] = math.log10(max(value.value, 1e-9)) / 10
    features[f"{kind}: size squared"] = features[f"{kind}: size"] ** 2
    if (
        kind in ("chips", "batch", "width", "heads", "sequence_length", "key_value_heads", "feed_forward_width")
        and value.value >= 2
        and float(value.value).is_integer()
        and int(value.value) & (int(value.value) - 1) == 0
    ):
        features["a power of two"] = 1.0
    return features


def beside(target: Target, kind: str, sentence: str, match: re.Match[str], start: int) -> dict[str, float]:
    """Features of the words around a match in a sentence, whose figure begins at `start`."""
    near = sentence[max(0, match.start() - 45) : match.end() + 25]
    figure = sentence[max(0, start - 20) : match.end() + 30]
    wide = sentence[max(0, match.start() - 60) : match.end() + 60]
    holds = {
        "beside a rate or a warm-up": RATE.search(near),
        "beside a word for a part": PARTIAL.search(near),
        "beside a word for held-out data": kind == "examples"
        and HELD_OUT.search(figure)
        and not TRAINED_ON.search(figure),
        "beside a word for the whole": TOTAL.search(near),
        "the model's name or size beside it": target.is_named(wide) or target.has_size(wide),
        "another model's name beside it": target.names_other(sentence[max(0, match.start() - 60) : match.end() + 40]),
    }
    return {name: 1.0 for name, is_so in holds.items() if is_so}
