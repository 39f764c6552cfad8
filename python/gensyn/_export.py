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
    from collections.abc import Iterator, Mapping


class Exported(NamedTuple):
    """What `gensyn.export` or `gensyn.from_keras` wrote.

    Attributes:
        path: the ONNX file. Parameters of more than 1.5 GiB in all are in a second file beside it.
        exporter: "dynamo" (torch.export) or "torchscript"; of Keras also "tf2onnx" or "jax2onnx".
        notes: a sentence for each thing that was asked for and lost.
    """

    path: str
    exporter: str
    notes: tuple[str, ...]


class _Inputs(NamedTuple):
    """Example inputs, by place and by name."""

    placed: tuple[Any, ...]
    named: dict[str, Any]

    @property
    def values(self) -> tuple[Any, ...]:
        return (*self.placed, *self.named.values())

    def arrange(self, things: list[Any]) -> Any:
        """Returns a thing for each input in the form that torch.export takes."""
        if not self.named:
            return tuple(things)
        if not self.placed:
            return dict(zip(self.named, things))
        return (*things[: len(self.placed)], dict(zip(self.named, things[len(self.placed) :])))


def is_module(model: object) -> bool:
    """True for a module of PyTorch, which is not imported for the question."""
    torch = sys.modules.get("torch")
    return torch is not None and isinstance(model, torch.nn.Module)


def export(
    module: Any,
    args: Any,
    path: str | os.PathLike[str],
    *,
    kwargs: Mapping[str, Any] | None = None,
    training: bool = False,
    dynamic_batch: bool = True,
    dynamic_shapes: Any = None,
    opset: int = 18,
) -> Exported:
    """Writes a module of PyTorch as an ONNX file with the names and forms of its parameters.

    PyTorch's exporter is asked to fold and merge nothing. If it cannot leave the batch open, it is asked again with the
    sizes of the example; if it fails, so is the older one, of TorchScript. Each loss is a warning and a note.

    Args:
        module: a torch.nn.Module. Its mode and parameters are as before afterwards.
        args: example inputs: a tensor, or a tuple of them. The exporter may fix a dimension whose size is 1, so give two
            samples or more.
        path: the file to write.
        kwargs: example inputs by the names of the module's arguments, after those in `args`.
        training: dropout and other random parts as in training mode, else as in evaluation mode. Batch normalizations
            are written in inference mode in either case; a recipe puts them into training mode.
        dynamic_batch: leave the first dimension open, as "batch", of all tensors that have the first one's size there.
        dynamic_shapes: which dimensions are open, in the form that torch.export takes; in place of `dynamic_batch`.
        opset: the version of ONNX's operators.

    Raises:
        UsageError: no module, or no example inputs.
        UnsupportedError: neither exporter takes the module; its notes are the exporters' own words.
    """
    if not is_module(module):
        raise UsageError(f"expected a torch.nn.Module, not {type(module).__name__}")
    inputs = _Inputs(args if isinstance(args, tuple) else (args,), dict(kwargs or {}))
    if not inputs.values:
        raise UsageError("expected example inputs")
    file = os.fsdecode(path)
    notes: list[str] = []
    batched = _batched(inputs.values) if dynamic_batch and dynamic_shapes is None else []
    # The mode, the exporter, the inputs whose first dimension is open.
    tries = [(training, "dynamo", batched)] + [(training, "dynamo", [])] * bool(batched)
    tries += [(training, "torchscript", batched)] * (dynamic_shapes is None)
    tries += [(False, "dynamo", batched)] * training
    errors = []
    for trains, exporter, opened in tries:
        try:
            with _in_mode(module, trains):
                _export_with(exporter, module, inputs, file, opened, dynamic_shapes, opset)
        except Exception as error:  # noqa: BLE001  (of any kind: the exporters raise many)
            errors.append(f"{exporter}: {first_line(error)}")
            continue
        if training and not trains:
            notes.append(f"dropout is not active: in training mode the exporters fail: {errors[0]}")
        if batched and not opened:
            notes.append(f"the batch is fixed: {errors[0]}")
        elif fixed := _fixed_inputs(file, opened):
            notes.append(f"the batch is fixed: the exporter gave input {fixed[0]!r} the size of the example")
        if training and trains:
            notes += _random_nodes(file)
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
    exporter: str, module: Any, inputs: _Inputs, file: str, opened: list[int], shapes: Any, opset: int
) -> None:
    import torch

    options: dict[str, Any] = {"opset_version": opset}
    if exporter == "dynamo":
        batch = torch.export.Dim("batch")
        if opened:
            places = [{0: batch} if i in opened else None for i in range(len(inputs.values))]
            # By name where the inputs are: torch.export matches them with the arguments of forward.
            shapes = inputs.arrange(places)
        # Only with optimize=False every parameter keeps its name and its shape.
        options |= {"kwargs": inputs.named} if inputs.named else {}
        options |= {"dynamo": True, "optimize": False, "verbose": False, "external_data": False}
        options |= {"dynamic_shapes": shapes} if shapes is not None else {}
        if _has_float64(module, inputs.values):
            options["custom_translation_table"] = {torch.ops.aten.scalar_tensor.default: _scalar_tensor}
    else:
        names = [*(f"input{i}" for i in range(len(inputs.placed))), *inputs.named]
        mode = torch.onnx.TrainingMode.PRESERVE
        options |= {
            "kwargs": inputs.named,
            "training": mode,
            "dynamo": False,
            "do_constant_folding": False,
            "input_names": names,
        }
        options |= {"dynamic_axes": {names[i]: {0: "batch"} for i in opened}}
    with quiet(), torch.no_grad():
        torch.onnx.export(module, inputs.placed, file, **options)


def _has_float64(module: Any, inputs: tuple[Any, ...]) -> bool:
    tensors = [*module.parameters(), *module.buffers(), *inputs]
    return any(str(getattr(each, "dtype", "")) == "torch.float64" for each in tensors)


def _scalar_tensor(value: Any, dtype: int = 1, **_: Any) -> Any:
    """A number of the module's code as a constant of its own type. PyTorch's exporter rounds it to float32 first."""
    import onnx
    from onnxscript import opset18

    if not isinstance(value, (int, float)):  # computed from sizes
        return opset18.Cast(value, to=dtype)
    return opset18.Constant(value=onnx.helper.make_tensor("", dtype, [], [value]))


def _random_nodes(file: str) -> list[str]:
    """Returns a note if the model draws random numbers other than for dropout."""
    import onnx

    random = ("RandomUniform", "RandomUniformLike", "RandomNormal", "RandomNormalLike", "Bernoulli")
    nodes = [node for node in onnx.load(file, load_external_data=False).graph.node if node.op_type in random]
    if not nodes:
        return []
    return [f"evaluations draw random numbers too: node {nodes[0].name!r} ({nodes[0].op_type}) is not a Dropout"]


def _fixed_inputs(file: str, opened: list[int]) -> list[str]:
    """Returns the inputs of a file whose first dimension should be open and is not."""
    import onnx  # the exporters need it too

    inputs = onnx.load(file, load_external_data=False).graph.input
    asked = [inputs[i] for i in opened if i < len(inputs)]
    return [each.name for each in asked if not each.type.tensor_type.shape.dim[0].dim_param]


@contextlib.contextmanager
def _in_mode(module: Any, trains: bool) -> Iterator[None]:
    """The module in a mode for its export; afterwards each of its parts is in its own mode again."""
    import torch

    modes = [(each, each.training) for each in module.modules()]
    module.train(trains)
    for each, _ in modes:
        # In training mode they would be written as many nodes, and could not be evaluated.
        if isinstance(each, torch.nn.modules.batchnorm._BatchNorm):
            each.eval()
    try:
        yield
    finally:
        for each, mode in modes:
            each.training = mode


@contextlib.contextmanager
def quiet(most: int = logging.WARNING) -> Iterator[None]:
    """Without the exporters' log up to a level, and their warnings, which are about their own code."""
    level = logging.root.manager.disable
    logging.disable(most)
    try:
        with warnings.catch_warnings(), open(os.devnull, "w") as nothing, contextlib.redirect_stdout(nothing):
            warnings.simplefilter("ignore")
            yield
    finally:
        logging.disable(level)


def first_line(error: Exception) -> str:
    lines = [line for line in str(error).splitlines() if line.strip()]
    return f"{type(error).__name__}: {lines[0].strip() if lines else ''}"
