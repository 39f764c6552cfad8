"""Tensors in the memory of a GPU by the driver API and DLPack, as a library that is not ours has them: for tests without
PyTorch, on a GPU or on test/lib/FakeDriver."""

import ctypes
import functools

import numpy

Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
CODES = {"i": 0, "u": 1, "f": 2, "b": 6}
READ_ONLY = 1


class DLTensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    ]


class Unversioned(ctypes.Structure):
    _fields_ = [("tensor", DLTensor), ("context", ctypes.c_void_p), ("deleter", Deleter)]


class Versioned(ctypes.Structure):
    _fields_ = [
        ("major", ctypes.c_uint32),
        ("minor", ctypes.c_uint32),
        ("context", ctypes.c_void_p),
        ("deleter", Deleter),
        ("flags", ctypes.c_uint64),
        ("tensor", DLTensor),
    ]


FORMS = {b"dltensor": Unversioned, b"dltensor_versioned": Versioned}
# A capsule has the address of its name.
USED = {name: b"used_" + name for name in FORMS}
python = ctypes.pythonapi
python.PyCapsule_New.restype = ctypes.py_object
python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
python.PyCapsule_GetPointer.restype = ctypes.c_void_p
python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
python.PyCapsule_GetName.restype = ctypes.c_char_p
python.PyCapsule_GetName.argtypes = [ctypes.py_object]
python.PyCapsule_SetName.argtypes = [ctypes.py_object, ctypes.c_char_p]


class Gpu:
    """The primary context of a GPU, with a stream of its own; every call leaves the thread's context as it was."""

    def __init__(self, number=0):
        self.cuda = ctypes.CDLL("libcuda.so.1")
        self.number = number
        self.context, self.stream, self.event = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
        self.check("cuInit", 0)
        self.check("cuDevicePrimaryCtxRetain", ctypes.byref(self.context), number)
        self.call("cuStreamCreate", ctypes.byref(self.stream), 1)  # not ordered with the default stream
        self.call("cuEventCreate", ctypes.byref(self.event), 2)  # without a time

    def close(self):
        """Ends the hold on the context."""
        self.call("cuEventDestroy_v2", self.event)
        self.call("cuStreamDestroy_v2", self.stream)
        self.check("cuDevicePrimaryCtxRelease_v2", self.number)

    def check(self, function, *arguments):
        error = getattr(self.cuda, function)(*arguments)
        if error:
            raise RuntimeError(f"{function}: error {error}")

    def call(self, function, *arguments):
        """Calls a function of the driver in the context."""
        self.check("cuCtxPushCurrent_v2", self.context)
        try:
            self.check(function, *arguments)
        finally:
            self.check("cuCtxPopCurrent_v2", ctypes.byref(ctypes.c_void_p()))

    def current(self):
        """The context of the thread, or None."""
        found = ctypes.c_void_p()
        self.check("cuCtxGetCurrent", ctypes.byref(found))
        return found.value

    def name(self):
        """The model of the GPU."""
        text = ctypes.create_string_buffer(128)
        self.check("cuDeviceGetName", text, len(text), self.number)
        return text.value.decode()

    def allocate(self, size):
        address = ctypes.c_uint64()
        self.call("cuMemAlloc_v2", ctypes.byref(address), ctypes.c_size_t(max(size, 1)))
        return address.value

    def free(self, address):
        self.call("cuMemFree_v2", ctypes.c_uint64(address))

    def pinned(self, content):
        """Returns the address of bytes in memory that the GPU reads later; it is never freed."""
        memory = ctypes.c_void_p()
        self.call("cuMemHostAlloc", ctypes.byref(memory), ctypes.c_size_t(max(len(content), 1)), 0)
        ctypes.memmove(memory, content, len(content))
        return memory

    def write(self, address, content):
        """Enqueues a copy to the address in the GPU's stream."""
        if content:
            self.call("cuMemcpyHtoDAsync_v2", ctypes.c_uint64(address), self.pinned(content),
                      ctypes.c_size_t(len(content)), self.stream)  # fmt: skip

    def read(self, address, size):
        """The bytes at an address, after all work in blocking streams and in the GPU's."""
        content = ctypes.create_string_buffer(size)
        self.call("cuStreamSynchronize", self.stream)
        if size:
            self.call("cuMemcpyDtoH_v2", content, ctypes.c_uint64(address), ctypes.c_size_t(size))
        return content.raw

    def let_wait(self, stream):
        """Another stream waits for what is in the GPU's."""
        self.call("cuEventRecord", self.event, self.stream)
        self.call("cuStreamWaitEvent", ctypes.c_void_p(stream), self.event, 0)


class Tensor:
    """An array on a GPU. `offset` are bytes in front of it in its memory; `strides` are elements."""

    def __init__(self, gpu, array, *, offset=0, strides=None, device=None, read_only=False, old=False):
        array = numpy.asarray(array)
        self.gpu, self.shape, self.dtype = gpu, array.shape, array.dtype
        self.size = array.nbytes
        self.memory = gpu.allocate(offset + array.nbytes)
        self.address = self.memory + offset
        self.strides, self.read_only, self.old = strides, read_only, old
        self.device = (2, gpu.number) if device is None else device
        self.streams = []  # that consumers gave
        self.exports = 0  # of which no deleter was called yet
        gpu.write(self.address, array.tobytes())

    def numpy(self):
        return numpy.frombuffer(self.gpu.read(self.address, self.size), self.dtype).reshape(self.shape)

    def free(self):
        self.gpu.free(self.memory)

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, *, stream=None, **given):
        if self.old and given:
            raise TypeError("this library is older than the argument")
        self.streams.append(stream)
        if stream is not None and stream > 2:
            self.gpu.let_wait(stream)
        versioned = (given.get("max_version") or (0,))[0] >= 1
        return self.capsule(versioned)

    def capsule(self, versioned=False):
        managed = (Versioned if versioned else Unversioned)()
        if versioned:
            managed.major, managed.flags = 1, READ_ONLY if self.read_only else 0
        tensor = managed.tensor
        tensor.data, (tensor.device_type, tensor.device_id) = self.address, self.device
        tensor.ndim = len(self.shape)
        tensor.code, tensor.bits, tensor.lanes = CODES[self.dtype.kind], self.dtype.itemsize * 8, 1
        shape = (ctypes.c_int64 * max(len(self.shape), 1))(*self.shape)
        tensor.shape = shape
        strides = self.strides and (ctypes.c_int64 * len(self.shape))(*self.strides)
        if strides:
            tensor.strides = strides
        self.exports += 1
        managed.deleter = Deleter(functools.partial(self._delete, len(ALIVE)))
        ALIVE[len(ALIVE)] = managed, shape, strides, self
        name = b"dltensor_versioned" if versioned else b"dltensor"
        return python.PyCapsule_New(ctypes.addressof(managed), name, None)

    def _delete(self, key, _):
        self.exports -= 1
        ALIVE[key] = ALIVE[key][:1]  # the function that runs is in it


ALIVE = {}


class Capsule:
    """What a consumer finds in a capsule of DLPack."""

    def __init__(self, capsule):
        name = python.PyCapsule_GetName(capsule)
        self.form = FORMS[name]
        self.address = python.PyCapsule_GetPointer(capsule, name)
        python.PyCapsule_SetName(capsule, USED[name])
        self.managed = self.form.from_address(self.address)
        tensor = self.managed.tensor
        self.device = tensor.device_type, tensor.device_id
        self.shape = tuple(tensor.shape[: tensor.ndim])
        self.type = tensor.code, tensor.bits
        self.data = (tensor.data or 0) + tensor.byte_offset
        self.flags = getattr(self.managed, "flags", None)

    def delete(self):
        self.managed.deleter(self.address)
