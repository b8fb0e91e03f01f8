"""The twenty kinds of facts that are looked for: how publications write each, in sentences and in heads of tables, and where it stands in a record.

A pattern has `N` where the figure is. Each is a way of writing that was seen in publications of several models; its number within its kind
is the candidate's feature, so that what a pattern is worth is fitted (ranking.py) and not judged.
"""

import re
from dataclasses import dataclass
from functools import cache

from pipeline.drafting.figures import EITHER, FIGURE, PRODUCT

UP_TO_3 = r"(?:[\w/().-]+ ){0,3}?"
UP_TO_5 = r"(?:[\w/().,-]+ ){0,5}?"
IS = r"(?:\s*(?:=|:|≈|of|is|are|was|were|to|as|at|set to|equal to|size|about|around|approximately|roughly|nearly|over|than|more|up|~|\(|\||“|”)\s*){1,5}"
WORKERS = (
    r"(?:GPUs?|TPUs?|TPU chips|TPU cores|chips|cores|accelerators|devices|NPUs|machines with a GPU|HPUs|IPUs|cards)"
)
# After a figure: "80GB" and "4H" are none, and "60 × 10" of "60 × 10^4" is a part of one.
WHOLE = r"(?![A-WYZa-wyz\d]|[.,]\d|\s?\^\s?\{?\d|\s?[×·x*∗]\s?10\s?\^)"
# A figure before one of these is no number of examples.
OTHER_UNIT = r"[- ]?(?:[\w-]+ ){0,2}?(?:steps|iterations|updates|epochs|passes|mini-?batches|batches|days|weeks|GPUs?|TPUs?|chips|cores|nodes|machines)\b"
CHIP_UNIT = r"(?:GPU|TPU|chip|core|accelerator|device|NPU|card|A100|V100|H100|H800|H20|P100|A800|MI250X?|TPU ?v\dp?e?|TPUv\dp?e?)"


@dataclass(frozen=True)
class Kind:
    """One kind of fact. `path` is its place in a record; `unit` is what a figure of a table without its own unit is in.

    `patterns` are of sentences, `heads` of heads of a table's columns, or of its rows' first cells; `low` and `high` bound what such a fact can be.
    """

    name: str
    path: str
    patterns: tuple[str, ...] = ()
    heads: str = ""
    low: float = 0
    high: float = 1e30
    is_word: bool = False


KINDS = (
    Kind(
        "parameters",
        "parameters",
        (
            r"N[- ]?(?:(?:trainable|learnable|free|total|model|non-embedding|network|of|its|the|all|dense|unique) )*[- ]?(?:parameters?|params?|weights)\b",
            rf"(?:parameters?|params?)(?: count| size| counts)?{IS}N",
            rf"(?:model|network|architecture|variant|version)s?(?: size)?{IS}N(?! (?:layers|epochs|tokens|images|steps|days|hours))",
            r"N[- ](?:parameter |dense |\w+ )?(?:model|variant|version|transformer|network|LM|language model)\b",
            r"(?:total|overall)(?: \w+){0,4}? N (?:\w+ )?parameters",
            r"(?<=[A-Za-z])[- ]N(?!\w)",
            r"parameters?\b[^.;]{0,60}?\bN",
        ),
        r"#? ?(?:of )?(?:total |trainable |model |n |mio\.? |million |billion )?(?:params?|parameters|size|model size|n_params|n params)\.?(?: count)?(?: \(.*\))?|n_?params|number of parameters.*|#params.*|parameter.*|params.*",
        1e4,
        1e14,
    ),
    Kind(
        "active_parameters",
        "active_parameters",
        (
            rf"N[- ]?{UP_TO_3}(?:activated?|active)(?: \w+)? (?:parameters?|params?)",
            r"N[- ]?(?:are |is )?(?:activated|active)\b",
            rf"(?:activat\w+|active)(?: \w+){{0,6}}?{IS}?\s?N",
            r"(?:uses|utiliz\w+|activat\w+) (?:only |about |just )?N(?: \w+){0,3}? (?:per|for each|for every) (?:token|inference|prediction)",
        ),
        r".*activ.*param.*|active.*|activated.*|n_?act.*",
        1e4,
        1e13,
    ),
    Kind(
        "reported_flop",
        "reported_flop",
        (
            rf"N\s?(?:± ?[\d.]+ ?)?(?:total |training |of )?-?(?:{UP_TO_3})?(?P<unit>(?:peta|exa|zetta|tera|giga|yotta|[PEZTGY])?-?(?:FLOP(?:s|S)?|[Ff]lops?|floating[- ]point operations)(?:/s|/sec|ps)?(?: ?[·⋅])?(?:[ -]?(?:s-)?days?)?|P[Ff]-?days|pfs-days|petaflop/s-days)",
            rf"(?:compute|FLOPs|FLOPS|cost|budget|operations)(?: \w+){{0,6}}?{IS}N\s?(?P<unit>(?:peta|exa|zetta|tera|[PEZT])?-?(?:FLOPs?|FLOPS|flops?)?(?:/s)?(?:-days?)?)",
        ),
        r".*(?:train\w*|total).*(?:flops?|compute).*|.*flops?.*|.*pf-days.*|.*petaflop.*",
        1e13,
        1e28,
    ),
    Kind(
        "examples",
        "training[0].examples",
        (
            r"N[- ]?(?:(?:training|pre-?training|unique|labeled|labelled|unlabeled|raw|text|natural|parallel|high-quality|English|total|of|the|diverse|BPE|subword|multilingual|additional|language|web|speech|audio|code|filtered|deduplicated|\w+) ){0,4}?(?P<unit>tokens?|words|word tokens)\b",
            r"N[- ]?(?:(?:training|pre-?training|unique|labeled|labelled|unlabeled|natural|high-resolution|of|the|total|weakly|public|Instagram|noisy|\w+) ){0,4}?(?P<unit>images?|pictures|photos|frames|image[-/ ]text pairs|\(image, ?text\) pairs|text-image pairs)\b",
            r"N[- ]?(?:(?:training|parallel|of|the|total|English-\w+|\w+) ){0,4}?(?P<unit>sentence[- ]pairs?|sentences|pairs|sequences|protein sequences|proteins|examples|samples|instances|documents|utterances|games|positions|molecules|videos|clips|video clips|demonstrations|conversations|interactions)\b",
            rf"N[- ]?{UP_TO_3}(?P<unit>hours?) (?:of )?{UP_TO_3}(?:audio|speech|data|video|recordings|labeled|unlabeled|training)",
            rf"(?:tokens?|examples|images|data ?set size|training set|corpus|corpora)(?: \w+){{0,6}}?{IS}N\s?(?P<unit>tokens?|words|images|examples|samples|sentences)?",
            rf"train\w*(?: \w+){{0,5}}? (?:on|for|over|with) (?:a total of |about |around |approximately |roughly |up to |over |more than |~)?N(?!{OTHER_UNIT})[- ]?(?P<unit>tokens?|words|images|examples|samples|hours)?",
        ),
        r".*tokens?.*|.*(?:training|train).*(?:examples|data|size|images|samples|instances).*|#? ?images|data ?set size.*|#? ?examples|.*hours|data size|examples seen|samples seen",
        1e2,
        1e15,
    ),
    Kind(
        "epochs",
        "training[0].epochs",
        (
            r"N(?:[- ]|\s)(?:\w+ ){0,2}?epochs?\b",
            rf"epochs?(?: \w+){{0,2}}?{IS}N",
            r"N (?:full |complete |entire )?pass(?:es)?\b",
            r"N (?:times|cycles|sweeps)\b",
            r"(?P<one>single[- ]epoch|exactly one epoch|one epoch|only once|less than one epoch|a single pass|one pass)",
        ),
        r".*epochs?.*",
        1e-3,
        1e5,
    ),
    Kind(
        "steps",
        "training[0].steps",
        (
            r"N[- ]?(?:(?:training|gradient|optimization|optimizer|update|total|mini-?batch|SGD|parameter|pre-?training|learning|weight|\w+) ){0,3}?(?:steps|iterations|updates|iters|weight updates|mini-?batches|batches)\b",
            rf"(?:steps|iterations|updates|iters|itr)(?: \w+){{0,4}}?{IS}N",
            r"(?:step|iteration|iter) N\b",
            r"(?:for|over|after) N (?:mini-?)?(?:batches|steps|iterations|updates)",
        ),
        r".*(?:steps|iterations|updates|iters).*",
        1e2,
        1e9,
    ),
    Kind(
        "batch",
        "training[0].batch",
        (
            rf"batch[- ]?sizes?(?: \w+){{0,4}}?{IS}N[- ]?(?P<unit>tokens|sequences|images|examples|samples|sentences|words)?",
            r"batch[- ]?sizes?,? (?:\w+ ){0,8}?N[- ]?(?P<unit>tokens|sequences|images|examples|samples)?",
            r"N[- ](?:[\w/-]+ ){0,2}?(?:mini-?)?batch(?:es)?(?: size)?\b",
            r"(?:mini-?)?batch(?:es)?(?: \w+){0,4}? (?:of|with|contain\w*|consist\w* of|has|=|is|include\w*) (?:about |approximately |roughly |a set of |up to |~)?N[- ]?(?P<unit>tokens|sequences|images|examples|samples|sentences|pairs|utterances)?",
            r"N (?:[\w-]+ ){0,3}?(?:(?P<unit>sequences|images|samples|examples|tokens|sentences|pairs|source tokens) )?(?:per|in each|in a|in one|a|/) ?(?:training |gradient )?(?:mini-?batch|batch|step|update|iteration)",
            r"batch\b[^.;]{0,80}?\bN[- ]?(?P<unit>tokens|sequences|images|examples|samples)?",
        ),
        r".*batch.*|bsz|.*tokens per (?:step|batch|update).*",
        1,
        1e9,
    ),
    Kind(
        "sequence_length",
        "training[0].sequence_length",
        (
            rf"(?:sequence|context|input|text|window|block|token)[- ](?:[\w-]+ )?(?:lengths?|size|window)(?: \w+){{0,4}}?{IS}N",
            rf"(?:maximum|max\.?|maximal)(?: [\w-]+){{0,4}}? (?:lengths?|tokens|positions)(?: \w+){{0,3}}?{IS}N",
            # "1024 sequences" counts them; "2048-token sequences" and "a 2048 sequence length" say how long they are.
            r"N[- ](?:tokens?[- ](?:\w+ )?(?:context|sequences?\b|window)|(?:\w+ )?(?:context|sequence\b|window))",
            r"sequences? (?:\w+ ){0,4}?(?:of|to|with|at most|up to|than|contain\w*|length) (?:length |at most |up to |≤ ?|a length of )*N(?: tokens)?",
            rf"(?:contexts?|windows?|segments?|chunks|length)(?: \w+){{0,3}}?{IS}N(?:[- ]tokens?)?",
            r"N[- ](?:consecutive |contiguous )?(?:tokens?|wordpieces|subwords|characters|bytes)\b(?: (?:long|in length|each|per sequence|context))?",
            r"n_?ctx\s*=\s*N",
            r"length[- ]{1,2}N\b",
        ),
        r".*(?:seq\w*|context|input)[ _.-]*(?:len\w*|size|window).*|.*n_?ctx.*|max(?:imum)? (?:length|len|tokens).*|context|.*max_position_embeddings.*|.*max_seq_?len.*|n_positions|seq_?len",
        8,
        1e8,
    ),
    Kind("precision", "training[0].precision", is_word=True),
    Kind(
        "utilization",
        "training[0].utilization",
        (
            rf"N ?% ?(?:{UP_TO_5})?(?:MFU|HFU|(?:FLOPs?|hardware|GPU|model|TPU|accelerator|compute) utilization|utilization|of (?:the )?(?:theoretical )?(?:\w+ )?peak|efficiency)",
            r"(?:MFU|HFU|utilization|peak|efficiency)(?:[^.;%]{0,60}?)\s?N ?%",
        ),
        r".*(?:MFU|HFU|utilization).*",
        0.01,
        1,
    ),
    Kind("chip", "training[0].hardware[0].chip", is_word=True),
    Kind(
        "chips",
        "training[0].hardware[0].chips",
        (
            r"N\s?(?:x ?|× ?|\* ?)?(?:[\w./()-]+ ){0,5}?CHIP(?:s\b|\b)",
            rf"N\s?(?:x |× ?|\* ?)?(?:[\w./()-]+ ){{0,4}}?{WORKERS}\b",
            r"(?:with|on|using|across|over|of)(?: \w+){0,3}? N (?:\w+ ){0,2}?(?:workers|nodes|machines|servers|replicas|hosts)\b",
            rf"(?:number of |num |total )?{WORKERS}(?: \w+){{0,2}}?{IS}N",
            r"(?:TPU ?v\d\w?|v\d\w?)[- ]N(?!\w)",
            r"(?:slices?|pods?)(?: \w+){0,4}? N\b",
            r"N[- ](?:core|chip|GPU)\b",
            r"CHIP\s?(?:×|x|\*)\s?N",
        ),
        r".*#? ?(?:of )?(?:GPUs?|TPUs?|chips|accelerators|devices|cores|NPUs)(?!.*(?:hour|day|memory|util|/s|time)).*",
        1,
        1e6,
    ),
    Kind(
        "duration",
        "training[0].hardware[0].duration",
        (
            r"N[- ]?(?P<unit>days?|hours?|weeks?|minutes?|hrs?|wall-clock days)\b(?! (?:of|a week|per day))",
            r"N[- ]?(?P<unit>days?|hours?|weeks?|minutes?|hrs?)\b",
            r"(?:took|takes|take|trained for|training time|within|lasted|lasting|in|for)(?: \w+){0,4}? N[- ]?(?P<unit>days?|hours?|weeks?|minutes?|d|h)\b",
        ),
        r"(?!.*(?:gpu|tpu|chip|core)).*(?:(?:training|train|wall).*(?:time|days|hours).*|^days$|^hours$|duration|time \((?P<unit>days|hours|h|d)\).*)",
        60,
        2e8,
    ),
    Kind(
        "chip_time",
        "training[0].hardware[0].chip_time",
        (
            rf"N[- ]?(?:[\w-]+ ){{0,2}}?(?P<unit>{CHIP_UNIT}[- ]?(?:GPU[- ]?|core[- ]?|chip[- ]?)?(?:cores?[- ]?)?(?:hours?|days?|years?))\b",
            rf"(?P<unit>{CHIP_UNIT}[- ](?:core[- ])?(?:hours|days|years))(?: \w+){{0,6}}?{IS}N",
            r"N (?P<unit>(?:hours|days|years)) (?:of|on) (?:a single |one )?(?:[\w-]+ ){0,2}?(?:GPU|TPU|compute)\b",
        ),
        r".*(?:gpu|tpu|chip|core|accelerator|a100|h100|v100|h800)s?[- ]*v?\d?[- ]*(?:core)?[- ]*(?:hours|days|hrs|time|years).*",
        3600,
        1e13,
    ),
    Kind(
        "layers",
        "architecture.layers",
        (
            r"N[- ](?:(?:\w+|self-attention|identical|hidden|Transformer|transformer|decoder|encoder|convolutional|LSTM)[- ]){0,3}?(?:layers?|blocks?|layered)\b",
            rf"(?:number of (?:\w+ ){{0,3}}?(?:layers|blocks)|(?:layers|depth|blocks))(?: \w+){{0,2}}?{IS}N",
            r"\b(?:L|n_?layers?|N_?layers?|num_?layers)\s*(?:=|:)\s*N",
            r"(?:layers|blocks)\b[^.;]{0,40}?\bN",
        ),
        r"#? ?(?:of )?(?:n |num |number of |hidden |total |transformer |decoder |encoder )*(?:layers?|blocks|depth|n_?layers?|nlayers|#L|L)\.?|#l|n_?layers?|num_hidden_layers|num_layers|.*number of layers.*|nlayers.*|ℓ.*|depth.*|layers.*",
        1,
        2000,
    ),
    Kind(
        "width",
        "architecture.width",
        (
            rf"(?:hidden|model|embedding|residual|channel|latent|token|feature|state)(?:[- ]\w+)?[ -](?:sizes?|dimensions?|dimensionality|dims?|width|units)(?: (?:d_?model|[a-zA-Z]|\w+)){{0,3}}?{IS}N",
            r"d_?(?:model|\{model\}|h|hidden)\s*(?:=|:|of|is)?\s*N",
            r"N[- ](?:(?:\w+|LSTM|GRU) )?(?:hidden (?:units|dimensions?|size|states?)|units|dimensional|hidden|dims?|dimensions|cells|nodes|neurons|memory cells|wide)\b",
            rf"(?:width|dimension|dimensions|dimensionality)(?: \w+){{0,3}}?{IS}N",
            r"\b(?:H|D|d|E)\s*=\s*N",
        ),
        r".*(?:d_?model|hidden[ _]*(?:size|dim\w*|width|units)?|dimension|model[ _]dim\w*|embed\w*[ _]*(?:size|dim\w*)|width|n_embd|d_?\{?model\}?|embedding size|hidden size D).*|^d$|^dim$|hidden_size",
        4,
        2e5,
    ),
    Kind(
        "heads",
        "architecture.heads",
        (
            r"N[- ](?:(?:parallel|self-attention|attention|self|query|Q|multi-head|\w+)[- ]){0,2}?heads?\b",
            rf"(?:number of |num )?(?:self-)?(?:attention |query |n_?)?heads?(?: \w+){{0,2}}?{IS}N",
            r"\b(?:A|h|n_?heads?|H)\s*=\s*N",
            r"N ?-?headed\b",
            r"heads\b[^.;]{0,40}?\bN",
        ),
        r"(?!.*(?:key|kv|dim|size))(?:#? ?(?:of )?(?:n |num |number of |attention |query |attn\.? )*heads?.*|#h|n_?heads?|.*num_attention_heads.*|.*number of (?:attention )?heads.*|nheads.*|.*n_head\b.*|heads)",
        1,
        1024,
    ),
    Kind(
        "key_value_heads",
        "architecture.key_value_heads",
        (
            r"N[- ](?:(?:\w+)[- ]){0,1}?(?:key[-/ ]?(?:and )?-?value|KV|K/V|k/v|kv)[- ]?(?:attention )?(?:heads?|groups)",
            rf"(?:key[-/ ]value|KV|kv|key/value|n_?kv_?)[- ]?heads?(?: \w+){{0,3}}?{IS}N",
            r"(?:grouped[- ]query attention|GQA)[^.;]{0,60}?\bN (?:\w+ )?(?:groups|heads|key)",
            r"(?P<one>multi-?query attention|Multi-?Query Attention|MQA)",
        ),
        r".*(?:kv|key[-/ _]*value).*(?:heads?|groups).*|n_?kv_?heads?|num_key_value_heads",
        1,
        1024,
    ),
    Kind(
        "feed_forward_width",
        "architecture.feed_forward_width",
        (
            rf"(?:feed[- ]?forward|FFN|ffn|MLP|inner|intermediate|filter|position-wise)(?:[- /](?:\w+|d_?ff)){{0,4}}?[ -](?:sizes?|dimensions?|dimensionality|dim|width|layers?|units|hidden)(?: (?:d_?\{{?ff\}}?|\w+)){{0,3}}?{IS}N",
            r"d_?\{?(?:ff|ffn|mlp|FFN)\}?\s*(?:=|:|of|is)?\s*N",
            r"N[- ](?:\w+ )?(?:feed[- ]?forward|inner|FFN|ffn|MLP|mlp|intermediate)\b",
            r"(?:feed[- ]?forward|FFN|MLP|intermediate)\b(?:[^.;]|i\.e\.){0,50}?\bN",
        ),
        r".*(?:d_?\{?ff\}?n?|ffn?[ _]*(?:dim\w*|size|hidden|width|inner)?|feed[- ]?forward.*|intermediate.*|mlp.*(?:size|dim\w*|width|hidden)?|inner.*dim\w*|hidden_dim|n_inner|filter size).*",
        8,
        1e6,
    ),
    Kind(
        "vocabulary",
        "architecture.vocabulary",
        (
            r"N[- ]?(?:[\w,-]+ ){0,4}?(?:vocabulary|vocab|word-?pieces?|wordpiece|sub-?words?|sub-?word units|BPE (?:tokens|merges|types|codes|units)|merges|merge operations|token types|unique tokens|types|pieces)\b",
            rf"(?:vocabulary|vocab|vocabularies|dictionary|codebook)(?: size)?(?: [\w-]+){{0,6}}?{IS}N",
            r"(?:vocabulary|vocab)\b[^.;]{0,60}?\bN",
            r"(?:tokenizer|tokeniser|BPE|SentencePiece|tokenization)\b[^.;]{0,60}?\bN",
            r"\|?V\|?\s*=\s*N",
        ),
        r".*vocab.*|\|v\||v",
        20,
        5e6,
    ),
)
WHOLE_NUMBERS = frozenset(
    "chips layers width heads key_value_heads feed_forward_width vocabulary sequence_length".split()
)
BY_NAME = {kind.name: kind for kind in KINDS}
PRECISIONS = {
    "bf16": r"\b(?:bf16|bfloat16|bfloat-16|BF16|bf-16|brain float\w*(?: 16)?)\b",
    "fp16": r"\b(?:fp16|float16|half[- ]precision|FP-?16|fp-16|16[- ]bit (?:floating|float|precision)|float-16)\b",
    "fp32": r"\b(?:fp32|float32|single[- ]precision|FP-?32|fp-32|full[- ]precision|32[- ]bit (?:floating|float|precision))\b",
    "fp8": r"\b(?:fp8|FP8|float8|E4M3|8[- ]bit floating)\b",
    "tf32": r"\b(?:tf32|TF32|TensorFloat-?32)\b",
    "fp64": r"\b(?:fp64|FP64|double[- ]precision)\b",
}
MIXED = re.compile(r"\b(?:mixed[- ]precision|automatic mixed precision|AMP|\bApex|apex)\b")


@cache
def patterns(kind: str) -> tuple[re.Pattern[str], ...]:
    """The compiled patterns of a kind, with a group `n` around the figure, and `CHIP` replaced by any chip's usual name."""
    made = []
    for written in BY_NAME[kind].patterns:
        number = rf"(?<![\w.,$^])(?P<n>{PRODUCT}|{EITHER}){WHOLE}"
        if written.startswith("(?<=[A-Za-z])[- ]N"):
            number = rf"(?P<n>{FIGURE})"
        text = re.sub(r"(?<![A-Za-z_{])N(?![A-Za-z_])", lambda _, number=number: number, written, count=1)
        text = text.replace(
            "CHIP",
            r"(?:[A-Z]\d{2,4}|RTX ?\d+\w*|GTX ?\d+\w*(?: Ti)?|Titan ?\w*|TITAN ?\w*|Tesla ?\w*|TPU ?v\d\w?|TPUv\d\w?|MI\d+X?|Quadro \w+|K\d0m?|Ascend ?\d+\w?)",
        )
        made.append(re.compile(text))
    return tuple(made)


@cache
def head(kind: str) -> re.Pattern[str]:
    """The compiled pattern of heads of a kind."""
    return re.compile(BY_NAME[kind].heads or r"(?!)", re.IGNORECASE)
