"""Programs: bits, names, symbolic dimensions, exceptions."""

import gc
import json
import os
import pickle
import subprocess
import weakref
from pathlib import Path

import gensyn
import models
import numpy
import pytest

LENET = Path(os.environ["GENSYN_EXAMPLES"]) / "digits" / "lenet.onnx"
RNG = numpy.random.default_rng(1)


def run(*words):
    return subprocess.run(["gensyn-run", *map(str, words)], check=True, capture_output=True, text=True).stdout


@pytest.fixture
def images():
    return RNG.random((5, 1, 8, 8), "float32")


def test_bits_and_digest_are_those_of_gensyn_run(tmp_path, images):
    numpy.savez(tmp_path / "x.npz", x=images)
    printed = run("infer", LENET, "--inputs", tmp_path / "x.npz", "--outputs", tmp_path / "y.safetensors")
    program = gensyn.compile(LENET)
    logits = program(images)
    assert program.digest in printed
    # The tensor is the end of the file, which has no other one.
    assert (tmp_path / "y.safetensors").read_bytes().endswith(logits.tobytes())


@pytest.mark.parametrize(
    "options",
    [{"threads": 1}, {"threads": 3}, {"instruction_set": "x86-64"}, {"backend": "reference"}, {"backend": "ptx-sim"}],
    ids=str,
)
def test_nothing_but_the_model_changes_a_bit(options, images):
    plain, other = gensyn.compile(LENET), gensyn.compile(LENET, **options)
    assert plain(images).tobytes() == other(images).tobytes()
    assert plain.digest == other.digest
    assert plain.target.startswith("cpu:")


def test_accuracy_is_part_of_the_program(images):
    program = gensyn.compile(LENET, accuracy="exact")
    program(images)
    plain = gensyn.compile(LENET)
    plain(images)
    assert program.digest != plain.digest


def test_describes_itself(tmp_path):
    program = gensyn.compile(models.linear(tmp_path / "m.onnx"))
    assert program.inputs == (gensyn.TensorSpec("x", "float32", ("batch", 3)),)
    assert program.outputs == (("y", "float32", ("batch", 4)), ("s", "float32", ()))
    assert "(x: float32['batch', 3]) -> (y: float32['batch', 4], s: float32[]) on cpu:" in repr(program)
    assert gensyn.__version__.count(".") == 2


def test_results_are_arrays_of_the_caller(tmp_path):
    program = gensyn.compile(models.linear(tmp_path / "m.onnx"))
    y, s = program(numpy.ones((2, 3), "float32"))
    assert (y.shape, s.shape, y.dtype, s.dtype) == ((2, 4), (), numpy.float32, numpy.float32)
    kept = y.copy()
    again, _ = program(numpy.zeros((2, 3), "float32"))
    assert (y == kept).all() and (again != kept).any(), "the second call wrote elsewhere"
    y += 1  # writable
    assert (program(numpy.zeros((2, 3), "float32"))[0] == again).all()


def test_arguments_by_name_and_place(tmp_path):
    program = gensyn.compile(models.subtract(tmp_path / "m.onnx"))
    a, b = numpy.full((1, 2), 5, "float32"), numpy.full((1, 2), 3, "float32")
    for result in (program(a, b), program(a, b=b), program(b=b, a=a)):
        assert (result == 2).all()
    for args, kwargs, message in (
        ((a,), {}, "no value for input 'b'"),
        ((a, b, a), {}, "got 3 arguments, expected 2"),
        ((a, b), {"a": a}, "input 'a' is given twice"),
        ((a,), {"c": b}, "the model has no input 'c'"),
    ):
        with pytest.raises(gensyn.UsageError, match=message) as raised:
            program(*args, **kwargs)
        assert raised.value.note in ("", "the inputs are ['a', 'b']")


def test_symbolic_dimensions_take_the_sizes_given(tmp_path):
    program = gensyn.compile(models.linear(tmp_path / "m.onnx"), specializations=2)
    assert program.digest is None
    digests = []
    for n in (1, 2, 3, 1, 3):
        x = RNG.random((n, 3), "float32")
        assert program(x)[0].shape == (n, 4)
        digests.append(program.digest)
        assert program._core.count_programs() == min(len(set(digests)), 2)
    assert digests[0] == digests[3] and digests[2] == digests[4] and len(set(digests)) == 3
    bound = gensyn.compile(models.linear(tmp_path / "m.onnx"), dims={"batch": 2})
    assert bound.inputs[0].shape == (2, 3) and bound.digest == digests[1]
    with pytest.raises(gensyn.BadInputError, match=r"input 'x' is \[3,3\]; the model wants \[2,3\]"):
        bound(x)


def test_dimensions_of_one_name_have_one_size(tmp_path):
    program = gensyn.compile(models.subtract(tmp_path / "m.onnx"))
    with pytest.raises(gensyn.BadInputError, match="dimension 'n' is 3; input 'a' has it as 2"):
        program(numpy.zeros((2, 2), "float32"), numpy.zeros((3, 2), "float32"))


def test_a_fault_on_data_is_an_exception(tmp_path):
    program = gensyn.compile(models.gather(tmp_path / "m.onnx"))
    assert program([3, 0]).tolist() == [[6, 7], [0, 1]]
    with pytest.raises(gensyn.BadInputError, match=r"node 'rows' \(Gather\): element \d+: index out of range"):
        program([1, 4])
    assert program([1, 2]).tolist() == [[2, 3], [4, 5]]


def test_a_package_needs_no_compiler(tmp_path, images):
    package = tmp_path / "m.gxe"
    run("compile", LENET, "--target", "cpu", "--batch-size", "5", "-o", package, "--quiet")
    program = gensyn.compile(package)
    assert program(images).tobytes() == gensyn.compile(LENET)(images).tobytes()
    with pytest.raises(gensyn.UnsupportedError, match="m.gxe: .* batch"):
        program(images[:4])


@pytest.mark.parametrize(
    ("error", "options", "message"),
    [
        (gensyn.UsageError, {"backend": "gpu"}, "backend 'gpu' is not known"),
        (gensyn.UsageError, {"instruction_set": "z80"}, "instruction set 'z80' is not known"),
        (
            gensyn.UsageError,
            {"accuracy": "some"},
            "accuracy is 'some', expected 'fast', 'accurate', 'exact' or 'sliced'",
        ),
        (gensyn.UsageError, {"threads": -1}, "threads is -1, expected a whole number from 0 to 4096"),
        (gensyn.UsageError, {"threads": 1.5}, "threads is 1.5, expected a whole number"),
        (gensyn.UsageError, {"specializations": 0}, "specializations is 0, expected"),
        (gensyn.UsageError, {"dims": {"batch": 0}}, r"dims\['batch'\] is 0, expected a whole number from 1"),
        (gensyn.UsageError, {"dims": {"other": 3}}, "no dimension is named 'other'; there are 'batch'"),
        (gensyn.UnsupportedError, {"instruction_set": "aarch64"}, "aarch64"),
        (gensyn.UsageError, {"model": 3}, "model is 3, expected the path of a file"),
        (gensyn.UsageError, {"model": "a\0b"}, "a path has no null character"),
        (gensyn.FileError, {"model": "absent.onnx"}, "absent.onnx: cannot be opened"),
        (gensyn.BadInputError, {"model": __file__}, "is text, not an ONNX model"),
    ],
    ids=str,
)
def test_what_cannot_be_opened_is_an_exception(error, options, message):
    with pytest.raises(error, match=message):
        gensyn.compile(**{"model": LENET, **options})


def test_exceptions_have_the_exit_codes_of_gensyn_run():
    classes = [gensyn.UsageError, gensyn.BadInputError, gensyn.UnsupportedError]
    classes += [gensyn.FileError, gensyn.OutOfResourcesError, gensyn.InternalError]
    assert [each.exit_code for each in classes] == [2, 3, 4, 5, 6, 70]
    for each in classes:
        error = pickle.loads(pickle.dumps(each("what", "advice")))
        assert (type(error), str(error), error.note) == (each, "what", "advice")
        assert isinstance(error, gensyn.Error)


def count_threads():
    """The threads of this process: a program has some of its own."""
    return len(os.listdir("/proc/self/task"))


def test_nothing_stays_behind(images):
    program = gensyn.compile(LENET, threads=2)
    program(images)
    gc.collect()
    gc.disable()
    watched = weakref.ref(program)
    before = count_threads()
    del program
    assert watched() is None and count_threads() == before - 1, "freed without the collector of cycles"
    gc.enable()


def test_a_pickle_opens_the_same_model_with_the_same_arguments(tmp_path, monkeypatch, images):
    (tmp_path / "lenet.onnx").write_bytes(LENET.read_bytes())
    monkeypatch.chdir(tmp_path)
    program = gensyn.compile("lenet.onnx", accuracy="exact", dims={"batch": 5}, threads=1, cache="")
    logits = program(images)
    packed = pickle.dumps(program)
    monkeypatch.chdir("/")
    copy = pickle.loads(packed)
    assert copy(images).tobytes() == logits.tobytes()
    assert copy.digest == program.digest
    assert (copy.inputs, copy.outputs, copy.target) == (program.inputs, program.outputs, program.target)
    with pytest.raises(gensyn.BadInputError, match="wants"):
        copy(images[:4])
    (tmp_path / "lenet.onnx").unlink()
    with pytest.raises(gensyn.FileError, match="lenet.onnx"):
        pickle.loads(packed)


def test_kernels_are_those_that_gensyn_run_lists(images):
    program = gensyn.compile(LENET, instruction_set="x86-64")
    assumed = program.kernels()
    program(images)
    info = json.loads(run("info", LENET, "--kernels", "--json", "--target", "cpu:x86-64", "--dim", "batch=5"))
    assert program.kernels() == info["kernels"]
    assert [kernel["node"] for kernel in assumed] == [kernel["node"] for kernel in info["kernels"]]
    assert assumed != info["kernels"], "of another batch"
    assert gensyn.compile(LENET, backend="ptx-sim", dims={"batch": 5}).kernels()[0]["elements"] == 5120


def test_kernels_of_a_compiled_model_are_not_listed(tmp_path):
    run("compile", LENET, "--target", "cpu", "-o", tmp_path / "m.gxe", "--batch-size", "5", "--quiet")
    with pytest.raises(gensyn.UsageError, match="m.gxe: is compiled already"):
        gensyn.compile(tmp_path / "m.gxe").kernels()


def test_profile_adds_up_runs(images):
    program = gensyn.compile(LENET, profile=True)
    plain = gensyn.compile(LENET)
    assert program.profile()["runs"] == 0
    for _ in range(3):
        assert program(images).tobytes() == plain(images).tobytes()
    times = program.profile(clear=True)
    assert times["runs"] == 3 and times["seconds"] > 0
    seconds = [kernel["seconds"] for kernel in times["kernels"]]
    assert seconds == sorted(seconds, reverse=True) and sum(seconds) <= times["seconds"]
    # All but what is computed once for the parameters.
    assert {kernel["launches"] for kernel in times["kernels"]} <= {1, 3}
    nodes = {kernel["operations"] for kernel in times["kernels"]}
    assert nodes >= {kernel["node"] for kernel in program.kernels()}
    assert program.profile() == {"runs": 0, "seconds": 0, "baseline_seconds": 0, "kernels": []}
    with pytest.raises(gensyn.UsageError, match="no times were measured") as caught:
        plain.profile()
    assert caught.value.note == "profile=True measures them"
    with pytest.raises(gensyn.UsageError, match="profile is for the back ends"):
        gensyn.compile(LENET, backend="reference", profile=True)


def test_advice_names_arguments_of_python(tmp_path):
    run("compile", LENET, "--target", "cpu", "-o", tmp_path / "m.gxe", "--batch-size", "5", "--quiet")
    with pytest.raises(gensyn.UsageError, match="^dims is for models: .*m.gxe is compiled already"):
        gensyn.compile(tmp_path / "m.gxe", dims={"batch": 5})
    in_python = gensyn._errors.in_python
    assert in_python("give it one: --dim batch=N") == 'give it one: dims={"batch": N}'
    assert in_python("--backend cpu gives the same bits") == 'backend="cpu" gives the same bits'
    assert in_python("--backend ptx-sim, reference and cuda do without").startswith('backend="ptx-sim", reference')
    assert in_python("--compiler-memory says how much") == "gensyn-run's --compiler-memory says how much"
    assert in_python("a--dim of --threads, run--x") == "a--dim of threads, run--x"
    error = gensyn._errors.make_error(3, "model --dim.onnx: malformed", "")
    assert str(error) == "model --dim.onnx: malformed"
