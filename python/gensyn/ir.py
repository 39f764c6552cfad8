"""The compiler's modules and passes, with the names of MLIR's own Python bindings.

>>> from gensyn import ir
>>> module = ir.Module.from_onnx("mlp.onnx", dims={"batch": 20})
>>> module.run("gensyn-onnx-pipeline,gensyn-freeze-pipeline")
>>> print(module)
>>> ptx = module.to_ptx(sm=90)

A module is a value: the compiler reads it, runs passes and writes the result, in a process of its own, so that what a
pass does to a bad module ends in an exception. Passes and pipelines are those of `gensyn-opt --help`; docs/Architecture.md
says which pipeline leads from one dialect to the next. `Module.run` stops after whatever it was given, and goes on
from there when it is called again.
"""

from __future__ import annotations

import functools
import os
import tempfile
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from gensyn import _core
from gensyn._arguments import path_of, whole
from gensyn._errors import FileError, UsageError
from gensyn._module import open_model

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["BitsReport", "Module", "PassManager", "check_bits"]


class BitsReport(NamedTuple):
    """What `check_bits` found.

    Attributes:
        same: True if no pass changed a bit.
        compared: number of passes before and after which the module was compared.
        finding: the first pass that changed a bit, the function, the element and its bits; else empty.
        smallest: the smallest module found on which the pass does so, as text; else empty.
        warnings: what was not compared, and why.
    """

    same: bool
    compared: int
    finding: str
    smallest: str
    warnings: tuple[str, ...]

    def __bool__(self) -> bool:
        return self.same


class Module:
    """A module of MLIR. `str(module)` is its text, which `parse` reads."""

    def __init__(self, bytecode: bytes, digest: str, folder: tempfile.TemporaryDirectory[str] | None) -> None:
        self._bytecode = bytecode
        self._digest = digest
        self._folder = folder  # of an exported model, to whose weights the module refers

    @classmethod
    def parse(cls, asm: str | bytes, *, name: str = "module") -> Module:
        """Reads text, or bytecode, and verifies it.

        Args:
            asm: the module.
            name: for locations, which messages begin with: "module:3:5: ...".

        Raises:
            BadInputError: not a valid module of registered dialects.
        """
        if not isinstance(asm, (str, bytes)):
            raise UsageError(f"asm is {type(asm).__name__}, expected str or bytes")
        return cls._read(asm.encode() if isinstance(asm, str) else asm, str(name))

    @classmethod
    def parse_file(cls, path: str | os.PathLike[str]) -> Module:
        """Reads a file of text or bytecode, as `parse`.

        Raises:
            BadInputError: not a valid module.
            FileError: the file cannot be read.
        """
        name = path_of(path, "path")
        try:
            with open(name, "rb") as file:
                return cls._read(file.read(), name)
        except OSError as error:
            raise FileError(f"{name}: {error.strerror}") from None

    @classmethod
    def from_onnx(cls, model: Any, example_inputs: Any = None, *, dims: Mapping[str, int] | None = None) -> Module:
        """Imports a model into the onnx dialect, as `gensyn-translate --onnx-to-mlir`.

        The module refers to the weights in the model's file, which must stay where it is.

        Args:
            model: an ONNX file, a torch.nn.Module with `example_inputs`, or a keras.Model.
            example_inputs: as of `gensyn.compile`.
            dims: sizes of symbolic dimensions.

        Raises:
            BadInputError, UnsupportedError, FileError: as of `gensyn.compile`.
        """
        file = open_model(model, example_inputs)
        sizes = {str(name): whole(size, f"dims[{name!r}]", 1, 2**40) for name, size in (dims or {}).items()}
        done = _call(model=file.path, dims=sizes)
        return cls(done["module"], done["digest"], file.folder)

    @classmethod
    def _read(cls, contents: bytes, name: str) -> Module:
        done = _call(module=contents, name=name)
        return cls(done["module"], done["digest"], None)

    def run(self, pipeline: str) -> Module:
        """Runs passes on the module, which is changed, and returns it. After an error it is as before.

        Args:
            pipeline: passes and pipelines, with their options: "repro-fuse-kernels{forms=rows},canonicalize"; or all of
                it as MLIR prints it: "builtin.module(func.func(canonicalize))".

        Raises:
            UsageError: no such pass or option.
            BadInputError: a pass refuses the module.
        """
        done = _call(module=self._bytecode, pipeline=_anchored(pipeline))
        self._bytecode, self._digest = done["module"], done["digest"]
        return self

    def clone(self) -> Module:
        """Returns a copy."""
        return Module(self._bytecode, self._digest, self._folder)

    def get_asm(
        self,
        *,
        enable_debug_info: bool = False,
        print_generic_op_form: bool = False,
        large_elements_limit: int | None = None,
    ) -> str:
        """Returns the text.

        Args:
            enable_debug_info: with locations, which have the names of the model's nodes.
            print_generic_op_form: in MLIR's generic form.
            large_elements_limit: leave out the values of attributes with more elements; None: none.
        """
        limit = -1 if large_elements_limit is None else whole(large_elements_limit, "large_elements_limit", 0, 2**62)
        form = {
            "debug_info": bool(enable_debug_info),
            "generic": bool(print_generic_op_form),
            "large_elements_limit": limit,
        }
        return str(_call(module=self._bytecode, print=form)["text"])

    def to_ptx(self, *, sm: int = 90, accuracy: str = "fast") -> str:
        """Returns PTX, as `gensyn-translate --mlir-to-ptx`. The module stays as it is.

        Args:
            sm: GPU generation.
            accuracy: orders of sums of a module that is not frozen: "fast", "accurate", "exact" or "sliced".

        Raises:
            BadInputError: neither a gpu.module, nor a function @main of repro ops.
            UnsupportedError: an unknown generation.
        """
        if accuracy not in ("fast", "accurate", "exact", "sliced"):
            raise UsageError(f"accuracy is {accuracy!r}, expected 'fast', 'accurate', 'exact' or 'sliced'")
        return str(_call(module=self._bytecode, sm=whole(sm, "sm", 1, 2**31 - 1), accuracy=accuracy)["ptx"])

    @property
    def bytecode(self) -> bytes:
        """MLIR's bytecode of the module."""
        return self._bytecode

    @property
    def digest(self) -> str | None:
        """The digest of a frozen module (repro-freeze), which is that of its program on every target; else None."""
        return self._digest or None

    def __str__(self) -> str:
        return self.get_asm()

    def __repr__(self) -> str:
        return f"<gensyn.ir.Module{' ' + self._digest if self._digest else ''} of {len(self._bytecode)} bytes>"

    def __reduce__(self) -> Any:
        if self._folder is not None:
            raise UsageError("a module of an exported model cannot be pickled: its weights are in a temporary file")
        return (Module, (self._bytecode, self._digest, None))


class PassManager:
    """A pipeline, as in MLIR's own bindings: `PassManager.parse("builtin.module(canonicalize)").run(module)`."""

    def __init__(self, pipeline: str = "builtin.module()") -> None:
        self._pipeline = _anchored(pipeline)

    @classmethod
    def parse(cls, pipeline: str) -> PassManager:
        """Reads a pipeline.

        Raises:
            UsageError: no such pass or option.
        """
        manager = cls(pipeline)
        _call(module=b"module {}", pipeline=manager._pipeline)
        return manager

    def add(self, pipeline: str) -> None:
        """Adds passes at the end."""
        inner = self._pipeline[len(_ANCHOR) : -1]
        self._pipeline = _anchored(f"{inner},{pipeline}" if inner else pipeline)

    def run(self, module: Module) -> None:
        """Runs it; see `Module.run`."""
        module.run(self._pipeline)

    def __str__(self) -> str:
        return self._pipeline


def check_bits(
    module: Module, pipeline: str, *, everything: bool = False, seed: int = 1, trials: int = 0, work: int = 0
) -> BitsReport:
    """Compares a module before and after each pass of a pipeline, as `gensyn-opt --check-bits`.

    The functions run on generated inputs: on the reference interpreter as long as they are repro ops, and lower on this
    processor, or on the simulator of PTX. The module stays as it is.

    Args:
        module: of repro ops; passes must keep bits from the freeze on.
        pipeline: as of `Module.run`.
        everything: compare also passes on modules that are not frozen, some of which may change bits.
        seed: of the inputs.
        trials: inputs of each function; 0: ten.
        work: floating-point operations and elements that may be computed in all; what would take more is not compared,
            with a warning. 0: as gensyn-opt.

    Raises:
        UsageError, BadInputError: as of `Module.run`.
    """
    wanted = {
        "everything": bool(everything),
        "seed": whole(seed, "seed", 0, 2**64 - 1),
        "trials": whole(trials, "trials", 0, 2**20),
        "work": whole(work, "work", 0, 2**62),
    }
    done = _call(False, module=module.bytecode, pipeline=_anchored(pipeline), check_bits=wanted)
    return BitsReport(not done["finding"], done["compared"], done["finding"], done["smallest"], tuple(done["warnings"]))


_ANCHOR = "builtin.module("


def _anchored(pipeline: str) -> str:
    if not isinstance(pipeline, str):
        raise UsageError(f"pipeline is {type(pipeline).__name__}, expected str")
    text = pipeline.strip()
    return text if text.startswith(_ANCHOR) and text.endswith(")") else f"{_ANCHOR}{text})"


@functools.lru_cache(maxsize=1)
def _passes(process: int) -> _core.Passes:
    # A process of the compiler belongs to the process that started it, and not to its forks.
    return _core.Passes(__file__)


def _call(warn: bool = True, **fields: Any) -> dict[str, Any]:
    nothing = {"module": b"", "name": "module", "model": "", "dims": {}, "pipeline": ""}
    rest: dict[str, Any] = {"check_bits": None, "print": None, "sm": 0, "accuracy": ""}
    done = _passes(os.getpid()).run(**{**nothing, **rest, **fields})
    for line in done["warnings"] if warn else ():
        warnings.warn(line, stacklevel=4)
    return done
