"""Modules of PyTorch: how they are exported, and how they get their parameters back."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Mapping
from typing import Any

from gensyn._export import export, is_module
from gensyn._module import Module, split_batch

__all__ = ["TorchModule", "is_module"]


class TorchModule(Module):
    """A torch.nn.Module."""

    kind = "torch.nn.Module"

    @property
    def torch_module(self) -> Any:
        return self.model

    def complete_recipe(self, recipe: dict[str, Any]) -> None:
        """Adds parameters that need no gradient, and normalizations by the batch."""
        if "batch_norm" not in recipe and _has_batch_norm(self.model):
            recipe["batch_norm"] = "train"
        fixed = [name for name, parameter in self.model.named_parameters() if not parameter.requires_grad]
        known = list(recipe.get("frozen", ()))
        recipe["frozen"] = known + [name for name in fixed if name not in known]

    def inputs_of(self, batch: Any, recipe: Mapping[str, Any]) -> Any:
        torch = sys.modules["torch"]

        def tensor(value: Any) -> Any:
            return value if isinstance(value, torch.Tensor) else torch.as_tensor(value)

        values = split_batch(batch, recipe)
        if isinstance(values, Mapping):
            return {name: tensor(value) for name, value in values.items()}
        return tuple(tensor(value) for value in values)

    def export(self, example: Any, folder: str, training: bool) -> str:
        path = os.path.join(folder, f"{type(self.model).__name__}.onnx")
        if not training:
            return export(self.model, example, path).path
        args, kwargs = ((), example) if isinstance(example, Mapping) else (example, None)
        wanted = _float_type(self.model)
        args = tuple(_narrowed(each, wanted) for each in (args if isinstance(args, tuple) else (args,)))
        kwargs = {name: _narrowed(each, wanted) for name, each in kwargs.items()} if kwargs else None
        return export(self.model, args, path, kwargs=kwargs, training=True).path

    def update(self, values: Mapping[str, Any], steps: int) -> None:
        update(self.model, values, steps)


def _has_batch_norm(module: Any) -> bool:
    torch = sys.modules["torch"]
    batch_norm = torch.nn.modules.batchnorm._BatchNorm
    return any(isinstance(each, batch_norm) and each.track_running_stats for each in module.modules())


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
