"""Modules of PyTorch as ONNX files."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import warnings
from typing import TYPE_CHECKING, Any, NamedTuple

from gensyn._errors import UnsupportedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator


class Exported(NamedTuple):
    """What `gensyn.export` wrote.

    Attributes:
        path: the ONNX file. Parameters of more than 1.5 GiB in all are in a second file beside it.
        exporter: "dynamo" (torch.export) or "torchscript".
        notes: a sentence for each thing that was asked for and lost.
    """

    path: str
    exporter: str
    notes: tuple[str, ...]


def is_module(model: object) -> bool:
    """True for a module of PyTorch, which is not imported for the question."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module)


def export(
    module: Any,
    args: Any,
    path: str | os.PathLike[str],
    *,
    dynamic_batch: bool = True,
    dynamic_shapes: Any = None,
    opset: int = 18,
) -> Exported:
    """Writes a module of PyTorch, in evaluation mode, as an ONNX file with the names and forms of its parameters.

    PyTorch's exporter is asked to fold and merge nothing. If it cannot leave the batch open, it is asked again with the
    sizes of the example; if it fails, so is the older one, of TorchScript. Each loss is a warning and a note.

    Args:
        module: a torch.nn.Module. Its mode and parameters are as before afterwards.
        args: example inputs: a tensor, or a tuple of them. The exporter may fix a dimension whose size is 1, so give two
            samples or more.
        path: the file to write.
        dynamic_batch: leave the first dimension open, as "batch", of all tensors that have the first one's size there.
        dynamic_shapes: which dimensions are open, in the form that torch.export takes; in place of `dynamic_batch`.
        opset: the version of ONNX's operators.

    Raises:
        UsageError: no module, or no example inputs.
        UnsupportedError: neither exporter takes the module; its notes are the exporters' own words.
    """
    if not is_module(module):
        raise UsageError(f"expected a torch.nn.Module, not {type(module).__name__}")
    inputs = args if isinstance(args, tuple) else (args,)
    if not inputs:
        raise UsageError("expected example inputs")
    file = os.fsdecode(path)
    notes: list[str] = []
    batched = _batched(inputs) if dynamic_batch and dynamic_shapes is None else []
    tries = [("dynamo", batched)] + [("dynamo", [])] * bool(batched)
    tries += [("torchscript", batched)] * (dynamic_shapes is None)
    errors = []
    with _evaluating(module):
        for exporter, opened in tries:
            try:
                _export_with(exporter, module, inputs, file, opened, dynamic_shapes, opset)
            except Exception as error:  # noqa: BLE001  (of any kind: the exporters raise many)
                errors.append(f"{exporter}: {_first_line(error)}")
                continue
            if batched and not opened:
                notes.append(f"the batch is fixed: {errors[0]}")
            elif fixed := _fixed_inputs(file, opened):
                notes.append(f"the batch is fixed: the exporter gave input {fixed[0]!r} the size of the example")
            if exporter != "dynamo":
                notes.append(f"the exporter of TorchScript was used, which may fold parameters: {errors[-1]}")
            for note in notes:
                warnings.warn(note, stacklevel=2)
            return Exported(file, exporter, tuple(notes))
    raise UnsupportedError(f"PyTorch cannot export the {type(module).__name__}: {errors[0]}", "; ".join(errors[1:]))


def _batched(inputs: tuple[Any, ...]) -> list[int]:
    """Returns the inputs whose first dimension has the size of the first tensor's."""
    shapes = [tuple(getattr(each, "shape", ())) for each in inputs]
    size = next((shape[0] for shape in shapes if shape), None)
    return [i for i, shape in enumerate(shapes) if shape and shape[0] == size]


def _export_with(
    exporter: str, module: Any, inputs: tuple[Any, ...], file: str, opened: list[int], shapes: Any, opset: int
) -> None:
    import torch

    options: dict[str, Any] = {"opset_version": opset}
    if exporter == "dynamo":
        batch = torch.export.Dim("batch")
        if opened:
            shapes = tuple({0: batch} if i in opened else None for i in range(len(inputs)))
        # Only with optimize=False every parameter keeps its name and its shape.
        options |= {"dynamo": True, "optimize": False, "verbose": False, "external_data": False}
        options |= {"dynamic_shapes": shapes} if shapes is not None else {}
    else:
        names = [f"input{i}" for i in range(len(inputs))]
        options |= {"dynamo": False, "do_constant_folding": False, "input_names": names}
        options |= {"dynamic_axes": {names[i]: {0: "batch"} for i in opened}}
    with _quiet(), torch.no_grad():
        torch.onnx.export(module, inputs, file, **options)


def _fixed_inputs(file: str, opened: list[int]) -> list[str]:
    """Returns the inputs of a file whose first dimension should be open and is not."""
    import onnx  # the exporters need it too

    inputs = onnx.load(file, load_external_data=False).graph.input
    asked = [inputs[i] for i in opened if i < len(inputs)]
    return [each.name for each in asked if not each.type.tensor_type.shape.dim[0].dim_param]


@contextlib.contextmanager
def _evaluating(module: Any) -> Iterator[None]:
    """The module in evaluation mode; afterwards each of its parts is in its own mode again."""
    modes = [(each, each.training) for each in module.modules()]
    module.eval()
    try:
        yield
    finally:
        for each, mode in modes:
            each.training = mode


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Without the exporters' warnings, which are about their own code."""
    level = logging.root.manager.disable
    logging.disable(logging.WARNING)
    try:
        with warnings.catch_warnings(), open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)


def _first_line(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0].strip() if lines else ''}"
