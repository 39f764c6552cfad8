"""Modules of PyTorch that are trained: how they are exported, and how they get their parameters back."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping
from typing import Any

from gensyn import _data
from gensyn._export import export


def complete_recipe(recipe: dict[str, Any], module: Any) -> None:
    """Adds what the module says: parameters that need no gradient, and normalizations by the batch."""
    if "batch_norm" not in recipe and _has_batch_norm(module):
        recipe["batch_norm"] = "train"
    fixed = [name for name, parameter in module.named_parameters() if not parameter.requires_grad]
    known = list(recipe.get("frozen", ()))
    recipe["frozen"] = known + [name for name in fixed if name not in known]


def _has_batch_norm(module: Any) -> bool:
    torch = sys.modules["torch"]
    batch_norm = torch.nn.modules.batchnorm._BatchNorm
    return any(isinstance(each, batch_norm) and each.track_running_stats for each in module.modules())


def inputs_of(batch: Any, recipe: Mapping[str, Any]) -> Any:
    """Returns the arguments of the module in a batch of inputs and target."""
    torch = sys.modules["torch"]
    loss = recipe.get("loss") or {}
    has_target = loss.get("kind") != "graph_output"

    def tensor(value: Any) -> Any:
        return value if isinstance(value, torch.Tensor) else torch.as_tensor(value)

    if isinstance(batch, Mapping):
        target = loss.get("target", "target") if has_target else None
        return {name: tensor(value) for name, value in batch.items() if name != target}
    values = [batch] if _data.is_array(batch) else list(batch)
    values = values[:-1] if has_target else values
    flat: list[Any] = []
    for value in values:
        flat += list(value) if isinstance(value, (tuple, list)) else [value]
    return tuple(tensor(value) for value in flat)


def export_for_training(module: Any, example: Any, folder: str) -> str:
    """Writes the module as a model that can be trained, and returns its file."""
    args, kwargs = ((), example) if isinstance(example, Mapping) else (example, None)
    wanted = _float_type(module)
    args = tuple(_narrowed(each, wanted) for each in (args if isinstance(args, tuple) else (args,)))
    kwargs = {name: _narrowed(each, wanted) for name, each in kwargs.items()} if kwargs else None
    path = os.path.join(folder, f"{type(module).__name__}.onnx")
    return export(module, args, path, kwargs=kwargs, training=True).path


def _float_type(module: Any) -> Any:
    """The type that a module computes with: that of its parameters if they have one, else float32."""
    found = {each.dtype for each in module.parameters() if each.is_floating_point()}
    return found.pop() if len(found) == 1 else sys.modules["torch"].float32


def _narrowed(value: Any, wanted: Any) -> Any:
    """Data of float64, which numpy makes by default, take the type of the module."""
    return value.to(wanted) if str(getattr(value, "dtype", "")) == "torch.float64" else value


def update(module: Any, values: Mapping[str, Any], steps: int) -> None:
    """Copies tensors into the parameters and buffers of their names; tied ones are one tensor and stay so."""
    torch = sys.modules["torch"]
    state = module.state_dict(keep_vars=True)
    lost = []
    with torch.no_grad():
        for name, value in values.items():
            if name not in state or tuple(state[name].shape) != value.shape:
                lost.append(name)
                continue
            state[name].copy_(_to_tensor(torch, value))
        for name, buffer in state.items():
            if name.endswith("num_batches_tracked") and name.replace("num_batches_tracked", "running_mean") in values:
                buffer += steps
    if lost:
        warnings.warn(f"the module has no parameter for {lost}, which the exporter made", stacklevel=4)


def _to_tensor(torch: Any, value: Any) -> Any:
    try:
        return torch.from_numpy(value)
    except TypeError:  # of a type that numpy lacks: float32 has all its numbers
        return torch.from_numpy(value.astype("float32"))
