"""What is accepted as an input, what is converted, and what is refused."""

import resource

import gensyn
import models
import numpy
import pytest
from onnx import TensorProto, helper

INTEGERS = [f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)]
TYPES = ["bool", *INTEGERS, "float16", "float32", "float64"]


@pytest.fixture
def identity(tmp_path):
    """A function that runs y = x of a type."""

    def of(kind, shape=("n",)):
        number = kind if isinstance(kind, int) else helper.np_dtype_to_tensor_dtype(numpy.dtype(kind))
        return gensyn.compile(models.identity(tmp_path / f"{kind}.onnx", number, shape))

    return of


@pytest.mark.parametrize("kind", TYPES)
def test_every_type_comes_back_as_it_was(identity, kind):
    x = numpy.arange(-3, 7).astype(kind)
    program = identity(kind)
    y = program(x)
    assert program.inputs[0].type == kind and y.dtype == x.dtype and y.tobytes() == x.tobytes()


def test_types_that_numpy_lacks(identity):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    program = identity(TensorProto.BFLOAT16)
    x = numpy.array([1, -2.5, numpy.nan, 3e38]).astype(ml_dtypes.bfloat16)
    for given in (x, x[::-1][::-1]):
        y = program(given)
        assert y.dtype == x.dtype and y.tobytes() == x.tobytes()
    with pytest.raises(gensyn.BadInputError, match="input 'x' is float32; the model wants bfloat16"):
        program(x.astype("float32"))
    with pytest.raises(gensyn.BadInputError, match="input 'x' is uint16; the model wants bfloat16"):
        program(x.view("uint16"))
    assert identity("float32")(x)[:2].tolist() == [1, -2.5]


def layouts(x):
    """The same array in other forms, by their names."""
    wide = numpy.zeros((*x.shape, 3), x.dtype)
    wide[..., 1] = x
    raw = numpy.zeros(x.nbytes + 64, "uint8")
    start = -raw.ctypes.data % 64
    shifted = {}
    for offset in (1, x.dtype.itemsize, 12):
        view = raw[start + offset : start + offset + x.nbytes].view(x.dtype).reshape(x.shape)
        shifted[f"{offset} bytes off"] = view
    constant = x.copy()
    constant.flags.writeable = False
    yield "a stride", wide[..., 1]
    yield "backwards", x[::-1].copy()[::-1]
    yield "columns first", numpy.asfortranarray(x)
    yield "the other byte order", x.astype(x.dtype.newbyteorder())
    yield "read-only", constant
    yield "a subclass", x.view(numpy.matrix)
    yield "lists", x.tolist()
    yield "a memory view", memoryview(x)
    for name, view in shifted.items():
        view[...] = x
        yield name, view


def test_the_layout_changes_nothing(tmp_path):
    program = gensyn.compile(models.linear(tmp_path / "m.onnx"))
    x = numpy.random.default_rng(2).random((37, 3), "float32")
    y, s = program(x)
    for name, other in layouts(x):
        again, sum_again = program(other)
        assert (again.tobytes(), sum_again.tobytes()) == (y.tobytes(), s.tobytes()), name


def test_arrays_without_elements(tmp_path, identity):
    assert identity("float32")([]).shape == (0,)
    y, s = gensyn.compile(models.linear(tmp_path / "m.onnx"))(numpy.zeros((0, 3), "float32"))
    assert y.shape == (0, 4) and s == 0
    assert identity("float32", ())(2.5) == 2.5


@pytest.mark.parametrize(
    ("kind", "given", "wanted"),
    [
        ("float32", numpy.array([0.1, -0.0]), numpy.array([0.1, -0.0], "float32")),
        ("float32", numpy.array([numpy.inf, numpy.nan, 1e-60]), numpy.array([numpy.inf, numpy.nan, 0], "float32")),
        ("float32", numpy.array([1 + 2**-24]), numpy.array([1], "float32")),  # to even
        ("float64", numpy.array([0.1], "float32"), numpy.array([0.1], "float32").astype("float64")),
        ("float16", numpy.array([65519.0], "float32"), numpy.array([65504], "float16")),
        ("float32", [1, 2**24], numpy.array([1, 2**24], "float32")),
        ("float32", [True, False], numpy.array([1, 0], "float32")),
        ("int64", numpy.array([255], "uint8"), numpy.array([255])),
        ("int8", [-128, 127], numpy.array([-128, 127], "int8")),
        ("uint64", [0, 2**63 - 1], numpy.array([0, 2**63 - 1], "uint64")),
        ("int32", [True], numpy.array([1], "int32")),
        ("bool", [True, False], numpy.array([True, False])),
    ],
    ids=str,
)
def test_conversions(identity, kind, given, wanted):
    result = identity(kind)(given)
    assert result.dtype == wanted.dtype and result.tobytes() == wanted.tobytes()


@pytest.mark.parametrize(
    ("kind", "given", "message"),
    [
        ("float32", numpy.array([1e39]), "has a float64 that is too large for float32"),
        ("float16", numpy.array([65520], "float32"), "has a float32 that is too large for float16"),
        ("float32", [2**24 + 1], "is int64 from 16777217 to 16777217; the model wants float32"),
        ("float32", numpy.array([2**63], "uint64"), "the model wants float32, which has the integers from"),
        ("int8", [128], "is int64 from 128 to 128; the model wants int8"),
        ("uint8", [-1], "which has the integers from 0 to 255"),
        ("int64", numpy.array([2**63], "uint64"), "the model wants int64"),
        ("int64", [1.0], "is float64; the model wants int64"),
        ("bool", [1], "is int64; the model wants bool"),
        ("float32", [1j], "is complex128; the model wants float32"),
        ("float32", ["1"], "is <U1; the model wants float32"),
        ("float32", [b"1"], "is |S1; the model wants float32"),
        ("float32", [None], "is object; the model wants float32"),
        ("float32", numpy.array([1.0], object), "is object; the model wants float32"),
        ("float32", numpy.array(["2020"], "datetime64[s]"), "is datetime64"),
        ("float32", numpy.zeros(1, [("a", "float32")]), "the model wants float32"),
        ("float32", [[1], [1, 2]], "is not an array"),
        ("float32", object(), "is object"),
        ("float32", None, "is object"),
        ("float32", {1: 2}, "is object"),
        ("float32", 1.0, r"is \[\]; the model wants \[n\]"),
        ("float32", numpy.zeros((1, 1), "float32"), r"is \[1,1\]; the model wants \[n\]"),
        ("bool", numpy.array([0, 2], "uint8").view(bool), "has a boolean that is neither 0 nor 1"),
        ("float32", numpy.zeros((1,) * 32, "float32"), r"the model wants \[n\]"),
    ],
    ids=str,
)
def test_what_is_refused(identity, kind, given, message):
    program = identity(kind)
    with pytest.raises(gensyn.BadInputError, match=message.replace("|", r"\|")):
        program(given)
    assert program(numpy.zeros(1, kind)).tolist() == [0], "and runs afterwards"


class Hostile:
    """A tensor whose methods fail, or that is elsewhere."""

    def __init__(self, device=(1, 0)):
        self.device = device

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **kwargs):
        raise RuntimeError("no")


def test_other_frameworks(identity):
    program = identity("float32")
    with pytest.raises(gensyn.UnsupportedError, match="input 'x' is in the memory of another device"):
        program(Hostile((2, 0)))
    with pytest.raises(gensyn.BadInputError, match="the model wants float32"):
        program(Hostile())

    class Lent:  # as a tensor of PyTorch: DLPack and nothing else
        def __init__(self, array):
            self.array = array
            self.__dlpack_device__ = array.__dlpack_device__

        def __dlpack_device__(self):
            return self.array.__dlpack_device__()

        def __dlpack__(self, **kwargs):
            return self.array.__dlpack__(**kwargs)

    x = numpy.arange(6, dtype="float32")
    assert program(Lent(x)).tolist() == x.tolist()
    assert program(Lent(x[::2])).tolist() == [0, 2, 4]
    assert program(Lent(x.astype("float64"))).tolist() == x.tolist()


def test_a_fitting_array_is_not_copied(tmp_path):
    program = gensyn.compile(models.total(tmp_path / "m.onnx"))
    # Zeros that nobody writes take no memory; a copy of them does.
    x = numpy.zeros(64 << 20, "float32")
    program(x)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert program(x) == 0
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 1 << 10
    assert before < 200 << 10, "kilobytes; the array alone has 256 MiB"
