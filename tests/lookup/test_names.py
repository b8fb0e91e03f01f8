"""Names as people type them (ids, Hub ids, dated API names, spellings, variants and families), and keys."""

import csv
from contextlib import suppress
from pathlib import Path

import pytest

from pipeline.base.paths import RECORDS
from pipeline.lookup import names
from pipeline.publishing import database
from pipeline.records import keys
from schemas.records import Model, Records
from schemas.spelling import UnknownNameError, plain
from tests.builders import typed


@pytest.fixture(scope="module")
def models(published_database):
    with database.reading() as book:
        return names.Names(names.entries(book))


@pytest.mark.parametrize(("typed_name", "identifier"), [
    ("gpt4", "gpt-4"), ("gpt-4-0314", "gpt-4"),
    ("GPT-o3-mini", "o3-mini"), ("meta-llama/Llama-3.1-405B", "llama-3-1-405b"), ("dino v2", "dinov2-giant"),
    ("gemma-1.1-7b-it", "Gemma 1.1 7B Instruct"), ("meta llama3.1 8B", "llama-3-1-8b"), ("anthropic.claude-opus-4-5-20251101-v1:0", "claude-opus-4-5"), ("405B Llama 3.1", "llama-3-1-405b"),
    ("mistral-small-2603", "mistral-small-4"), ("MiniMax-M2.5-highspeed", "minimax-m2-5"),
    ("command-a-03-2025", "Cohere Command A"), ("gpt-4o-20241120", "GPT-4o (Nov 2024)"), ("gemini-2.5-pro-06-05", "Gemini 2.5 Pro (Jun 2025)"), ("command-r-plus-04-2024", "command-r-plus"),
    ("SwinV2-G", "Swin Transformer V2 (SwinV2-G)"), ("GShard", "GShard (dense)"), ("mistral-medium-23-12", "Mistral Medium"), ("gpt-4o-2024-06-13", "gpt-4o"),  # 31 days
    ("claude-3-opus (Mar 2024)", "claude-3-opus"), ("GPT-4 Turbo (04/09)", "GPT-4 Turbo (Apr 2024)"), ("Command A", "Cohere Command A"),
    ("azure/us/gpt-4.1", "gpt-4-1"), ("us.anthropic.claude-3-5-sonnet-20241022-v2:0", "Claude 3.5 Sonnet (October 2024)"), ("openai/gpt-5.2-chat-latest", "gpt-5-2"), ("fireworks_ai/accounts/fireworks/models/llama-v3-8b", "llama-3-8b"), ("nebius/intfloat/e5-mistral-7b-instruct", "e5-mistral-7b-instruct"),
    ("ling-lite-v1.5", 'Ling-lite-1.5 ("Bailing")'), ("Nano Banana Pro", "Gemini 3 Pro Image (Nano Banana Pro)"),
])  # fmt: skip
def test_other_spellings_find_the_same_model(models, typed_name, identifier):
    match = models.find(typed_name)
    assert (match.entry["id"], match.relation) == (identifier, "same")


@pytest.mark.parametrize(("typed_name", "identifier", "relation"), [
    ("moonshotai/Kimi-K2-Instruct", "kimi-k2", "variant"), ("gemma-2-27b-it", "gemma-2-27b", "variant"), ("LLama3-8b-Ins", "llama-3-8b", "variant"), ("Llama-3.1-405B-Inst@sambanova", "llama-3-1-405b", "variant"),
    ("meta-llama/Llama-2-70b-chat-hf", "llama-2-70b", "variant"), ("llama-3.1-8b-GGUF", "llama-3-1-8b", "quantization"), ("someone/Llama-3.1-8B-bnb-4bit", "llama-3-1-8b", "quantization"),
    ("Mistral Small (2501)", "mistral-small-3", "variant"), ("qwen2.5-72b-instruct-turbo", "qwen2-5-72b-instruct", "quantization"),
    ("meta/llama-4-maverick-17b-instruct", "llama-4-maverick", "variant"), ("Qwen3-4B-NoThink", "qwen3-4b", "mode"),
    ("claude-opus-4-5-20251101-thinking-64k-high-effort", "claude-opus-4-5", "mode"),
    ("gemini-2.5-pro-preview-05-06", "Gemini 2.5 Pro (May 2025)", "variant"),
    ("Kimi K2 Thinking medium", "kimi-k2-thinking", "mode"), ("o3-mini-2025-01-31-medium", "o3-mini", "mode"), ("gpt-5.2-2025-12-11-FC", "gpt-5-2", "mode"),
    ("llama4-maverick-instruct-basic", "llama-4-maverick", "variant"), ("O1-Preview (N=1)", "o1-preview", "mode"), ("starcoder2-7b_16k", "starcoder2-7b", "mode"), ("QwQ-32B (w/ Reasoning)", "qwq-32b", "mode"), ("xai/grok-4.20-0309-reasoning", "Grok 4.20", "mode"),
    ("StarCoder2-15B-Instruct-v0.1", "starcoder2-15b", "variant"),
    ("gpt-5.2--medium", "gpt-5-2", "mode"), ("gemini-3-pro-preview-thinking-low", "gemini-3-pro", "mode"), ("GPT-5 (High) Agent", "gpt-5", "mode"), ("dbrx-instruct@together", "dbrx", "variant"),
])  # fmt: skip
def test_a_variant_is_found_with_a_remark(models, typed_name, identifier, relation):
    match = models.find(typed_name)
    assert (match.entry["id"], match.relation) == (identifier, relation)
    assert match.remark.startswith(f"{typed_name!r} is ")


def test_only_names_that_are_not_the_models_own_have_a_remark(models):
    assert models.find("gpt 4").remark is None
    assert models.find("8B llama-3-1").remark == "'8B llama-3-1' is taken as Llama 3.1 8B (llama-3-1-8b)"


@pytest.mark.parametrize("name", ["gpt-4o-2024-06-14", "gpt-4o-20250219"])
def test_an_edition_of_another_day_is_refused_and_the_known_one_named(models, name):
    with pytest.raises(UnknownNameError, match=r"GPT-4o \(gpt-4o\) of 2024-05-13"):
        models.find(name)


# Names that once returned another model, and words that turn a name into another model's.
@pytest.mark.parametrize("name", [
    "Qwen-7B", "mistral-large-latest", "DeepSeek-V4-Pro-0813", "gpt-4.1-mini",
    "gemini-1.5-pro-002", "Llama 3.1 7B", "gpt-5 thinking mini", "llama-13-8b", "Stable Diffusion 3 Medium", "JFT-3B", "Command A Reasoning 16K",
    "vicuna-7b-v1.5-16k", "qwq-32b-preview", "Hopfield Networks", "DeepSeek-R1 Reasoning", "claude-2-0229", "Grok Beta",
])  # fmt: skip
def test_a_similar_name_never_finds_another_model(models, name):
    with suppress(LookupError):  # a row of Epoch's tables may have this very name
        assert plain(models.find(name).entry["name"]) == plain(name)


@pytest.mark.parametrize(("share", "is_size"), [(0.99, True), (1.01, False)])
def test_a_size_in_a_name_is_within_six_percent(share, is_size):
    for factor in (1.06 * share, 1 / (1.06 * share)):
        assert names._is_size("7b", {"parameters": 7e9 * factor}) == is_size


@pytest.mark.parametrize(("family", "members"), [
    ("llama 3.1", ["llama-3-1-405b", "llama-3-1-70b", "llama-3-1-8b"]),
    ("stable diffusion", ["stable-diffusion-3-8b", "sdxl", "stable-diffusion-2-1", "stable-diffusion-1-4"]),
    ("claude 3", ["claude-3-opus", "claude-3-sonnet", "claude-3-haiku"]),
    ("claude haiku", ["claude-haiku-4-5", "claude-3-haiku"]),
    ("ESM3", ["esm3-98b"]), ("mistral-large-latest", ["mistral-large-3", "mistral-large-2"]),
    ("deepseek/deepseek-chat", ["deepseek-v4-pro", "deepseek-v3"]), ("gpt-5-chat-latest", ["gpt-5"]),
])  # fmt: skip
def test_a_family_lists_its_models_newest_first(models, family, members):
    with pytest.raises(names.SeveralModelsError) as several:
        models.find(family)
    ids = [model["id"] for model in several.value.models]
    assert {*members} <= {*ids}
    records = [model["published"] or "" for model in several.value.models if model["tier"] == "record"]
    assert records == sorted(records, reverse=True)


@pytest.mark.parametrize(("slip", "nearest"), [
    ("gtp-4", "did you mean 'gpt-4'"), ("lama 3 70b", "did you mean 'llama-3-70b'"), ("allenai/Olmo-3-32B-Think", "names with 'olmo 3 32b': olmo-3-32b"),
    ("Genie 3", "names with 'genie': genie-11b"), ("Evo v2 7B", "names with 'evo 2 7b': Evo 2 7B"), ("GPT-o4", "names with 'o4': o4-mini;"),
])  # fmt: skip
def test_the_error_for_an_unknown_name_names_a_slip_or_the_family(models, slip, nearest):
    with pytest.raises(UnknownNameError, match=nearest):
        models.find(slip)


@pytest.mark.parametrize(("name", "maker", "model"), [
    ("GradientAI/Llama3-8B", "gradientai", "llama-3-8b"), ("together/gradientai/Llama-3-8b", "gradientai", "llama-3-8b"),
    ("OpenPipe/Qwen3-14B-Instruct", "openpipe", "qwen3-14b"), ("fal_ai/fal-ai/imagen4/preview/fast", "preview", "FAST"), ("/data/gpt-4", "data", "gpt-4"),
])  # fmt: skip
def test_a_model_of_another_owner_is_refused_and_the_makers_model_named(models, name, maker, model):
    with pytest.raises(UnknownNameError, match=f"'{maker}' is no maker of '{model}'.*; for the makers' model ask for"):
        models.find(name)


@pytest.mark.parametrize(("name", "other"), [
    ("K2-Think", "grok-3"), ("AlphaGenomics", "alphago"), ("Enformer", "Conformer"), ("DeepSeek-OCR", "deepseek-r1"),
    ("ModernBERT-base", "camembert-base"), ("GLM-4.6V", "did you mean"), ("Ling-2.6-1T", "Ring"), ("Grok 5", "did you mean"), ("LIMO", "lima"),
])  # fmt: skip
def test_a_name_with_similar_letters_is_not_suggested(models, name, other):
    with pytest.raises(UnknownNameError, match="flopledger estimate --parameters N --tokens N") as refused:
        models.find(name)
    assert other not in str(refused.value)


@pytest.mark.parametrize(
    "name", ["GPT-o4", "x" * 10_000, "a/" * 5_000, "GPT-4о", "\u202e4-TPG", "ג'יפיטי", "", "4", "/etc/passwd", "a\nb"]
)
def test_long_and_look_alike_names_find_no_model(models, name):
    with pytest.raises(LookupError) as refused:
        models.find(name)
    assert len(str(refused.value)) < 1000
    assert "did you mean" not in str(refused.value)


def test_the_error_for_a_very_long_name_is_one_line():
    answer = typed("show", "x" * 10_000)
    assert (answer.returncode, answer.stdout, len(answer.stderr.splitlines())) == (1, "", 1)
    assert "is not a model of the ledger" in answer.stderr


def test_every_id_and_name_finds_its_model(models):
    for model in models.models:
        for name in (model["id"], model["name"]):
            entry = models.find(name).entry
            assert entry["id"] == model["id"] or name in (entry["name"], *(entry["aliases"] or "").split(" | "))


def test_every_key_finds_its_model_in_its_relation(models):
    with (RECORDS / keys.FILE).open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            match = models.find(row["key"])
            assert match.entry["id"] == row["model_id"], row
            assert match.relation == row["relation"] or not match.remark, row


def test_the_name_of_a_row_with_a_record_finds_the_record(models):
    with database.reading() as book:
        rows = book.execute("select name, model_id from catalogue_estimates where model_id is not null").fetchall()
    wrong = [(name, identifier) for name, identifier in rows if models.fits(name)[0].entry["id"] != identifier]
    assert (len(rows) > 200, wrong) == (True, [])


def key_row(**changed):
    row = {"model_id": "one", "system": "ollama", "key": "one:7b", "relation": "same", "place": "models.txt"}
    return row | {name: changed[name] for name in changed}


@pytest.mark.parametrize(("rows", "problem"), [
    ([key_row(), key_row(system="epoch", model_id="two")], "keys.csv:3 key: 'one:7b' is already a name or key of one; a key belongs to one model"),
    ([key_row(key="Two")], "keys.csv:2 key: 'Two' is already a name or key of two; a key belongs to one model"),
    ([key_row(), key_row()], "keys.csv:3 key: 'one:7b' is already a key of ollama in line 2; keep one"),
    ([key_row(model_id="onee")], "keys.csv:2 model_id: 'onee' is not a model; did you mean 'one'?"),
    ([key_row(system="olama")], "keys.csv:2 system: 'olama' is not a system; did you mean 'ollama'?"),
    ([key_row(relation="tuned")], "keys.csv:2 relation: 'tuned' is not a relation; known are mode, quantization, same, variant"),
    ([key_row(place="")], "keys.csv:2 place: is empty; say which key, and where it was seen"),
    ([key_row(), key_row(system="epoch")], None),
])  # fmt: skip
def test_each_mistake_in_keys_is_one_line(rows, problem):
    known = {name: Model.model_construct(name=name.title(), aliases=[], renamed_from=[]) for name in ("one", "two")}
    mistakes = [str(mistake) for mistake in keys.mistakes(Records(models=known, keys=rows), Path())]
    assert mistakes == ([problem] if problem else [])


def test_show_lists_several_models_and_other_commands_refuse():
    listed = typed("show", "llama 3.1")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "llama-3-1-405b" in listed.stdout
    for command in ("explain", "compare gpt-3", "cite", "thresholds"):
        refused = typed(*command.split(), "llama 3.1")
        assert refused.returncode == 1
        assert refused.stderr.startswith("'llama 3.1' fits ")
        assert len(refused.stderr.splitlines()) == 1
