"""Records made from the few figures that a user states about a model."""

import contextlib
import json
from datetime import date

import pytest
import yaml
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from pipeline.engines import one_model
from pipeline.publishing import database
from pipeline.publishing.rows import rows
from pipeline.records import ledger, run_record
from schemas import shorthand
from schemas.errors import InputError

TODAY = date(2025, 7, 18)
# Annex A.3 of the European Commission's guidelines for general-purpose AI models, C(2025) 5045 final: models A, C, D, E, F, G and H.
ANNEX = [
    ({"parameters": "3.8B", "tokens": "3.3T"}, 7.5e22),
    ({"parameters": "600M", "tokens": "36T"}, 1.3e23),
    ({"parameters": "1.54B", "tokens": "18T"}, 1.663e23),
    ({"parameters": "1.7B", "tokens": "36T"}, 3.7e23),
    ({"parameters": "2.5B", "tokens": "12T"}, 1.8e23),
    ({"parameters": "2.6B", "tokens": "10T"}, 1.5e23),
    ({"chip_hours": "370k", "hardware": "H100", "precision": "bf16", "utilization": "50%"}, 6.5e23),
]
GPT_3 = ({"parameters": "174.6B", "tokens": "300B"}, 3.14e23)  # arXiv 2005.14165, table D.1


@contextlib.contextmanager
def refused(*lines):
    with pytest.raises(InputError) as problem:
        yield
    assert str(problem.value).splitlines() == list(lines)


def record_of(records, **stated):
    return run_record.model_from_figures(stated, records, TODAY).record


@pytest.mark.usefixtures("published_database")
@pytest.mark.parametrize(("stated", "published"), [*ANNEX, GPT_3])
def test_published_examples_come_out(stated, published):
    with database.memory_connection() as connection:
        names = one_model.ledger_records(connection)
        record = run_record.model_from_figures({**stated, "published": "2025-07"}, names).record
        one_model.add_record(connection, record, "my-model", names)
        (row,) = rows(connection, "from estimates where model_id = 'my-model'")
    name = "operation_count_flop" if "parameters" in stated else "gpu_time_informed_flop"
    assert row[name] == pytest.approx(published, rel=0.05)
    assert row["training_flop"] == pytest.approx(published, rel=0.05)
    assert row["training_evidence"] == "stated_by_user"


AMOUNTS = (
    st.floats(1, 1e4) | st.tuples(st.floats(1.0, 9.0), st.floats(10.0, 90.0)) | st.sampled_from(["7", "5..6", "1.5e3"])
)


STATED = st.fixed_dictionaries(
    {},
    optional={
        "parameters": AMOUNTS | st.sampled_from(["7B", "350k"]),
        "chips": AMOUNTS,
        "days": st.floats(0.01, 900) | st.just("5..6"),
        "hardware": st.sampled_from(["H100", "a100", "TPU v4", "nvidia-v100-sxm2"]),
        "utilization": st.floats(0.01, 1) | st.just("40%"),
        "sequence_length": st.integers(1, 1024),
        "base_model": st.sampled_from(["llama-2-7b", "gpt-3"]),
    },
)
DATA = st.sampled_from(
    [
        {"tokens": "2T"},
        {"tokens": (1e9, 2e9), "epochs": 3},
        {"steps": "1k", "batch": 5120},
        {"images": "1.3M", "epochs": 90},
    ]
)


@settings(max_examples=1, phases=[Phase.generate])
@given(written=st.lists(st.tuples(STATED, DATA), min_size=20, max_size=20))
def test_every_record_that_is_made_is_valid_and_its_text_holds_the_same(records, tmp_path_factory, written):
    """All are loaded together. The tests of the command run their stages: printed and saved are one number."""
    folder, figures = tmp_path_factory.mktemp("own"), {}
    for number, (stated, data) in enumerate(written):
        if {"utilization", "hardware", "chips", "days"} <= {*stated}:  # with operations one figure too many
            del stated["utilization"]
        if "base_model" in stated and "images" in data:
            stated.pop("parameters", None)  # validation refuses another size than that of the base model's network
        if len({"chips", "days"} & {*stated}) == 1:  # a plan is on known chips
            stated.setdefault("hardware", "H100")
        record = record_of(records, **stated, **data) | {"name": f"My model {number}"}
        path = folder / f"my-model-{number}.yaml"
        path.write_text(run_record.text(record, path.name), encoding="utf-8")
        assert yaml.safe_load(path.read_text(encoding="utf-8")) == json.loads(json.dumps(record))
        figures[path.stem] = stated, data
    with contextlib.chdir(folder):
        models = ledger.load_among(sorted(folder.iterdir())).models
    for name, (stated, data) in figures.items():
        phase = models[name].training[0]
        if "tokens" in data:
            low, high = shorthand.ends(data["tokens"]) if isinstance(data["tokens"], str) else data["tokens"]
            assert phase.examples.bounds == pytest.approx((low, high))
        if "days" in stated:
            ends = shorthand.ends(stated["days"]) if isinstance(stated["days"], str) else (stated["days"],) * 2
            assert phase.hardware[0].duration.bounds == pytest.approx(tuple(end * 86_400 for end in ends))


def test_the_record_of_a_few_figures(records):
    figures = {"parameters": "7B", "tokens": "2T", "chips": 256, "hardware": "h100", "days": 20, "precision": "BF16"}
    result = run_record.model_from_figures(figures, records, TODAY)
    assert result.record == {
        "name": "My model",
        "stated_by_user": True,
        "organization": "Unnamed organization",
        "organization_kind": "mixed",
        "published": "2025",
        "domain": "language",
        "scope": "single",
        "parameters": {"value": 7_000_000_000},
        "network": "decoder_only",
        "training": [
            {
                "phase": "pretraining",
                "accounting": "pretraining",
                "example_unit": "token",
                "examples": {"value": 2_000_000_000_000},
                "epochs": {"value": 1},
                "precision": {"value": "bf16"},
                "hardware": [
                    {"chip": {"value": "nvidia-h100-sxm5"}, "chips": {"value": 256}, "duration": {"value": "20 day"}}
                ],
            }
        ],
    }
    assert [figure.name for figure in result.filled] == ["published", "epochs"]


def test_halves_become_whole_chips(records):
    size = {"parameters": "7B", "tokens": "1T", "days": 9}
    halves = record_of(records, **size, hardware="MI250X GCD", chips=512)
    assert halves == record_of(records, **size, hardware="MI250X", chips=256)


def test_a_range_stays_one_and_a_batch_in_sequences_becomes_tokens(records):
    record = record_of(records, parameters=7e9, steps="500k", batch=1024, sequence_length=4096, chips=8, days="5..6")
    (phase,) = record["training"]
    assert phase["batch"] == {"value": 1024 * 4096, "derived": "1024 * 4096"}
    assert phase["hardware"] == [{"chips": {"value": 8}, "duration": {"low": "5 day", "high": "6 day"}}]


def test_images_are_seen_more_than_once_so_that_passes_are_not_filled(records):
    record = record_of(records, config="resnet50", images="1,281,167")
    assert record["architecture"] == {"family": "resnet", "depth": 50, "image_size": 224, "classes": 1000}
    assert (record["domain"], record["training"][0]["example_unit"]) == ("vision", "image")
    assert "epochs" not in record["training"][0]


def test_a_config_gives_the_network_and_where_needed_its_longest_sequence(records, tmp_path):
    config = {"model_type": "gpt2", "n_embd": 768, "n_layer": 12}
    (tmp_path / "config.json").write_text(json.dumps(config))
    stated = {"config": str(tmp_path / "config.json"), "tokens": "10B"}
    result = run_record.model_from_figures(stated, records, TODAY)
    assert result.record["architecture"] == {"family": "hugging_face", "config": config}
    assert result.record["training"][0]["sequence_length"] == {"value": 1024, "derived": "training_length"}
    assert result.filled[0].name == "sequence length"
    shorter = record_of(records, **stated, sequence_length=512)
    assert shorter["training"][0]["sequence_length"] == {"value": 512}


def test_all_that_is_wrong_is_said_at_once(records, tmp_path):
    with refused(
        "parameters: -7B is not above 0; an unknown value is left out",
        "tokens: 1e400 is not a finite number; an unknown value is left out",
        "chips: 0 is not above 0; an unknown value is left out",
        "hardware: 'H1000' is not a chip in the ledger; did you mean 'nvidia-h100-sxm5'?; for another chip, state its dense peak, such as 2.1e14",
        "days: is stated together with chip hours, but both give the time; state only one of them",
    ):
        record_of(records, parameters="-7B", tokens="1e400", chips=0, hardware="H1000", days=3, chip_hours=72)
    half = "write for example 7B, 350k, 1.5e12, or a range 5..6"
    with refused(
        f"parameters: '7BB' is not a number; did you mean 7B? {half}", f"tokens: '7B..' is half a range; {half}"
    ):
        record_of(records, parameters="7BB", tokens="7B..")
    with refused("utilization: 1.4 is above 1, the peak; write 40 percent as 0.4 or 40%"):
        record_of(records, utilization=1.4, chips=8, days=1)
    with refused(
        "steps: needs batch: a step sees a batch",
        "epochs: needs tokens or images or examples: an epoch is one pass over a data set",
    ):
        record_of(records, steps=100, epochs=2)
    page = tmp_path / "config.json"
    page.write_text("<!doctype html><title>config.json</title>")
    with refused(f"config: {page}:1 is a web page, not the config.json on it: download the raw file"):
        record_of(records, config=str(page), tokens=1)


def test_a_record_is_saved_under_an_id_where_nothing_is(tmp_path):
    assert run_record.identifier_of(tmp_path / "my-model.yaml") == "my-model"
    (tmp_path / "mine.yaml").write_text("")
    for name, complaint in (
        ("My Model.yaml", "'My Model' is not an id; did you mean 'my-model'?"),
        ("mine.yaml", f"{tmp_path / 'mine.yaml'} exists already; choose another name"),
        ("mine.json", f"{str(tmp_path / 'mine.json')!r} is not the name of a record; it ends in .yaml"),
    ):
        with refused(f"save: {complaint}"):
            run_record.identifier_of(tmp_path / name)
