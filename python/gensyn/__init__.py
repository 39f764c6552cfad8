"""Bit-reproducible training and inference: the same bits on every processor.

>>> import gensyn, numpy
>>> program = gensyn.compile("mlp.onnx")
>>> y = program(numpy.zeros((8, 3), "float32"))
>>> recipe = gensyn.Recipe(loss=torch.nn.MSELoss(), optimizer=gensyn.optim.AdamW(lr=1e-3), epochs=3, batch_size=32)
>>> gensyn.Trainer(module, recipe).fit((inputs, targets))

docs/Python.md describes the package, docs/Running.md the command line tool on the same runtime.
"""

from gensyn import _load as _load  # first: it loads the extension module
from gensyn import ir, losses, optim, schedules
from gensyn._core import version as __version__
from gensyn._device import DeviceArray
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
from gensyn._keras_export import from_keras
from gensyn._program import Program, TensorSpec, compile
from gensyn._progress import Callback
from gensyn._ranks import rank, ranks
from gensyn._recipe import Recipe
from gensyn._report import Report, report
from gensyn._torch_backend import TorchGraph, torch_backend, torch_graphs
from gensyn._trainer import FitResult, Trainer

__all__ = [
    "BadInputError",
    "Callback",
    "DeviceArray",
    "Error",
    "Exported",
    "FileError",
    "FitResult",
    "InternalError",
    "OutOfResourcesError",
    "Program",
    "Recipe",
    "Report",
    "TensorSpec",
    "TorchGraph",
    "Trainer",
    "UnsupportedError",
    "UsageError",
    "__version__",
    "compile",
    "export",
    "from_keras",
    "ir",
    "losses",
    "optim",
    "rank",
    "ranks",
    "report",
    "schedules",
    "torch_backend",
    "torch_graphs",
]
