"""Schedulers of torch.optim.lr_scheduler, and those of transformers, as the `schedule` of a recipe.

A recipe counts steps of the optimizer, so a scheduler is read as one whose step() follows each optimizer.step().
"""

from __future__ import annotations

import functools
import sys
from typing import TYPE_CHECKING, Any

from gensyn._errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable


def is_scheduler(value: Any) -> bool:
    """True for a scheduler of PyTorch."""
    torch = sys.modules.get("torch")
    if torch is None:
        return False
    schedulers = torch.optim.lr_scheduler
    return isinstance(value, (schedulers.LRScheduler, schedulers.ReduceLROnPlateau))


def read_schedule(scheduler: Any) -> dict[str, Any]:
    """Returns a scheduler that has made no step as the `schedule` of a recipe."""
    name = type(scheduler).__name__
    known = READERS.get(name)
    if known is None or type(scheduler).__module__ != "torch.optim.lr_scheduler":
        raise UnsupportedError(f"schedule: {name} is not a scheduler that gensyn knows", f"known are {[*READERS]}")
    if getattr(scheduler, "last_epoch", 0) > 0:
        raise UnsupportedError(f"schedule: the {name} has made {scheduler.last_epoch} steps already", "give a new one")
    return known(scheduler)


def rates_of(scheduler: Any, optimizer: Any) -> list[float]:
    """Returns for each group the step size that has the factor 1."""
    if type(scheduler).__name__ == "CyclicLR":
        return [float(rate) for rate in scheduler.max_lrs]
    return [float(group.get("max_lr", group.get("initial_lr", group["lr"]))) for group in optimizer.param_groups]


def _refuse(scheduler: Any, what: str) -> UnsupportedError:
    return UnsupportedError(f"schedule: {what} of {type(scheduler).__name__} has no counterpart in a recipe")


def _final(scheduler: Any, least: Any) -> float:
    """Returns the smallest step size as a factor, which has to be the same for all groups."""
    rates = list(getattr(scheduler, "base_lrs", None) or [group["lr"] for group in scheduler.optimizer.param_groups])
    smallest = least if isinstance(least, list) else [least] * len(rates)
    factors = {low / rate for low, rate in zip(smallest, rates)}
    if len(factors) != 1:
        raise _refuse(scheduler, f"a smallest step size of {least}, a different share of each group's,")
    return float(factors.pop())


def _step(scheduler: Any) -> dict[str, Any]:
    return {"kind": "step", "step_size": scheduler.step_size, "gamma": scheduler.gamma}


def _multi_step(scheduler: Any) -> dict[str, Any]:
    milestones = sorted(scheduler.milestones.elements())
    return {"kind": "multi_step", "milestones": milestones, "gamma": scheduler.gamma}


def _exponential(scheduler: Any) -> dict[str, Any]:
    return {"kind": "exponential", "gamma": scheduler.gamma}


def _cosine(scheduler: Any) -> dict[str, Any]:
    return {"kind": "cosine", "total_steps": scheduler.T_max, "final": _final(scheduler, scheduler.eta_min)}


def _linear(scheduler: Any) -> dict[str, Any]:
    if scheduler.end_factor == 1:
        return {"kind": "constant", "warmup_steps": scheduler.total_iters, "warmup_start": scheduler.start_factor}
    if scheduler.start_factor == 1:
        return {"kind": "linear", "total_steps": scheduler.total_iters, "final": scheduler.end_factor}
    raise _refuse(scheduler, f"start_factor={scheduler.start_factor} with end_factor={scheduler.end_factor}")


def _polynomial(scheduler: Any) -> dict[str, Any]:
    return {"kind": "polynomial", "total_steps": scheduler.total_iters, "power": scheduler.power}


def _restarts(scheduler: Any) -> dict[str, Any]:
    final = _final(scheduler, scheduler.eta_min)
    return {"kind": "cosine_restarts", "T_0": scheduler.T_0, "T_mult": scheduler.T_mult, "final": final}


def _one_cycle(scheduler: Any) -> dict[str, Any]:
    group = scheduler.optimizer.param_groups[0]
    if getattr(scheduler, "cycle_momentum", False):
        raise _refuse(scheduler, "cycle_momentum=True")
    phases = scheduler._schedule_phases
    anneal = "linear" if "linear" in scheduler._anneal_func_type else "cos"
    return {
        "kind": "one_cycle",
        "total_steps": scheduler.total_steps,
        "pct_start": (phases[0]["end_step"] + 1) / scheduler.total_steps,
        "anneal_strategy": anneal,
        "div_factor": group["max_lr"] / group["initial_lr"],
        "final_div_factor": group["initial_lr"] / group["min_lr"],
        "three_phase": len(phases) == 3,
    }


def _cyclic(scheduler: Any) -> dict[str, Any]:
    if scheduler.cycle_momentum:
        raise _refuse(scheduler, "cycle_momentum=True")
    factors = {high / low for high, low in zip(scheduler.max_lrs, scheduler.base_lrs)}
    if len(factors) != 1 or scheduler.mode not in ("triangular", "triangular2", "exp_range"):
        raise _refuse(scheduler, "such a scale, or groups of different ratios,")
    up = round(scheduler.total_size * scheduler.step_ratio)
    return {
        "kind": "cyclic",
        "div_factor": factors.pop(),
        "step_size_up": up,
        "step_size_down": round(scheduler.total_size) - up,
        "mode": scheduler.mode,
        "gamma": scheduler.gamma,
    }


def _plateau(scheduler: Any) -> dict[str, Any]:
    keys = ("mode", "factor", "patience", "threshold", "threshold_mode", "cooldown", "eps")
    settings = {key: getattr(scheduler, key) for key in keys}
    return {"kind": "reduce_on_plateau", **settings, "final": _final(scheduler, list(scheduler.min_lrs))}


def _sequence(scheduler: Any) -> dict[str, Any]:
    """A warm-up by LinearLR, and any other schedule after it."""
    parts, milestones = scheduler._schedulers, scheduler._milestones
    first = parts[0]
    is_warmup = type(first).__name__ == "LinearLR" and first.end_factor == 1
    if len(parts) != 2 or not is_warmup or first.total_iters != milestones[0]:
        raise _refuse(scheduler, "a sequence other than a warm-up by LinearLR and one schedule")
    known = READERS.get(type(parts[1]).__name__)
    if known is None:
        raise UnsupportedError(f"schedule: {type(parts[1]).__name__} is not a scheduler that gensyn knows")
    rest = known(parts[1])
    if "warmup_steps" in rest or rest["kind"] == "one_cycle":
        raise _refuse(scheduler, f"a second warm-up, by {type(parts[1]).__name__},")
    if "total_steps" in rest:
        rest["total_steps"] += milestones[0]
    return {**rest, "warmup_steps": milestones[0], "warmup_start": first.start_factor}


def _constant_factor(scheduler: Any) -> dict[str, Any]:
    if scheduler.factor != 1 and scheduler.total_iters:
        raise _refuse(scheduler, f"factor={scheduler.factor}")
    return {"kind": "constant"}


def _of_transformers(scheduler: Any) -> dict[str, Any]:
    """The schedules of transformers, which are functions with their numbers bound."""
    function = scheduler.lr_lambdas[0]
    same = all(each is function for each in scheduler.lr_lambdas) or len({repr(f) for f in scheduler.lr_lambdas}) == 1
    name = getattr(getattr(function, "func", function), "__name__", "a function")
    values = dict(getattr(function, "keywords", None) or {})
    if not isinstance(function, functools.partial) or not same or not name.startswith("_get_"):
        raise _refuse(scheduler, f"the function {name}")
    result = {"warmup_steps": values.pop("num_warmup_steps", 0)}
    if "num_training_steps" in values:
        result["total_steps"] = values.pop("num_training_steps")
    if name.startswith("_get_linear_schedule_with_warmup"):
        result["kind"] = "linear"
    elif name.startswith("_get_cosine_schedule_with_warmup") and values.pop("num_cycles", 0.5) == 0.5:
        result["kind"] = "cosine"
    elif name.startswith("_get_constant_schedule_with_warmup"):
        result["kind"] = "constant"
    elif name.startswith("_get_inverse_sqrt_schedule") and values.get("shift", 0) in (
        None,
        0,
        values.get("timescale", 0) - result["warmup_steps"],
    ):
        result["kind"] = "inverse_sqrt"
        if values.get("timescale"):
            result["timescale"] = values["timescale"]
    else:
        raise _refuse(scheduler, f"the function {name}, with {values},")
    return result


READERS: dict[str, Callable[[Any], dict[str, Any]]] = {
    "StepLR": _step,
    "MultiStepLR": _multi_step,
    "ExponentialLR": _exponential,
    "CosineAnnealingLR": _cosine,
    "CosineAnnealingWarmRestarts": _restarts,
    "LinearLR": _linear,
    "PolynomialLR": _polynomial,
    "ConstantLR": _constant_factor,
    "OneCycleLR": _one_cycle,
    "CyclicLR": _cyclic,
    "ReduceLROnPlateau": _plateau,
    "SequentialLR": _sequence,
    "LambdaLR": _of_transformers,
}
