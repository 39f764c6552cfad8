"""Tensors in the memory of a GPU: those of other libraries as inputs, and results (docs/Python.md, "CUDA memory")."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from gensyn import _convert
from gensyn._errors import BadInputError

if TYPE_CHECKING:
    from gensyn import _core

# DLPack's numbers of devices.
CPU, CUDA = 1, 2
# Package -> its function that takes results.
IMPORTERS = {"torch": "torch", "jax": "jax.dlpack", "jaxlib": "jax.dlpack", "cupy": "cupy"}


def share(tensor: Any, name: str, stream: int) -> Any:
    """Returns the DLPack capsule of a tensor on a GPU, after the stream, a cudaStream_t, waits for its values."""
    try:
        if getattr(tensor, "requires_grad", False):
            tensor = tensor.detach()
        if hasattr(tensor, "is_contiguous") and not tensor.is_contiguous():
            tensor = tensor.contiguous()
        try:
            return tensor.__dlpack__(stream=stream, max_version=(1, 1))
        except TypeError:  # of a library older than the argument
            return tensor.__dlpack__(stream=stream)
    except Exception as error:  # noqa: BLE001  (of any library)
        raise BadInputError(f"input {name!r} is not shared by its library: {error}") from None


def give(tensor: _core.DeviceTensor, like: Any) -> Any:
    """Returns a result as a tensor of the library of `like`, if that is known, over the same memory."""
    array = DeviceArray(tensor)
    for base in type(like).__mro__:
        package = IMPORTERS.get(base.__module__.partition(".")[0])
        if package in sys.modules:
            return sys.modules[package].from_dlpack(array)
    return array


class DeviceArray:
    """A result in the memory of a GPU, of a call whose inputs are there too; libraries take it by DLPack, uncopied.

    The values are there when the call returns, so no stream has to wait for them. The memory stays as long as this
    object or a tensor over it, which may write to it. It is contiguous, in C order.
    """

    __slots__ = ("__weakref__", "_tensor")

    def __init__(self, tensor: _core.DeviceTensor) -> None:
        self._tensor = tensor

    @property
    def shape(self) -> tuple[int, ...]:
        """The size of each dimension."""
        return self._tensor.shape()

    @property
    def dtype(self) -> str:
        """The type of the elements, as in `TensorSpec.type`."""
        return self._tensor.type()

    @property
    def device(self) -> str:
        """ "cuda:0", with the number that CUDA's runtime gives the GPU."""
        return f"cuda:{self._tensor.device()}"

    def numpy(self) -> Any:
        """Returns a copy on the host, a numpy array.

        Raises:
            UnsupportedError: numpy has the type only with the package `ml_dtypes`, which is missing.
        """
        array = self._tensor.copy_to_host()
        return _convert.with_type(array, self.dtype) if self.dtype in _convert.OTHER_TYPES else array

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any:
        """Returns a DLPack capsule over the memory; see the Python array API standard.

        Args:
            stream: which the consumer works on: None, -1, 1, 2 or a cudaStream_t. None has to wait.
            max_version: the newest version of DLPack that the consumer knows; from (1, 0) on the capsule has one.
            dl_device: None, the own one, or (1, 0): a copy on the host.
            copy: True for a copy, which is made on the host alone.

        Raises:
            BufferError: another device, or a copy on this one.
            ValueError, TypeError: no such stream.
        """
        if stream is not None and (isinstance(stream, bool) or not isinstance(stream, int)):
            raise TypeError(f"stream is {stream!r}, expected None or an integer")
        if stream is not None and (stream < -1 or stream == 0):
            raise ValueError(f"stream is {stream}, which is none of CUDA")
        if dl_device is not None and tuple(dl_device) != self.__dlpack_device__():
            if tuple(dl_device) != (CPU, 0):
                raise BufferError(f"the array is on {self.device}, and is copied to the host alone")
            if copy is False:
                raise BufferError(f"the array is on {self.device}: not without a copy")
            return self.numpy().__dlpack__()
        if copy:
            raise BufferError("copies are made on the host alone")
        return self._tensor.share().__dlpack__(max_version=max_version)

    def __dlpack_device__(self) -> tuple[int, int]:
        """Returns DLPack's number of CUDA, and that of the GPU."""
        return CUDA, self._tensor.device()

    def __repr__(self) -> str:
        return f"<gensyn.DeviceArray {self.dtype}{list(self.shape)} on {self.device}>"
