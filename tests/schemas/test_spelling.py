"""The one matcher of names: what it finds, and what it suggests otherwise."""

import pytest

from schemas.spelling import Spellings, UnknownNameError, candidates, chosen, find, nearest, spellings

MODELS = spellings(
    [
        {"id": "gpt-2-small", "name": "GPT-2 small", "aliases": "gpt2"},
        {"id": "gpt-2-xl", "name": "GPT-2 XL", "aliases": "GPT-2 | GPT-2 1.5B"},
        {"id": "palm-540b", "name": "PaLM 540B", "aliases": "PaLM"},
        {"id": "electra-large", "name": "ELECTRA-Large", "aliases": None},
        {"id": "clue-recommendation", "name": "CLUE", "aliases": None},
    ]
)
SIZES = Spellings({"OPT 1.3B": "opt-1-3b", "OPT 13B": "opt-13b", "opt-13b": "opt-13b"})
CHIPS = Spellings(
    {"nvidia-a100-sxm4": "nvidia-a100-sxm4", "A100": "nvidia-a100-sxm4", "GTX 580": "nvidia-gtx-580",
     "Gaudi2": "intel-gaudi2", "Gaudi3": "intel-gaudi3"}
)  # fmt: skip


@pytest.mark.parametrize(
    ("word", "names", "expected"),
    [
        ("palm-540b", MODELS, "palm-540b"),  # id
        ("PaLM 540B", MODELS, "palm-540b"),  # name
        ("PaLM", MODELS, "palm-540b"),  # alias
        ("palm_540B", MODELS, "palm-540b"),  # case, hyphens, spaces, underscores
        ("gpt2", MODELS, "gpt-2-small"),  # an exact alias takes precedence over another's that differs by a hyphen
        ("gpt-2", MODELS, "gpt-2-xl"),  # and so does one in another case
        ("gpt_2", MODELS, None),  # either may be meant
        ("gtx580", CHIPS, "nvidia-gtx-580"),
        ("BF16", ["bf16", "fp16"], "bf16"),
        ("palm-54b", MODELS, None),
        ("gpt 2 1.5b", MODELS, "gpt-2-xl"),
        ("GPT-2 15B", MODELS, None),  # the point of 1.5B is part of the number
        ("opt_1.3b", SIZES, "opt-1-3b"),
        ("OPT13B", SIZES, "opt-13b"),
        ("", MODELS, None),
        ("-", MODELS, None),
    ],
)
def test_a_name_is_found_however_it_is_spelt(word, names, expected):
    assert find(word, names) == expected


@pytest.mark.parametrize(
    ("word", "names", "expected"),
    [
        ("palm 540b", MODELS, ["palm-540b"]),
        ("palmm", MODELS, ["palm-540b"]),  # one letter too many
        ("plam", MODELS, ["palm-540b"]),  # two letters swapped
        ("gpt_2", MODELS, ["gpt-2-small", "gpt-2-xl"]),
        ("gaudi4", CHIPS, ["intel-gaudi2", "intel-gaudi3"]),  # equally close to both
        ("A1000", CHIPS, ["nvidia-a100-sxm4"]),
        ("mistral-large", MODELS, []),  # only one word is similar
        ("claude", MODELS, []),  # a single candidate that is only similar would be a guess
        ("vit", ["dit", "vit-b", "vit-h"], ["vit-b", "vit-h"]),  # in three letters, none may be wrong
        ("pool", ["max_pool", "conv", "mean_pool"], ["max_pool", "mean_pool"]),  # part of both
        ("conv", ["conv1d", "conv2d", "conv3d", "conv4d"], ["conv1d", "conv2d", "conv3d"]),  # at most three
        (["linear"], ["linear", "conv2d"], ["linear"]),
        (7, ["linear"], []),
    ],
)
def test_what_may_be_meant(word, names, expected):
    assert candidates(word, names) == expected


@pytest.mark.parametrize(
    ("word", "words", "expected"),
    [
        ("visoin", ["vision", "speech"], "; did you mean 'vision'?"),
        ("gaudi4", ["gaudi2", "gaudi3"], "; did you mean 'gaudi2' or 'gaudi3'?"),
        ("vgg17", ["vgg11", "vgg13", "vgg16"], "; did you mean 'vgg11', 'vgg13' or 'vgg16'?"),
        ("zzz", ["b", "a"], "; known are a, b"),
        ("zzz", map(str, range(100)), ""),
        ("zzz", [], ""),
    ],
)
def test_the_end_of_a_message(word, words, expected):
    assert nearest(word, words) == expected


def test_a_name_that_nothing_has_is_refused_with_what_may_be_meant():
    assert chosen("Vision", ["vision"], "a domain") == "vision"
    with pytest.raises(UnknownNameError, match="^'visoin' is not a domain; did you mean 'vision'\\?$"):
        chosen("visoin", ["vision", "speech"], "a domain")
