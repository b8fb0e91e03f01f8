"""Names as people type them: ids, Hub ids, dated API names, spellings, families."""

import pytest

from pipeline.publishing import database, names
from schemas.spelling import UnknownNameError
from tests.builders import typed


@pytest.fixture(scope="module")
def models(published_database):
    with database.reading() as book:
        return names.entries(book)


@pytest.mark.parametrize(("typed_name", "identifier"), [
    ("gpt-4", "gpt-4"), ("GPT 4", "gpt-4"), ("gpt4", "gpt-4"), ("gpt-4o-2024-08-06", "gpt-4o"), ("gpt-4-turbo-2024-04-09", "gpt-4-turbo"),
    ("gemini-1.5-pro-002", "gemini-1-5-pro"), ("claude-3-5-sonnet-20241022", "claude-3-5-sonnet"), ("o1-preview", "o1"),
    ("meta-llama/Llama-3.1-405B", "llama-3-1-405b"), ("Qwen/Qwen2.5-72B-Instruct", "qwen2-5-72b-instruct"), ("microsoft/phi-2", "phi-2"),
    ("opus 4.5", "claude-opus-4-5"), ("dino v2", "dinov2-giant"), ("palm (540b)", "palm-540b"),
])  # fmt: skip
def test_one_model(models, typed_name, identifier):
    assert names.find(typed_name, models)["id"] == identifier


@pytest.mark.parametrize(("family", "members"), [
    ("llama 3.1", ["llama-3-1-405b", "llama-3-1-70b", "llama-3-1-8b"]),
    ("stable diffusion", ["stable-diffusion-3-8b", "sdxl", "stable-diffusion-2-1", "stable-diffusion-1-4"]),
    ("claude 3", ["claude-3-opus", "claude-3-sonnet", "claude-3-haiku"]),
    ("vgg", ["vgg-19", "vgg-16"]),
    ("claude haiku", ["Claude Haiku 4.5", "claude-3-haiku"]),
])  # fmt: skip
def test_a_family_is_each_of_its_models_the_newest_first(models, family, members):
    with pytest.raises(names.SeveralModelsError) as several:
        names.find(family, models)
    ids = [model["id"] for model in several.value.models]
    assert {*members} <= {*ids}
    records = [model["published"] or "" for model in several.value.models if model["tier"] == "record"]
    assert records == sorted(records, reverse=True)


@pytest.mark.parametrize(("slip", "nearest"), [
    ("gtp-4", "gpt-4"), ("lama 3 70b", "llama-3-70b"), ("moonshotai/Kimi-K2-Instruct", "kimi-k2"), ("bert-base-uncased", "bert-base"),
    ("gemma-2-27b-it", "gemma-2-27b"),
])  # fmt: skip
def test_a_name_that_fits_none_names_the_nearest_first(models, slip, nearest):
    with pytest.raises(UnknownNameError, match=f"did you mean '{nearest}'"):
        names.find(slip, models)


@pytest.mark.parametrize("name", ["x" * 10_000, "a/" * 5_000, "ԌРТ-4", "\u202e4-TPG", "ג'יפיטי", "", "-", "4"])
def test_long_and_look_alike_names_are_no_model(models, name):
    with pytest.raises(LookupError) as refused:
        names.find(name, models)
    assert len(str(refused.value)) < 1000


def test_a_name_of_ten_thousand_letters_is_a_line():
    done = typed("show", "x" * 10_000)
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (1, "", 1)
    assert "is not a model of the ledger" in done.stderr


def test_every_id_name_and_alias_means_its_model_or_a_list_with_it(models):
    for model in models:
        for name in filter(None, (model["id"], model["name"])):
            found = names.find(name, models)
            assert found["id"] == model["id"] or name in (found["name"], *(found["aliases"] or "").split(" | "))


def test_show_lists_several_and_other_commands_ask_which():
    listed = typed("show", "llama 3.1")
    assert (listed.returncode, listed.stderr) == (0, "")
    assert "llama-3-1-405b" in listed.stdout
    for command in ("explain", "compare gpt-3", "cite", "thresholds"):
        refused = typed(*command.split(), "llama 3.1")
        assert refused.returncode == 1
        assert refused.stderr.startswith("'llama 3.1' fits ")
        assert len(refused.stderr.splitlines()) == 1
