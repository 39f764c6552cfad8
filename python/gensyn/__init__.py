"""Bit-reproducible inference from ONNX models: the same bits on every processor.

>>> import gensyn, numpy
>>> program = gensyn.compile("mlp.onnx")
>>> y = program(numpy.zeros((8, 3), "float32"))

docs/Python.md describes the package, docs/Running.md the command line tool on the same runtime.
"""

from gensyn._core import version as __version__
from gensyn._errors import (
    BadInputError,
    Error,
    FileError,
    InternalError,
    OutOfResourcesError,
    UnsupportedError,
    UsageError,
)
from gensyn._export import Exported, export
from gensyn._program import Program, TensorSpec, compile

__all__ = [
    "BadInputError",
    "Error",
    "Exported",
    "FileError",
    "InternalError",
    "OutOfResourcesError",
    "Program",
    "TensorSpec",
    "UnsupportedError",
    "UsageError",
    "__version__",
    "compile",
    "export",
]
