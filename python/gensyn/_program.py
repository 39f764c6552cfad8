"""Models that are called like functions."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from gensyn import _convert, _core, _device
from gensyn._arguments import path_of, whole
from gensyn._errors import FileError, UsageError
from gensyn._module import open_model

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gensyn._convert import Array


class TensorSpec(NamedTuple):
    """An input or output of a model.

    Attributes:
        name: as in the model.
        type: "float32", "int64", "bool", "bfloat16", ...
        shape: for each dimension its size, the name of a symbolic one, or None for an open one without a name.
    """

    name: str
    type: str
    shape: tuple[int | str | None, ...]


class Program:
    """A compiled model; `gensyn.compile` makes one.

    A call runs it. Inputs are given in the order of `inputs` or by their names. Each is a numpy array, an object with
    DLPack in host memory (a tensor of PyTorch or JAX), a number or nested lists of numbers. An array of the model's
    type is read where it is if it is contiguous (C order) and aligned to its elements; docs/Python.md has the rules by
    which others are converted. The result is a new numpy array, or a tuple of them if the model has several outputs.

    On the back end "cuda" an object with DLPack may also be in the memory of the program's GPU. It is read there, and if
    all arrays of a call are there, the results are too: tensors of PyTorch, JAX or CuPy if the first of these inputs
    is one, else a `gensyn.DeviceArray`.

    Symbolic dimensions take the sizes of the inputs. Each combination of shapes has a program of its own, which is
    compiled in the first call that needs it and kept until `specializations` newer ones are.

    Calls from several threads take turns, since each uses all threads of the device; none holds the GIL while it runs.
    """

    __slots__ = ("__weakref__", "_core", "_folder", "_inputs", "_model", "_options", "_outputs", "_positions", "_run")

    def __init__(self, model: str, folder: tempfile.TemporaryDirectory[str] | None, **options: Any) -> None:
        self._folder = folder  # of the model, removed with this object
        self._model = model
        self._options = options
        cache = _core.default_cache() if options["cache"] is None else options["cache"]
        core = _core.Program(
            model,
            library=__file__,
            convert=_convert.to_array,
            finish=_convert.with_type,
            share=_device.share,
            give=_device.give,
            **{**options, "cache": cache},
        )
        self._core = core
        self._inputs = tuple(TensorSpec(*each) for each in core.inputs())
        self._outputs = tuple(TensorSpec(*each) for each in core.outputs())
        for each in (*self._inputs, *self._outputs):
            _convert.require_known_type(each.name, each.type)
        self._positions = {each.name: i for i, each in enumerate(self._inputs)}
        self._run = core.run

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Runs the model; returns a numpy array, or a tuple of them if the model has several outputs.

        With inputs in the memory of a GPU the results are there too (see the class). For type checkers the result is
        Any, since only the model and the inputs say which.

        Raises:
            UsageError: an input is missing, given twice or unknown.
            BadInputError: an input has another type or shape than the model takes, or the model faults on its values.
            UnsupportedError: an input is in the memory of another device, or the model needs what gensyn lacks.
            OutOfResourcesError: there is not enough memory.
        """
        if kwargs or len(args) != len(self._inputs):
            args = self._bind(args, kwargs)
        return self._run(*args)

    @property
    def inputs(self) -> tuple[TensorSpec, ...]:
        """The inputs of the model, in the order of a call's arguments."""
        return self._inputs

    @property
    def outputs(self) -> tuple[TensorSpec, ...]:
        """The outputs of the model, in the order of a call's results."""
        return self._outputs

    @property
    def digest(self) -> str | None:
        """The digest of the program that ran last, as gensyn-run prints it.

        A model without symbolic dimensions is compiled at once and has one from the start; otherwise it is None before
        the first call.
        """
        return self._core.digest() or None

    @property
    def target(self) -> str:
        """What the program is compiled for: "cpu:x86-64-v3", "reference", ..."""
        return self._core.target()

    def kernels(self) -> list[dict[str, Any]]:
        """The kernels of the program for its target, in the order of a run, as `gensyn-run info --kernels` lists them.

        Symbolic dimensions have the sizes of the last call; before the first one, sizes that the compiler assumes.

        Returns:
            For each kernel "name", "function", "node" (the first one of the model that it computes) and "nodes" (all),
            "form", "schedule" (on CPUs and GPUs), "type", "shape" and "elements" of its results, "ops", "buffers",
            "flops", "bytes_read", "bytes_written", "orders" (of each sum, with its number of roundings), and "borders":
            the "reason" why a "reader" is no part of it.

        Raises:
            UsageError: the model is a compiled one, of `gensyn-run compile`.
        """
        listed: list[dict[str, Any]] = json.loads(self._core.kernels())
        return listed

    def profile(self, *, clear: bool = False) -> dict[str, Any]:
        """The times of kernels in all calls so far, of a program that was compiled with `profile=True`.

        Args:
            clear: forget them afterwards.

        Returns:
            "runs", "seconds" of all of them, "baseline_seconds" (of kernels without a fast schedule), and "kernels",
            longest time first: "kernel", "schedule", "operations" (the node that it computes), and the totals
            "launches", "seconds", "flops" and "bytes" (each buffer of a launch counted once); "source_kernels", the
            names that `kernels()` has for kernels of this code.

        Raises:
            UsageError: the program was compiled without `profile=True`.
        """
        times: dict[str, Any] = json.loads(self._core.profile(bool(clear)))
        return times

    def __reduce__(self) -> tuple[Any, ...]:
        """A pickle has the path of the model and the arguments; of a module the bytes of its file.

        The copy opens the model again and compiles it, or finds it in the cache, where it is unpickled.
        """
        if self._folder is None:
            return _reopen, (os.path.abspath(self._model), None, self._options)
        try:
            files = {path.name: path.read_bytes() for path in Path(self._folder.name).iterdir()}
        except OSError as error:
            raise FileError(f"{self._model}: cannot be read: {error.strerror}") from None
        return _reopen, (os.path.basename(self._model), files, self._options)

    def __repr__(self) -> str:
        def signature(specs: tuple[TensorSpec, ...]) -> str:
            return ", ".join(f"{name}: {kind}{list(shape)}" for name, kind, shape in specs)

        return f"<gensyn.Program ({signature(self._inputs)}) -> ({signature(self._outputs)}) on {self.target}>"

    def _bind(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, ...]:
        """Returns the arguments in the order of the inputs."""
        names = list(self._positions)
        if len(args) > len(names):
            raise UsageError(f"got {len(args)} arguments, expected {len(names)}", f"the inputs are {names}")
        values = dict(zip(names, args))
        for name, value in kwargs.items():
            if name not in self._positions:
                raise UsageError(f"the model has no input {name!r}", f"the inputs are {names}")
            if name in values:
                raise UsageError(f"input {name!r} is given twice")
            values[name] = value
        missing = [name for name in names if name not in values]
        if missing:
            raise UsageError(f"no value for input {missing[0]!r}", f"the inputs are {names}")
        return tuple(values[name] for name in names)


def _reopen(model: str, files: dict[str, bytes] | None, options: dict[str, Any]) -> Program:
    """The program of a pickle; `files` are those of a module that was exported, the model among them."""
    if files is None:
        return Program(model, None, **options)
    folder = tempfile.TemporaryDirectory(prefix="gensyn-")
    for name, content in files.items():
        Path(folder.name, name).write_bytes(content)
    return Program(os.path.join(folder.name, model), folder, **options)


def compile(
    model: Any,
    example_inputs: Any = None,
    *,
    backend: str = "cpu",
    threads: int = 0,
    instruction_set: str = "native",
    accuracy: str | None = None,
    dims: Mapping[str, int] | None = None,
    seed: int = 0,
    specializations: int = 8,
    cache: str | os.PathLike[str] | None = None,
    profile: bool = False,
    device: int = 0,
    parameters: str | os.PathLike[str] | Mapping[str, Any] | None = None,
) -> Program:
    """Opens a model for inference.

    Args:
        model: an ONNX file, or a file of `gensyn-run compile`. It is read again for each combination of shapes, so it
            must stay where it is. Or a torch.nn.Module, which `gensyn.export` writes to a temporary file in evaluation
            mode, or a keras.Model, which `gensyn.from_keras` writes; changes of either afterwards are not seen.
        example_inputs: for a module: a tensor, or a tuple of them, of two samples or more. For a model of Keras they
            are needed where `gensyn.from_keras` needs them.
        backend: "cpu", "reference" (the interpreter, slow), "ptx-sim", "cuda" or "machine:NAME". It does not change a
            bit of the results.
        threads: of the back end; 0: one for each processor. It does not change a bit either.
        instruction_set: of the back end "cpu": "native", "x86-64", "x86-64-v3", "x86-64-v4", ... Nor does it.
        accuracy: of sums: "fast" (also None), "accurate", "exact" or "sliced" (docs/Numerics.md). It is part of the program.
        dims: sizes of symbolic dimensions. Those that are not named take the sizes of the inputs of a call.
        seed: the key of the model's random numbers, from 0 to 2^64 - 1.
        specializations: the most programs to keep in memory, one for each combination of shapes.
        cache: the folder of compiled kernels; None: that of gensyn-run, ~/.cache/gensyn; an empty string: none.
        profile: measure the time of each kernel, for `Program.profile`; on the back ends "cpu" and "cuda". It does not
            change a bit, but takes time.
        device: the number of the GPU of the back end "cuda".
        parameters: values in place of those in the model: a file of tensors, the folder of a run, or arrays by name,
            such as `Trainer.state_dict()["model"]`, which are copied.

    Raises:
        UsageError: an unknown back end, instruction set or accuracy, or a number out of range.
        BadInputError: the model is malformed.
        UnsupportedError: the model or the back end needs what gensyn, this build or this machine lacks.
        FileError: the file cannot be read.
        OutOfResourcesError: memory or time ran out.
    """
    sizes = {str(name): whole(size, f"dims[{name!r}]", 1, 2**40) for name, size in (dims or {}).items()}
    if profile and backend not in ("cpu", "cuda"):
        raise UsageError(f"profile is for the back ends 'cpu' and 'cuda', not {backend!r}")
    file = open_model(model, example_inputs)
    return Program(
        file.path,
        file.folder,
        backend=str(backend),
        instruction_set=str(instruction_set),
        threads=whole(threads, "threads", 0, 4096),
        accuracy=_word(accuracy),
        dims=sizes,
        cache=None if cache is None else path_of(cache, "cache"),
        seed=whole(seed, "seed", 0, 2**64 - 1),
        specializations=whole(specializations, "specializations", 1, 2**20),
        profile=bool(profile),
        device=whole(device, "device", 0, 2**16),
        parameters=_parameters(parameters),
    )


def _parameters(given: Any) -> str | list[tuple[str, str, Array]] | None:
    """Returns parameters as the runtime takes them."""
    if given is None:
        return None
    return _convert.typed_arrays(given) if hasattr(given, "items") else path_of(given, "parameters")


def _word(accuracy: str | None) -> str:
    if accuracy not in (None, "fast", "accurate", "exact", "sliced"):
        raise UsageError(f"accuracy is {accuracy!r}, expected 'fast', 'accurate', 'exact' or 'sliced'")
    return accuracy or ""
