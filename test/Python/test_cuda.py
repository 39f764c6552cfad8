"""Programs of the back end "cuda" on tensors that other libraries have in a GPU's memory."""

import ctypes
import gc
import os
import sys
import threading
import types
from pathlib import Path

import gensyn
import models
import numpy
import pytest
from cuda_tensors import Capsule, Gpu, Tensor
from onnx import TensorProto

LENET = Path(os.environ["GENSYN_EXAMPLES"]) / "digits" / "lenet.onnx"
RNG = numpy.random.default_rng(1)


@pytest.fixture
def gpu():
    gpu = Gpu()
    yield gpu
    assert gpu.current() is None  # also after a call that failed
    gpu.close()


@pytest.fixture
def linear(tmp_path):
    return gensyn.compile(models.linear(tmp_path / "m.onnx"), backend="cuda")


@pytest.fixture
def calls(tmp_path, monkeypatch):
    """Returns how often functions of the driver were called since the last question."""
    trace = tmp_path / "trace"

    def count(*names):
        lines = trace.read_text().splitlines() if trace.exists() else []
        trace.write_text("")
        return tuple(sum(line.startswith(name) for line in lines) for name in names)

    monkeypatch.setenv("FAKE_DRIVER_TRACE", str(trace))
    return count


def features(*shape):
    return RNG.random(shape, "float32")


def test_bits_are_those_of_the_cpu(gpu):
    images = features(5, 1, 8, 8)
    plain, program = gensyn.compile(LENET), gensyn.compile(LENET, backend="cuda")
    wanted = plain(images).tobytes()
    for _ in range(3):
        logits = program(Tensor(gpu, images))
        assert isinstance(logits, gensyn.DeviceArray)
        assert logits.numpy().tobytes() == wanted
    assert program.digest == plain.digest
    # And arrays stay what they were.
    assert isinstance(program(images), numpy.ndarray)
    assert program(images).tobytes() == wanted


def test_nothing_is_copied(gpu, linear, calls):
    x = Tensor(gpu, features(5, 3))
    linear(x)
    calls()
    y, total = linear(x)
    assert calls("cuMemcpyHtoD", "cuMemcpyDtoD", "cuMemHostAlloc") == (0, 0, 0)
    (stream,) = set(x.streams)
    assert stream > 2  # a stream of its own, and not the default one
    assert x.exports == 0
    assert y.numpy().tobytes() == (again := linear(x.numpy()))[0].tobytes()
    assert total.numpy() == again[1]
    assert total.shape == ()


def test_what_kernels_cannot_read_is_copied_on_the_gpu(gpu, linear, calls):
    array = features(5, 3)
    x = Tensor(gpu, array, offset=4)
    calls()
    y, _ = linear(x)
    assert calls("cuMemcpyDtoD") == (1,)
    assert y.numpy().tobytes() == linear(array)[0].tobytes()


@pytest.mark.parametrize("options", [{"old": True}, {"read_only": True}, {"strides": (3, 1)}, {}], ids=str)
def test_forms_of_tensors(gpu, linear, options):
    array = features(5, 3)
    x = Tensor(gpu, array, **options)
    assert linear(x)[0].numpy().tobytes() == linear(array)[0].tobytes()
    assert linear(x=x)[0].numpy().tobytes() == linear(array)[0].tobytes()
    assert x.numpy().tobytes() == array.tobytes()
    assert x.exports == 0


def test_results_stay_if_all_arrays_are_there(gpu, tmp_path):
    program = gensyn.compile(models.subtract(tmp_path / "m.onnx"), backend="cuda")
    a, b = features(2, 2), features(2, 2)
    wanted = (a - b).tobytes()
    there = program(Tensor(gpu, a), Tensor(gpu, b))
    assert there.numpy().tobytes() == wanted
    for arguments in ((Tensor(gpu, a), b), (a, Tensor(gpu, b))):
        result = program(*arguments)
        assert isinstance(result, numpy.ndarray)
        assert result.tobytes() == wanted
    # Lists are no arrays.
    there = program(Tensor(gpu, a), [[1, 2], [3, 4]])
    assert there.numpy().tobytes() == (a - numpy.array([[1, 2], [3, 4]], "float32")).tobytes()


def test_a_result_is_an_input(gpu, tmp_path, calls):
    program = gensyn.compile(models.identity(tmp_path / "m.onnx"), backend="cuda")
    x = program(Tensor(gpu, numpy.arange(5, dtype="float32")))
    calls()
    y = program(x)
    assert calls("cuMemcpyHtoD") == (0,)
    del x
    assert y.numpy().tolist() == [0, 1, 2, 3, 4]


def test_without_elements(gpu, tmp_path):
    program = gensyn.compile(models.identity(tmp_path / "m.onnx"), backend="cuda")
    y = program(Tensor(gpu, numpy.zeros(0, "float32")))
    assert y.shape == (0,)
    assert y.numpy().shape == (0,)
    assert Capsule(y.__dlpack__()).shape == (0,)


def test_booleans_are_checked(gpu, tmp_path):
    program = gensyn.compile(models.identity(tmp_path / "m.onnx", TensorProto.BOOL), backend="cuda")
    x = Tensor(gpu, numpy.array([True, False]))
    assert program(x).numpy().tolist() == [True, False]
    gpu.write(x.address, bytes([0, 2]))
    with pytest.raises(gensyn.BadInputError, match="neither 0 nor 1"):
        program(x)


def test_the_gpu_is_chosen(gpu, tmp_path):
    other = Gpu(1)
    path = models.identity(tmp_path / "m.onnx")
    x = Tensor(other, numpy.ones(2, "float32"))
    program = gensyn.compile(path, backend="cuda", device=1)
    y = program(x)
    assert y.__dlpack_device__() == (2, 1)
    assert y.device == "cuda:1"
    assert y.numpy().tolist() == [1, 1]
    with pytest.raises(gensyn.UnsupportedError, match="'x' is in the memory of GPU 1; the program runs on GPU 0"):
        gensyn.compile(path, backend="cuda")(x)
    # It says that it is on this GPU.
    x.device = (2, 0)
    with pytest.raises(gensyn.UnsupportedError, match="'x' is in the memory of GPU 1; the program runs on GPU 0"):
        gensyn.compile(path, backend="cuda")(x)
    with pytest.raises(gensyn.UnsupportedError, match="no GPU 7"):
        gensyn.compile(path, backend="cuda", device=7)
    with pytest.raises(gensyn.UsageError, match="device is -1"):
        gensyn.compile(path, backend="cuda", device=-1)
    del program, y
    gc.collect()
    other.close()


def freed(gpu):
    x = Tensor(gpu, features(5, 3))
    x.free()
    return x


def on_the_host(gpu):
    x = Tensor(gpu, features(5, 3))
    x.address = gpu.pinned(bytes(60)).value
    return x


def too_small(gpu):
    x = Tensor(gpu, features(5, 3))
    x.shape = (500, 3)
    return x


def nowhere(gpu):
    x = Tensor(gpu, features(5, 3))
    x.address = 0
    return x


def negative(gpu):
    x = Tensor(gpu, features(5, 3))
    x.shape = (-5, 3)
    return x


def huge(gpu):
    x = Tensor(gpu, features(5, 3))
    x.shape = (2**62, 3)
    return x


class Junk:
    """Has the methods of DLPack, and nothing behind them."""

    def __init__(self, device=(2, 0), capsule=None):
        self.device, self.capsule = device, capsule

    def __dlpack_device__(self):
        if isinstance(self.device, Exception):
            raise self.device
        return self.device

    def __dlpack__(self, **given):
        if isinstance(self.capsule, Exception):
            raise self.capsule
        return self.capsule


REFUSED = {
    "float64": (lambda gpu: Tensor(gpu, numpy.zeros((5, 3))), "'x' is float64; the model wants float32"),
    "int32": (lambda gpu: Tensor(gpu, numpy.zeros((5, 3), "int32")), "'x' is int32; the model wants float32"),
    "rank": (lambda gpu: Tensor(gpu, features(5, 3, 1)), r"the model wants"),
    "shape": (lambda gpu: Tensor(gpu, features(5, 4)), r"the model wants"),
    "strides": (lambda gpu: Tensor(gpu, features(5, 3), strides=(1, 5)), "'x' is not contiguous"),
    "negative strides": (lambda gpu: Tensor(gpu, features(5, 3), strides=(-3, 1)), "'x' is not contiguous"),
    "freed": (freed, "'x' is not in the memory of a GPU"),
    "host": (on_the_host, "'x' is not in the memory of a GPU"),
    "too small": (too_small, "'x' is not in the memory of a GPU"),
    "nowhere": (nowhere, "'x' is not in the memory of a GPU"),
    "negative": (negative, "impossible shape"),
    "huge": (huge, "impossible shape"),
    "ROCm": (lambda gpu: Tensor(gpu, features(5, 3), device=(10, 0)), "memory of another device"),
    "other GPU": (lambda gpu: Tensor(gpu, features(5, 3), device=(2, 3)), "memory of GPU 3"),
    "no capsule": (lambda gpu: Junk(), "'x' has no capsule"),
    "text": (lambda gpu: Junk(capsule="text"), "'x' has no capsule"),
    "exception": (lambda gpu: Junk(capsule=BufferError("away")), "'x' is not shared by its library: away"),
    "no device": (lambda gpu: Junk(device=OSError("none")), "'x' is"),
    "odd device": (lambda gpu: Junk(device="cuda"), "'x' is"),
    "empty device": (lambda gpu: Junk(device=()), "'x' is"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(gpu, linear, case):
    make, message = REFUSED[case]
    with pytest.raises((gensyn.BadInputError, gensyn.UnsupportedError), match=message):
        linear(make(gpu))
    # The program is whole.
    array = features(5, 3)
    assert linear(Tensor(gpu, array))[0].numpy().tobytes() == linear(array)[0].tobytes()


def test_a_capsule_is_used_once(gpu, linear):
    x = Tensor(gpu, features(5, 3))
    junk = Junk(capsule=x.capsule())
    linear(junk)
    with pytest.raises(gensyn.BadInputError, match="'x' has no capsule"):
        linear(junk)
    assert x.exports == 0


def test_other_back_ends_do_not_take_them(gpu, tmp_path):
    x = Tensor(gpu, features(5, 3))
    for backend in ("cpu", "ptx-sim"):
        with pytest.raises(gensyn.UnsupportedError, match="'x' is in the memory of another device"):
            gensyn.compile(models.linear(tmp_path / "m.onnx"), backend=backend)(x)


def test_a_result_has_dlpack(gpu, tmp_path):
    program = gensyn.compile(models.identity(tmp_path / "m.onnx"), backend="cuda")
    y = program(Tensor(gpu, numpy.arange(3, dtype="float32")))
    assert (y.shape, y.dtype, y.device, y.__dlpack_device__()) == ((3,), "float32", "cuda:0", (2, 0))
    assert repr(y) == "<gensyn.DeviceArray float32[3] on cuda:0>"
    old = Capsule(y.__dlpack__())
    new = Capsule(y.__dlpack__(stream=2, max_version=(1, 3), dl_device=(2, 0), copy=False))
    for capsule, flags in ((old, None), (new, 0)):
        assert (capsule.device, capsule.shape, capsule.type, capsule.flags) == ((2, 0), (3,), (2, 32), flags)
    assert old.data == new.data
    # A consumer may write, and the array shows it.
    gpu.call("cuMemcpyHtoD_v2", ctypes.c_uint64(new.data), numpy.float32([7]).tobytes(), ctypes.c_size_t(4))
    assert y.numpy().tolist() == [7, 1, 2]
    # The memory stays for the last consumer.
    del program, y
    gc.collect()
    old.delete()
    assert numpy.frombuffer(gpu.read(new.data, 12), "float32").tolist() == [7, 1, 2]
    new.delete()
    gc.collect()
    with pytest.raises(RuntimeError, match="cuMemFree_v2: error 1"):
        gpu.free(new.data)


def test_what_a_consumer_may_ask_for(gpu, tmp_path):
    program = gensyn.compile(models.identity(tmp_path / "m.onnx"), backend="cuda")
    y = program(Tensor(gpu, numpy.arange(3, dtype="float32")))
    for stream in (None, -1, 1, 2, 2**40):
        Capsule(y.__dlpack__(stream=stream)).delete()
    for stream in (0, -2):
        with pytest.raises(ValueError, match="stream is"):
            y.__dlpack__(stream=stream)
    for stream in (True, "1", 1.0):
        with pytest.raises(TypeError, match="stream is"):
            y.__dlpack__(stream=stream)
    for asked in ({"dl_device": (2, 1)}, {"copy": True}, {"dl_device": (1, 0), "copy": False}):
        with pytest.raises(BufferError):
            y.__dlpack__(**asked)
    host = Capsule(y.__dlpack__(dl_device=(1, 0)))
    assert (host.device, host.shape) == ((1, 0), (3,))
    host.delete()


def test_results_of_known_libraries(gpu, linear, monkeypatch):
    module = types.ModuleType("cupy")
    taken = []
    module.from_dlpack = lambda array: taken.append(array) or "theirs"
    array = features(5, 3)
    ndarray = type("ndarray", (Tensor,), {"__module__": "cupy"})
    other = type("Subclass", (ndarray,), {})
    assert all(isinstance(each, gensyn.DeviceArray) for each in linear(ndarray(gpu, array)))  # it is not loaded
    monkeypatch.setitem(sys.modules, "cupy", module)
    for kind in (ndarray, other):
        assert linear(kind(gpu, array)) == ("theirs", "theirs")
    assert taken[0].numpy().tobytes() == linear(array)[0].tobytes()


def test_methods_of_tensors(gpu, linear):
    """What PyTorch needs before it shares a tensor."""
    array = features(5, 3)

    class Parameter(Tensor):
        requires_grad = True

        def __dlpack__(self, **given):
            raise BufferError("it requires a gradient")

        def detach(self):
            return Transposed(gpu, array, strides=(1, 5))

    class Transposed(Tensor):
        def is_contiguous(self):
            return False

        def contiguous(self):
            return Tensor(gpu, array)

    assert linear(Parameter(gpu, array))[0].numpy().tobytes() == linear(array)[0].tobytes()


def test_threads(gpu, linear):
    wrong = []

    def work(seed):
        array = numpy.random.default_rng(seed).random((2 + seed % 3, 3), "float32")
        wanted = (array @ (numpy.arange(12, dtype="float32").reshape(3, 4) - 5) / 7).round(3)
        tensor = Tensor(gpus[seed], array)
        for _ in range(20):
            y, _ = linear(tensor)
            Capsule(y.__dlpack__(max_version=(1, 0))).delete()
            if not numpy.allclose(y.numpy(), wanted, atol=2e-3) or gpus[seed].current() is not None:
                wrong.append(seed)

    gpus = [Gpu() for _ in range(4)]
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for each in gpus:
        each.close()
    assert not wrong


def test_memory_is_given_back(gpu, linear):
    def free():
        gc.collect()
        sizes = ctypes.c_size_t(), ctypes.c_size_t()
        gpu.call("cuMemGetInfo_v2", *map(ctypes.byref, sizes))
        return sizes[0].value

    def run(times):
        for i in range(times):
            y, _ = linear(x)
            if i % 2:
                Capsule(y.__dlpack__()).delete()

    x = Tensor(gpu, features(50, 3))
    run(4)
    before = free()
    run(300)
    assert free() == before


class Watch(gensyn.Callback):
    """Keeps the digest after each step, and stops the run after the third."""

    def __init__(self):
        self.digests = []

    def on_step_end(self, trainer, record):
        self.digests.append(trainer.digest)
        if len(self.digests) == 3:
            trainer.stop()


def test_training_is_that_of_the_cpu(tmp_path):
    data = features(20, 3), features(20, 4)
    recipe = {"loss": {"kind": "mse", "prediction": "y"}, "optimizer": {"kind": "Adam", "lr": 0.1}, "batch_size": 4}

    def run(backend, **options):
        trainer = gensyn.Trainer(models.linear(tmp_path / "m.onnx"), recipe | {"epochs": 2}, backend=backend, **options)
        # A callback has the state after each step, though steps begin early where there is none.
        watch = Watch()
        steps = trainer.fit(data, callbacks=[watch], progress=False).steps
        own = Watch()
        replaced = gensyn.Callback()
        replaced.on_step_end = own.on_step_end
        steps += trainer.fit(data, callbacks=[replaced], progress=False).steps
        return steps, watch.digests, own.digests, trainer.fit(data, progress=False).digest, trainer.digest

    wanted = run("cpu")
    assert wanted[0] == 3 + 6 and len(wanted[1]) == len(wanted[2]) == 3
    assert run("cuda") == wanted
    assert run("cuda", device=1, device_memory=1 << 20) == wanted
    with pytest.raises(gensyn.UnsupportedError, match="there is no GPU 2"):
        run("cuda", device=2)
    with pytest.raises(gensyn.OutOfResourcesError, match=r"10 bytes \(10 bytes\) are left of --device-memory"):
        run("cuda", device_memory=10)
