"""Networks counted from the Hub, with every fault of a server: one line, exit code 1."""

import json

import pytest

from pipeline.base import hub
from tests.builders import typed
from tests.loopback import answer, hang_up, sleep

GPT2 = {"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "n_embd": 768, "n_layer": 12, "n_head": 12}
QUICK = hub.LIMITS._replace(retries=1, back_off_seconds=0.01)


def asked(server, monkeypatch, answer, limits=QUICK):
    """Return the output of `count openai/gpt2` if the Hub gives this answer."""
    server.answers[:] = [answer]
    monkeypatch.setattr(hub, "LIMITS", limits)
    return typed("count", "openai/gpt2", "--json", env={"HF_ENDPOINT": server.url.removesuffix("/table.csv")})


def test_a_model_of_the_hub_is_counted_from_its_config_alone(server, monkeypatch):
    done = asked(server, monkeypatch, answer(body=json.dumps(GPT2).encode()))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["parameters"] == 124_439_808
    assert server.paths == ["/openai/gpt2/resolve/main/config.json"]


def test_a_run_of_a_model_of_the_hub_is_estimated(server, monkeypatch):
    """3 x 2 x 124e6 parameters and some attention per token."""
    server.answers[:] = [answer(body=json.dumps(GPT2).encode()), answer(body=b"{}")]
    monkeypatch.setattr(hub, "LIMITS", QUICK)
    words = "estimate --config openai/gpt2 --tokens 1B --sequence-length 1024 --json".split()
    environment = {"HF_ENDPOINT": server.url.removesuffix("/table.csv")}
    counted = json.loads(typed(*words, env=environment).stdout)["operation_count_flop"]
    assert 6 * 124e6 * 1e9 < counted < 1.3 * 6 * 124e6 * 1e9
    refused = typed(*words, env=environment)
    assert (refused.returncode, refused.stdout) == (1, "")
    assert "openai/gpt2/config.json" in refused.stderr
    assert "/tmp" not in refused.stderr


@pytest.mark.parametrize(
    ("reply", "message"),
    [
        (answer(404), "answered 404 Not Found; there is no such model, or it has no config.json"),
        (answer(401), "answered 401 Unauthorized; there is no such model, or it needs an account"),
        (answer(403), "answered 403 Forbidden; the model needs an account"),
        (answer(500), "answered 500 Internal Server Error; download its config.json and name the file"),
        (answer(body=b"{}", length=5_000_000_000), "is larger than 10,000,000 bytes"),
        (answer(body=b"{", length=200), "was cut off"),
        (answer(body=b"<!doctype html><html>"), "openai/gpt2/config.json:1 is a web page"),
        (answer(body=b""), "config.json is empty"),
        (hang_up, "cannot be reached, or broke off"),
    ],
)
def test_what_the_hub_does_not_give_is_one_line(server, monkeypatch, reply, message):
    is_one_line(asked(server, monkeypatch, reply), message)


def test_a_hub_that_does_not_answer_is_one_line(server, monkeypatch):
    is_one_line(asked(server, monkeypatch, sleep, QUICK._replace(read_seconds=0.1)), "did not answer in time")


def is_one_line(done, message):
    """Return whether a command ended with only this line."""
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith("openai/gpt2")
    assert message in done.stderr
    assert done.stderr.count("\n") == 1


def test_a_name_of_ours_with_a_slash_is_not_asked_of_the_hub():
    assert typed("count", "ViT-B/16", env={"HF_ENDPOINT": "http://127.0.0.1:9"}).returncode == 0
