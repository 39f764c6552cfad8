"""Losses, optimizers and schedulers of PyTorch as objects of a recipe. What a recipe cannot say is an error that names
it. PyTorch is not imported: its objects are there if somebody else did."""

from __future__ import annotations

import sys
from typing import Any

from gensyn import _torch_schedule
from gensyn._errors import UnsupportedError, UsageError

# A class of torch.nn -> the kind of a recipe, and attributes that are options of the same name.
LOSSES = {
    "CrossEntropyLoss": ("softmax_cross_entropy", ("ignore_index", "label_smoothing", "weight")),
    "NLLLoss": ("nll", ("ignore_index", "weight")),
    "MSELoss": ("mse", ()),
    "L1Loss": ("l1", ()),
    "HuberLoss": ("huber", ("delta",)),
    "SmoothL1Loss": ("smooth_l1", ("beta",)),
    "BCEWithLogitsLoss": ("bce_with_logits", ("pos_weight",)),
    "BCELoss": ("bce", ()),
    "KLDivLoss": ("kl_div", ("log_target",)),
}
# A function of torch.nn.functional -> the class with the same defaults.
FUNCTIONS = {
    "cross_entropy": "CrossEntropyLoss",
    "nll_loss": "NLLLoss",
    "mse_loss": "MSELoss",
    "l1_loss": "L1Loss",
    "huber_loss": "HuberLoss",
    "smooth_l1_loss": "SmoothL1Loss",
    "binary_cross_entropy_with_logits": "BCEWithLogitsLoss",
    "binary_cross_entropy": "BCELoss",
    "kl_div": "KLDivLoss",
}
OPTIMIZERS = (
    *("SGD", "Adam", "AdamW", "NAdam", "RAdam", "Adamax", "Adagrad", "Adadelta", "RMSprop", "Adafactor", "Muon"),
    *("ASGD", "Rprop"),
)
# Settings that choose between PyTorch's own kernels, or hold its state.
WITHOUT_EFFECT = ("params", "param_names", "foreach", "fused", "capturable", "initial_lr", "max_lr", "base_lr")
# Settings of a group that OneCycleLR and CyclicLR add.
OF_SCHEDULERS = ("min_lr", "max_momentum", "base_momentum")


def read_objects(recipe: dict[str, Any], module: Any) -> None:
    """Replaces the objects of PyTorch in a recipe."""
    torch = sys.modules.get("torch")
    if torch is None:
        return
    loss, optimizer, schedule = (recipe.get(key) for key in ("loss", "optimizer", "schedule"))
    if isinstance(loss, torch.nn.Module) or callable(loss):
        recipe["loss"] = read_loss(loss)
    if isinstance(optimizer, torch.optim.Optimizer):
        scheduler = schedule if _torch_schedule.is_scheduler(schedule) else None
        recipe["optimizer"], frozen = read_optimizer(optimizer, module, scheduler)
        if frozen:
            recipe["frozen"] = [*recipe.get("frozen", ()), *frozen]
    if _torch_schedule.is_scheduler(schedule):
        recipe["schedule"] = _torch_schedule.read_schedule(schedule)


def read_loss(loss: Any) -> dict[str, Any]:
    """Returns a module of torch.nn, or a function of torch.nn.functional, as the `loss` of a recipe."""
    torch = sys.modules["torch"]
    name = type(loss).__name__
    if not isinstance(loss, torch.nn.Module):
        name = getattr(loss, "__name__", name)
        if getattr(torch.nn.functional, name, None) is not loss or name not in FUNCTIONS:
            raise UnsupportedError(f"loss: {name} is not a loss that gensyn knows", f"known are {[*LOSSES]}")
        loss = getattr(torch.nn, FUNCTIONS[name])()
        name = type(loss).__name__
    if name not in LOSSES or type(loss) is not getattr(torch.nn, name):
        raise UnsupportedError(f"loss: {name} is not a loss that gensyn knows", f"known are {[*LOSSES]}")
    kind, options = LOSSES[name]
    if getattr(loss, "weight", None) is not None and "weight" not in options:
        raise UnsupportedError(f"loss: the weight of {name} has no counterpart in a recipe")
    result: dict[str, Any] = {"kind": kind}
    if loss.reduction not in ("mean", "sum") and (name, loss.reduction) != ("KLDivLoss", "batchmean"):
        raise UnsupportedError(f"loss: {name} has reduction {loss.reduction!r}, expected 'mean' or 'sum'")
    if loss.reduction != "mean":
        result["reduction"] = loss.reduction
    if "ignore_index" in options:
        result["axis"] = 1  # where PyTorch has the classes
    for option in options:
        value = getattr(loss, option)
        if value is not None and not (option == "label_smoothing" and value == 0):
            result[option] = _plain(value)
    return result


def read_optimizer(optimizer: Any, module: Any, scheduler: Any) -> tuple[dict[str, Any], list[str]]:
    """Returns an optimizer as the `optimizer` of a recipe, and the names of the parameters that it does not have."""
    torch = sys.modules["torch"]
    name = type(optimizer).__name__
    if name not in OPTIMIZERS or type(optimizer) is not getattr(torch.optim, name, None):
        raise UnsupportedError(f"optimizer: {name} is not an optimizer that gensyn knows", f"known are {[*OPTIMIZERS]}")
    if any(float(state.get("step", 1)) != 0 for state in optimizer.state.values()):
        raise UnsupportedError(
            f"optimizer: the {name} has a state of earlier steps, which is not taken over", "give a new one"
        )
    groups = [_settings(name, group, scheduler is not None) for group in optimizer.param_groups]
    if scheduler is not None:  # which has changed `lr` already
        for settings, rate in zip(groups, _torch_schedule.rates_of(scheduler, optimizer)):
            settings["lr"] = rate
    result = {"kind": name, **groups[0]}
    if module is None and len(groups) == 1:
        return result, []
    if module is None:
        raise UsageError("optimizer: groups of parameters need the torch.nn.Module that they are of")
    names = {id(parameter): each for each, parameter in module.named_parameters()}
    members = []
    for i, group in enumerate(optimizer.param_groups):
        unknown = [parameter for parameter in group["params"] if id(parameter) not in names]
        if unknown:
            raise UsageError(
                f"optimizer: {len(unknown)} parameters of group {i} are not of the {type(module).__name__}"
            )
        members.append([names[id(parameter)] for parameter in group["params"] if parameter.requires_grad])
    trained = {each for group in members for each in group}
    frozen = [each for each in names.values() if each not in trained]
    if others := [
        {"match": group, **_differences(groups[0], settings)}
        for group, settings in zip(members[1:], groups[1:])
        if group and settings != groups[0]
    ]:
        result["groups"] = others
    return result, frozen


def _differences(base: dict[str, Any], settings: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in settings.items() if base.get(key) != value}


def _settings(kind: str, group: dict[str, Any], is_scheduled: bool) -> dict[str, Any]:
    """Returns the settings of a group of parameters as JSON has them."""
    result = {}
    for key, value in group.items():
        if key in WITHOUT_EFFECT or (is_scheduled and key in OF_SCHEDULERS):
            continue
        if key == "differentiable":
            if value:
                raise UnsupportedError(f"optimizer: differentiable=True of {kind} has no counterpart in a recipe")
            continue
        if kind == "AdamW" and key == "decoupled_weight_decay":
            continue  # always true
        if value is not None:
            result[key] = _plain(value)
    return result


def _plain(value: Any) -> Any:
    """A tensor or tuple as numbers and lists."""
    if hasattr(value, "tolist"):
        return value.tolist()
    if isinstance(value, (tuple, list)):
        return [_plain(each) for each in value]
    return value
