"""Which tasks follow from the options, and in which order."""

from pipeline.measure.harness import networks, products
from pipeline.measure.harness.plan import LARGEST, Options, plan

GPU = Options("cuda")
STUDY = networks.networks()


def test_the_plan_on_a_gpu_has_every_way():
    tasks = plan(STUDY, GPU, products.libraries("cuda"))
    timed = {(w.batch, w.precision, w.layout, w.mode) for w in tasks if w.part == "time" and w.network == "resnet50"}
    assert timed == {
        (batch, precision, layout, mode)
        for batch in (1, 64, 128, LARGEST)
        for precision in ("fp32", "tf32", "bf16", "fp16")
        for layout in ("channels_first", "channels_last")
        for mode in ("eager", "compiled")
    }
    assert len({task.name for task in tasks}) == len(tasks)
    sizes = [task.size for task in tasks if task.part == "products" and task.library == "cupy"]
    assert (sizes[0], sizes[-1], len(sizes)) == (1000, 20_000, 39)


def test_the_most_informative_tasks_are_first():
    tasks = plan(STUDY, GPU)
    compiled = min(index for index, task in enumerate(tasks) if task.mode == "compiled")
    plain = [index for index, task in enumerate(tasks) if (task.layout, task.mode) == ("channels_first", "eager")]
    assert tasks[0].part == "ceilings"
    assert max(plain) < compiled


def test_tasks_without_a_meaning_are_left_out():
    cpu = plan(STUDY, Options("cpu"))
    assert not [task for task in cpu if task.precision == "tf32" or task.batch == LARGEST or task.part == "hardware"]
    both = plan(STUDY, GPU)
    assert not [
        task for task in both if task.layout == "channels_last" and task.network in ("gpt2", "vit_base_patch16")
    ]
    assert not [task for task in both if task.mode == "compiled" and task.network == "lstm_large"]


def test_batches_of_the_options_replace_all_others():
    tasks = plan(STUDY[:1], Options("cuda", batches=(16,), parts=("time",)))
    assert {task.batch for task in tasks} == {16}
