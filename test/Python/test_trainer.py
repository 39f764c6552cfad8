"""Training: the bits of gensyn-run, forms of data, states, folders, callbacks, exceptions."""

import json
import os
import pickle
import signal
import subprocess
import threading
from pathlib import Path

import gensyn
import models
import numpy
import pytest
from tensor_files import read_tensors

DIGITS = Path(os.environ["GENSYN_EXAMPLES"]) / "digits"
LENET, RECIPE = DIGITS / "lenet.onnx", json.loads((DIGITS / "recipe.json").read_text())
TRAIN, TEST = read_tensors(DIGITS / "train.safetensors"), read_tensors(DIGITS / "test.safetensors")
RNG = numpy.random.default_rng(1)
X, Y = RNG.random((20, 3), "float32"), RNG.random((20, 4), "float32")


def run(*words):
    return subprocess.run(["gensyn-run", *map(str, words)], check=True, capture_output=True, text=True).stdout


def linear(tmp_path, **options):
    """A trainer of y = x W, with batches of 4 of the 20 samples in X and Y."""
    recipe = {"loss": {"kind": "mse", "prediction": "y"}, "optimizer": {"kind": "Adam", "lr": 0.1}, "batch_size": 4}
    recipe |= options.pop("recipe", {})
    return gensyn.Trainer(models.linear(tmp_path / "m.onnx"), recipe, **options)


class Samples:
    """A dataset whose samples have numbers."""

    def __init__(self, *arrays):
        self.arrays = arrays

    def __len__(self):
        return len(self.arrays[0])

    def __getitem__(self, i):
        return tuple(array[i] for array in self.arrays)


def batches(size, *arrays):
    return [tuple(array[i : i + size] for array in arrays) for i in range(0, len(arrays[0]), size)]


@pytest.fixture(scope="module")
def tool(tmp_path_factory):
    """The folder of a run of gensyn-run: two epochs of the example."""
    folder = tmp_path_factory.mktemp("tool")
    recipe = folder / "recipe.json"
    recipe.write_text(json.dumps(RECIPE | {"epochs": 2, "batch_size": 40}))
    data = ("--data", DIGITS / "train.safetensors", "--eval-data", DIGITS / "test.safetensors")
    run("train", LENET, "--recipe", recipe, *data, "-o", folder / "run", "--quiet")
    rows = [json.loads(line) for line in (folder / "run" / "log.jsonl").read_text().splitlines()]
    return recipe, rows, folder / "run" / "parameters.safetensors"


@pytest.mark.parametrize("form", ["files", "tuple", "dict", "float64 and int32", "dataset", "in two calls"])
def test_the_bits_are_those_of_gensyn_run(tool, form, tmp_path):
    recipe, rows, parameters = tool
    trainer = gensyn.Trainer(LENET, recipe, folder=tmp_path / "run", threads=1)
    data, test = (TRAIN["x"], TRAIN["target"]), (TEST["x"], TEST["target"])
    if form == "files":
        data, test = DIGITS / "train.safetensors", DIGITS / "test.safetensors"
    elif form == "dict":
        data, test = TRAIN, TEST
    elif form == "float64 and int32":
        data = (TRAIN["x"].astype("float64"), TRAIN["target"].astype("int32"))
    elif form == "dataset":
        data, test = Samples(*data), Samples(*test)
    elif form == "in two calls":
        trainer.fit(data, test, epochs=1, progress=False)
    result = trainer.fit(data, test, progress=False)
    wanted = [row for row in rows if "parameters" in row]
    assert [row["digest"] for row in result.history] == [row["parameters"] for row in wanted][-len(result.history) :]
    assert result.history[-1]["eval_loss"] == [row for row in rows if "eval_loss" in row][-1]["eval_loss"]
    assert (result.digest, result.steps, result.was_finished) == (trainer.digest, 76, False)
    assert (tmp_path / "run" / "parameters.safetensors").read_bytes() == parameters.read_bytes()
    with open(tmp_path / "run" / "log.jsonl") as log:
        losses = [row["loss"] for row in map(json.loads, log) if "loss" in row]
    assert losses == [row["loss"] for row in rows if "loss" in row]


@pytest.mark.parametrize("count", [7, 20])
@pytest.mark.parametrize("accumulate", [1, 2])
@pytest.mark.parametrize("drop_last", [False, True])
def test_datasets_have_the_steps_of_arrays(tmp_path, count, accumulate, drop_last):
    recipe = {"batch_size": 3, "accumulate": accumulate, "drop_last": drop_last, "shuffle": True, "epochs": 2}
    arrays = (X[:count], Y[:count])
    one, other = (
        linear(tmp_path, recipe=recipe).fit(data, data, progress=False) for data in (arrays, Samples(*arrays))
    )
    assert one.digest == other.digest and one.steps == other.steps
    assert one.history[-1]["eval_loss"] == other.history[-1]["eval_loss"]


def test_batches_are_steps(tmp_path):
    whole, stepped, streamed = (linear(tmp_path, recipe={"epochs": 2}) for _ in range(3))
    whole.fit((X, Y), progress=False)
    losses = [stepped.step(batch) for batch in batches(4, X, Y) * 2]
    seen = []
    result = streamed.fit(batches(4, X, Y), batches(5, X, Y), callbacks=[Record(seen)], progress=False)
    assert [record["loss"] for record in seen] == losses and len(losses) == 10
    assert whole.digest == stepped.digest == streamed.digest == result.digest
    assert (stepped.steps, stepped.epochs, streamed.steps, streamed.epochs) == (10, 0, 10, 2)
    # The mean over samples does not depend on how they are divided, but for the order of its sum in f64.
    assert result.history[-1]["eval_loss"] == pytest.approx(whole.evaluate((X, Y))["eval_loss"], rel=1e-6)


class Record(gensyn.Callback):
    """Keeps the records of steps."""

    def __init__(self, seen):
        self.seen = seen

    def on_step_end(self, trainer, record):
        self.seen.append(record)


def test_batches_of_any_size_and_form(tmp_path):
    trainer = linear(tmp_path, recipe={"batch_size": None})
    for batch in ((X[:3], Y[:3]), {"target": Y[3:8], "x": X[3:8]}, [X[8:].tolist(), Y[8:]], ((X[:1],), Y[:1])):
        trainer.step(batch)
    assert trainer.steps == 4
    assert [spec.name for spec in trainer.inputs] == ["x", "target"]
    for batch, message in (
        ((X,), r"the batch: got 1 arrays, expected 2: \['x', 'target'\]"),
        ({"x": X}, "the batch: there is no 'target'"),
        ({"x": X, "z": Y}, "the batch: 'z' is not among"),
        ((X[:3], Y[:4]), "the batch: 'target' has 4 samples, 'x' has 3"),
        ((X[:0], Y[:0]), "the batch has no samples"),
        ((X[:, :2], Y), r"the batch: input 'x' .*2.*; the model wants"),
    ):
        with pytest.raises(gensyn.BadInputError, match=message):
            trainer.step(batch)
    assert trainer.steps == 4
    with pytest.raises(gensyn.BadInputError, match="the batch has 20 samples, and a step of the recipe 4"):
        linear(tmp_path).step((X, Y))


def test_a_state_goes_on_in_another_trainer(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    steps = batches(4, X, Y) * 2
    one, other, third = (linear(tmp_path) for _ in range(3))
    for batch in steps[:3]:
        one.step(batch)
    state = one.state_dict()
    one.save("saved")  # a name without a folder
    for batch in steps[3:]:
        one.step(batch)
    assert sorted(state["model"]) == ["w"] and "w.exp_avg" in state["optimizer"]
    other.load_state_dict(state)
    third.load(tmp_path / "saved")
    for trainer in (other, third):
        assert trainer.steps == 3
        before = trainer.evaluate((X, Y))["eval_loss"]
        for batch in steps[3:]:
            trainer.step(batch)
        assert trainer.digest == one.digest and trainer.steps == 10
        assert trainer.evaluate((X, Y))["eval_loss"] < before
    other.load_state_dict(state)  # back again
    assert other.steps == 3 and other.digest != one.digest
    with pytest.raises(gensyn.UsageError, match="not one of state_dict"):
        other.load_state_dict({})
    broken = state | {"model": {"w": numpy.zeros(3, "float32")}}
    with pytest.raises(gensyn.BadInputError, match="the state: "):
        other.load_state_dict(broken)
    with pytest.raises(gensyn.UsageError, match="no state before the first step"):
        linear(tmp_path).state_dict()


def test_trained_parameters_run(tmp_path):
    trainer = linear(tmp_path, folder=tmp_path / "run")
    trainer.fit((X, Y), progress=False)
    model, state = tmp_path / "m.onnx", trainer.state_dict()["model"]
    wanted = (X.astype("float64") @ state["w"].astype("float64")).astype("float32")
    for parameters in (state, tmp_path / "run", tmp_path / "run" / "parameters.safetensors"):
        program = gensyn.compile(model, parameters=parameters)
        for count in (20, 3):  # two programs, one store
            # Sums of three products in float32.
            assert numpy.allclose(program(X[:count])[0], wanted[:count], rtol=0, atol=3 * 2**-23)
    copied = pickle.loads(pickle.dumps(gensyn.compile(model, parameters=state)))
    state["w"][:] = 0
    assert (copied(X)[0] == program(X)[0]).all()
    for given, message in (
        ({"v": numpy.zeros(3, "float32")}, "parameters: .*'v'"),
        ({"w": numpy.zeros(3, "float32")}, r"parameters: .*'w' is .*\[3\]"),
    ):
        with pytest.raises(gensyn.BadInputError, match=message):
            gensyn.compile(model, parameters=given)(X)
    with pytest.raises(gensyn.FileError, match="absent: cannot be opened"):
        gensyn.compile(model, parameters="absent")


def test_a_run_in_a_folder_goes_on(tmp_path):
    folder = tmp_path / "run"
    whole = linear(tmp_path).fit((X, Y), epochs=3, progress=False)
    first = linear(tmp_path, folder=folder, checkpoint_every="2steps", keep=1)
    assert first.fit((X, Y), epochs=3, max_steps=7, progress=False).steps == 7
    assert [each.name for each in (folder / "checkpoints").iterdir()] == ["step-7"]
    with pytest.raises(gensyn.FileError, match="another run is writing to it"):
        linear(tmp_path, folder=folder, resume=True)
    del first
    with pytest.raises(gensyn.FileError, match="holds an earlier run"):
        linear(tmp_path, folder=folder)
    second = linear(tmp_path, folder=folder, resume=True)
    result = second.fit((X, Y), epochs=3, progress=False)
    assert (result.digest, result.steps) == (whole.digest, 15)
    assert [row["epoch"] for row in result.history] == [2, 3]
    assert second.fit((X, Y), epochs=3, progress=False).was_finished
    with pytest.raises(gensyn.BadInputError, match="data: are other data than those of the run"):
        del second
        linear(tmp_path, folder=folder, resume=True).fit((X[:8], Y[:8]), progress=False)
    again = linear(tmp_path, folder=folder, overwrite=True)
    assert again.fit((X, Y), epochs=1, progress=False).steps == 5


def test_batches_go_on_within_an_epoch(tmp_path):
    data = batches(4, X, Y)
    whole = linear(tmp_path).fit(data, epochs=2, progress=False)
    for folder in (None, tmp_path / "run"):
        trainer = linear(tmp_path, folder=folder)
        trainer.fit(data, epochs=2, max_steps=7, progress=False)
        if folder:
            del trainer
            trainer = linear(tmp_path, folder=folder, resume=True)
        assert trainer.fit(data, epochs=2, progress=False).digest == whole.digest
    trainer = linear(tmp_path)
    trainer.fit((X, Y), epochs=2, max_steps=7, progress=False)
    with pytest.raises(gensyn.BadInputError, match="data: are other data than those of epoch 2, which has begun"):
        trainer.fit((Y[:, :3], Y), epochs=2, progress=False)


def test_what_callbacks_and_iterators_raise(tmp_path):
    trainer = linear(tmp_path, folder=tmp_path / "run")

    class Stop(gensyn.Callback):
        def on_step_end(self, trainer, record):
            assert trainer.state_dict()["model"]["w"].shape == (3, 4)
            with pytest.raises(gensyn.UsageError, match="another call of the trainer is in progress"):
                trainer.step((X[:4], Y[:4]))
            if record["step"] == 2:
                trainer.stop()
            if record["step"] == 4:
                raise KeyError("of the callback")

    assert trainer.fit((X, Y), epochs=2, callbacks=[Stop()], progress=False).steps == 2
    with pytest.raises(KeyError, match="of the callback"):
        trainer.fit((X, Y), epochs=2, callbacks=[Stop()], progress=False)
    assert trainer.steps == 4 and (tmp_path / "run" / "checkpoints" / "step-4").is_dir()

    def failing():
        yield from batches(4, X, Y)[:2]
        raise OSError("of the iterator")

    other = linear(tmp_path)
    with pytest.raises(OSError, match="of the iterator"):
        other.fit(failing(), progress=False)
    assert other.steps == 2
    with pytest.raises(gensyn.BadInputError, match="data: epoch 2 has no batches"):
        linear(tmp_path).fit(iter(batches(4, X, Y)), epochs=2, progress=False)


def test_interrupt_leaves_a_checkpoint(tmp_path):
    # A job in the background of a shell ignores the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    whole = linear(tmp_path).fit((X, Y), epochs=40, progress=False)
    trainer = linear(tmp_path, folder=tmp_path / "run", checkpoint_every="1000epochs")

    class Interrupt(gensyn.Callback):
        def on_step_end(self, trainer, record):
            if record["step"] == 12:
                os.kill(os.getpid(), signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        trainer.fit((X, Y), epochs=40, callbacks=[Interrupt()], progress=False)
    signal.signal(signal.SIGINT, before)
    assert 12 <= trainer.steps <= 13
    assert (tmp_path / "run" / "checkpoints" / f"step-{trainer.steps}").is_dir()
    assert trainer.fit((X, Y), epochs=40, progress=False).digest == whole.digest


def test_a_loss_that_is_not_finite(tmp_path):
    bad = X.copy()
    bad[9, 1] = numpy.nan
    trainer = linear(tmp_path, folder=tmp_path / "run")
    searched = pytest.warns(UserWarning, match="looking for where it came from")
    with searched, pytest.raises(gensyn.BadInputError, match="the loss of step 3 is NaN") as raised:
        trainer.fit((bad, Y), progress=False)
    assert "the state after step 2 is saved in" in raised.value.note
    assert raised.value.note.endswith('on_nan="continue" goes on regardless')
    assert "sample 9 has a NaN in 'x'" in raised.value.note
    with pytest.raises(gensyn.BadInputError, match="the loss of step 3 is NaN") as raised:
        linear(tmp_path).fit((bad, Y), progress=False)
    assert "sample 9 has a NaN in 'x'" in raised.value.note
    with pytest.warns(UserWarning, match="the loss of step 3 is not finite"):
        assert linear(tmp_path, on_nan="continue").fit((bad, Y), progress=False).steps == 5


def test_streams_of_tokens(tmp_path):
    model = models.language(tmp_path / "m.onnx")
    tokens = RNG.integers(0, 16, 200)
    recipe = {
        "loss": {"kind": "softmax_cross_entropy"},
        "optimizer": gensyn.optim.SGD(lr=0.1),
        "batch_size": 4,
        "shuffle": True,
    }
    numpy.save(tmp_path / "tokens.npy", tokens)
    digests = []
    for data in (tokens, tmp_path / "tokens.npy"):
        trainer = gensyn.Trainer(model, recipe)
        digests.append(trainer.fit(data, sequence_length=8, progress=False).digest)
        assert trainer.steps == 6, "24 windows of 8 tokens, each with the next one"
    assert digests[0] == digests[1]


def test_one_call_at_a_time(tmp_path):
    trainer = linear(tmp_path)
    trainer.step((X[:4], Y[:4]))
    errors = []

    class Other(gensyn.Callback):
        def on_epoch_end(self, _trainer, record):
            def call():
                try:
                    trainer.step((X[:4], Y[:4]))
                except gensyn.UsageError as error:
                    errors.append(str(error))

            thread = threading.Thread(target=call)
            thread.start()
            thread.join()

    trainer.fit((X, Y), callbacks=[Other()], progress=False)
    assert errors == ["another call of the trainer is in progress"]
    child = os.fork()
    if child == 0:
        try:
            trainer.step((X[:4], Y[:4]))
        except gensyn.UsageError as error:
            os._exit(7 if "child of fork" in str(error) else 1)
        os._exit(2)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    trainer.step((X[:4], Y[:4]))


@pytest.mark.parametrize(
    ("error", "options", "message"),
    [
        (gensyn.UsageError, {"on_nan": "stay"}, "on_nan is 'stay', expected 'stop' or 'continue'"),
        (gensyn.UsageError, {"resume": True, "overwrite": True}, "resume and overwrite"),
        (gensyn.UsageError, {"checkpoint_every": "often"}, "checkpoint_every is 'often', expected such as '500steps'"),
        (gensyn.UsageError, {"keep": 0}, "keep is 0, expected"),
        (gensyn.UsageError, {"recipe": 3}, "recipe is int, expected a gensyn.Recipe"),
        (gensyn.UsageError, {"recipe": {"loss": {"kind": "mse", "weight": object()}}}, "a value is object"),
        (gensyn.BadInputError, {"recipe": {"los": 3}}, "the recipe: .*'los'"),
        (gensyn.BadInputError, {"recipe": {"loss": {"kind": "mse"}, "epochs": 0}}, "the recipe: 'epochs'"),
        (gensyn.FileError, {"recipe": "absent.json"}, "absent.json: No such file"),
        (gensyn.UsageError, {"recipe": __file__}, "is not JSON"),
        (gensyn.FileError, {"model": "absent.onnx"}, "absent.onnx: cannot be opened"),
        (gensyn.UsageError, {"example_inputs": 3}, "example inputs are for a torch.nn.Module"),
    ],
    ids=str,
)
def test_what_cannot_be_opened_is_an_exception(error, options, message):
    with pytest.raises(error, match=message):
        gensyn.Trainer(**{"model": LENET, "recipe": RECIPE, **options})


def test_data_that_do_not_fit(tmp_path):
    for data, error, message in (
        ((X,), gensyn.BadInputError, r"data: got 1 arrays, expected 2: \['x', 'target'\]"),
        (3, gensyn.UsageError, "data is int, expected arrays"),
        ("absent.safetensors", gensyn.FileError, "absent.safetensors: cannot be opened"),
        ((X, Y.astype("complex64")), gensyn.BadInputError, "'target' is complex64"),
        ((X, Y[:3]), gensyn.BadInputError, "data: 'target' has 3 samples, 'x' has 20"),
        ([], gensyn.BadInputError, "data: epoch 1 has no batches"),
        ([(X[:2], Y[:3])], gensyn.BadInputError, "data: batch 0 of epoch 1: 'target' has 3 samples, 'x' has 2"),
        ([3], gensyn.BadInputError, "data: batch 0: is int, expected arrays"),
    ):
        with pytest.raises(error, match=message):
            linear(tmp_path).fit(data, progress=False)
    with pytest.raises(gensyn.BadInputError, match="data: 3 samples do not fill a batch of 4"):
        linear(tmp_path, recipe={"drop_last": True}).fit(Samples(X[:3], Y[:3]), progress=False)
    digits = gensyn.Trainer(LENET, RECIPE)
    with pytest.raises(gensyn.BadInputError, match="element 0 is 10; the model has classes 0 to 9"):
        digits.fit((TRAIN["x"], TRAIN["target"] + 10), progress=False)
    with pytest.raises(gensyn.BadInputError, match="element 0 is 10; the model has classes 0 to 9"):
        digits.step((TRAIN["x"][:4], numpy.full(4, 10)))
