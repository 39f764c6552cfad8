"""What becomes of inputs that are no contiguous arrays of the model's type (docs/Python.md), and of types that numpy
lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from gensyn._errors import BadInputError, UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Mapping

    Array = numpy.ndarray[Any, Any]
    DType = numpy.dtype[Any]

# Type of a model -> that of numpy.
NUMPY_TYPES = {
    name: numpy.dtype(name)
    for name in (
        *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
        *("float16", "float32", "float64"),
    )
}
# Type of a model -> its name in the package ml_dtypes, and the integers of its width.
OTHER_TYPES = {
    "bfloat16": ("bfloat16", numpy.uint16),
    "float8e4m3fn": ("float8_e4m3fn", numpy.uint8),
    "float8e4m3fnuz": ("float8_e4m3fnuz", numpy.uint8),
    "float8e5m2": ("float8_e5m2", numpy.uint8),
    "float8e5m2fnuz": ("float8_e5m2fnuz", numpy.uint8),
    "float8e8m0": ("float8_e8m0fnu", numpy.uint8),
}
OTHER_NAMES = [word for word, _ in OTHER_TYPES.values()]
# Every integer up to this size is a number of the type.
EXACT = {"float16": 2**11, "float32": 2**24, "float64": 2**53}
# DLPack's numbers of host memory, the second pinned by CUDA.
HOST = (1, 3)


def require_known_type(name: str, kind: str) -> None:
    """Raises UnsupportedError for a type of elements that are less than a byte."""
    if kind not in NUMPY_TYPES and kind not in OTHER_TYPES:
        raise UnsupportedError(f"{name!r} is {kind}, which arrays of Python do not have")


def type_name(numpy_name: str) -> str:
    """Returns a model's name of a type of numpy or ml_dtypes."""
    return next((name for name, (other, _) in OTHER_TYPES.items() if other == numpy_name), numpy_name)


def with_type(array: Array, kind: str) -> Array:
    """Returns the integers of an array as the numbers of a type that numpy lacks."""
    try:
        import ml_dtypes
    except ImportError:
        raise UnsupportedError(f"an output is {kind}, which numpy has only with the package ml_dtypes") from None
    return array.view(getattr(ml_dtypes, OTHER_TYPES[kind][0]))


def typed_arrays(tensors: Mapping[str, Any]) -> list[tuple[str, str, Array]]:
    """Returns copies of arrays by name, as the runtime takes them: with the names of their own types."""
    result = []
    for name, value in tensors.items():
        array = read_array(value, name)
        kind = type_name(array.dtype.name)
        result.append((str(name), kind, to_array(numpy.array(array), name, kind)))
    return result


def to_array(value: Any, name: str, kind: str) -> Any:
    """Returns a contiguous array of the type `kind` with the values of `value`, of integers of its width if numpy lacks
    the type."""
    array = read_array(value, name, kind)
    if kind in OTHER_TYPES:
        return _same_type(array, name, kind)
    if array.dtype.name in OTHER_NAMES:
        array = array.astype(numpy.float32)  # exact
    wanted = NUMPY_TYPES[kind]
    if array.dtype != wanted:
        array = _change_type(array, name, wanted)
    return numpy.require(array, wanted, ["C", "A"])


def read_array(value: Any, name: str, kind: str = "numbers") -> Array:
    """Returns any value as an array, of whatever type and strides."""
    if hasattr(value, "__dlpack__") and not isinstance(value, (numpy.ndarray, numpy.generic)):
        value = _read_dlpack(value, name)
    try:
        array = numpy.asarray(value)
    except Exception as error:  # noqa: BLE001  (of any framework, or of ragged lists)
        raise BadInputError(f"input {name!r} is not an array: {error}") from None
    if array.dtype.kind not in "biuf" and array.dtype.name not in OTHER_NAMES:
        raise BadInputError(f"input {name!r} is {array.dtype}; the model wants {kind}")
    return array


def _read_dlpack(value: Any, name: str) -> Any:
    """Returns a tensor of another framework as something that numpy reads."""
    try:
        device = value.__dlpack_device__()[0]
    except Exception:  # noqa: BLE001  (of any framework)
        return value
    if device not in HOST:
        raise UnsupportedError(f"input {name!r} is in the memory of another device", "copy it to host memory first")
    if getattr(value, "requires_grad", False):
        value = value.detach()
    if str(getattr(value, "dtype", "")) in [f"torch.{other}" for other in OTHER_NAMES]:
        return _TorchBits(value)
    try:
        return numpy.from_dlpack(value)
    except Exception:  # noqa: BLE001  (of any framework)
        return value  # numpy may know it by another protocol


class _TorchBits:
    """The bits of a tensor of PyTorch, of a type that numpy lacks, for numpy.asarray."""

    def __init__(self, tensor: Any) -> None:
        self.tensor = tensor

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        import torch

        try:
            import ml_dtypes
        except ImportError:
            floats: Array = self.tensor.float().numpy()  # exact, and refused where the type itself is wanted
            return floats
        integer = torch.int16 if self.tensor.element_size() == 2 else torch.int8
        bits: Array = self.tensor.contiguous().view(integer).numpy()
        return bits.view(getattr(ml_dtypes, str(self.tensor.dtype).removeprefix("torch.")))


def _same_type(array: Array, name: str, kind: str) -> Array:
    word, integers = OTHER_TYPES[kind]
    if array.dtype.name != word:
        raise BadInputError(
            f"input {name!r} is {array.dtype}; the model wants {kind}",
            "convert it with PyTorch or the package ml_dtypes: numpy itself has no rounding to this type",
        )
    return numpy.require(array, None, ["C", "A"]).view(integers)


def _change_type(array: Array, name: str, wanted: DType) -> Array:
    """Floats are rounded, and integers keep their values, or it is an error."""
    given, kind = array.dtype.kind, wanted.kind
    what = f"input {name!r}"
    if given == "f" and kind == "f":
        with numpy.errstate(over="ignore"):
            result = array.astype(wanted)
        narrows = array.dtype.itemsize > wanted.itemsize
        if narrows and not numpy.array_equal(numpy.isfinite(result), numpy.isfinite(array)):
            raise BadInputError(f"{what} has a {array.dtype} that is too large for {wanted}, which the model wants")
        return result
    if array.dtype.newbyteorder("=") == wanted:
        return array.astype(wanted)
    low, high = _range_of(wanted)
    if given not in "biu" or kind == "b":
        raise BadInputError(f"{what} is {array.dtype}; the model wants {wanted}")
    if given != "b" and array.size and not low <= int(array.min()) <= int(array.max()) <= high:
        raise BadInputError(
            f"{what} is {array.dtype} from {array.min()} to {array.max()}; the model wants {wanted}, "
            f"which has the integers from {low} to {high}"
        )
    return array.astype(wanted)


def _range_of(kind: DType) -> tuple[int, int]:
    """Returns the range in which every integer is a number of the type."""
    if kind.kind == "f":
        return -EXACT[kind.name], EXACT[kind.name]
    if kind.kind == "b":
        return 0, 1
    bounds = numpy.iinfo(kind)
    return int(bounds.min), int(bounds.max)
