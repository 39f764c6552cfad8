"""Schedules of the step size (docs/Running.md, Schedules): a factor of `lr` that depends on the number of steps.

>>> gensyn.Recipe(schedule=gensyn.schedules.Cosine(total_steps=1000, warmup_steps=100), ...)

`total_steps` counts the steps of the warm-up too. A field that is None has its default. With `interval="epoch"` a
schedule counts epochs and not steps. A scheduler of torch.optim.lr_scheduler can be given in place of these, as it is
or in `each_epoch`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gensyn._recipe_object import RecipeObject

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass
class Schedule(RecipeObject):
    """What most schedules have: a warm-up from the factor `warmup_start` to 1."""

    warmup_steps: int | None = None
    warmup_start: float | None = None
    interval: str | None = None


@dataclass
class Constant(Schedule):
    """1."""

    kind = "constant"


@dataclass
class Linear(Schedule):
    """From 1 to `final`."""

    kind = "linear"
    total_steps: int | None = None
    final: float | None = None


@dataclass
class Cosine(Schedule):
    """From 1 to `final` along half a cosine."""

    kind = "cosine"
    total_steps: int | None = None
    final: float | None = None


@dataclass
class Polynomial(Schedule):
    """From 1 to `final` along a power."""

    kind = "polynomial"
    total_steps: int | None = None
    final: float | None = None
    power: float | None = None


@dataclass
class InverseSqrt(Schedule):
    """1 / sqrt(1 + s / timescale)."""

    kind = "inverse_sqrt"
    timescale: float | None = None


@dataclass
class Exponential(Schedule):
    """`gamma` to the power of the number of steps."""

    kind = "exponential"
    gamma: float | None = None


@dataclass
class Step(Schedule):
    """Times `gamma` after each `step_size` steps."""

    kind = "step"
    step_size: int | None = None
    gamma: float | None = None


@dataclass
class MultiStep(Schedule):
    """Times `gamma` at each of the milestones, which are numbers of steps."""

    kind = "multi_step"
    milestones: Sequence[int] | None = None
    gamma: float | None = None


@dataclass
class OneCycle(RecipeObject):
    """Up to 1 and down again; `lr` is the largest step size."""

    kind = "one_cycle"
    total_steps: int | None = None
    pct_start: float | None = None
    anneal_strategy: str | None = None
    div_factor: float | None = None
    final_div_factor: float | None = None
    three_phase: bool | None = None
    interval: str | None = None


@dataclass
class CosineRestarts(Schedule):
    """Half cosines from 1 to `final`."""

    kind = "cosine_restarts"
    T_0: int | None = None
    T_mult: int | None = None
    final: float | None = None


@dataclass
class Cyclic(Schedule):
    """Up from 1 / `div_factor` to 1 and down again, over and over; `lr` is the largest step size."""

    kind = "cyclic"
    div_factor: float | None = None
    step_size_up: int | None = None
    step_size_down: int | None = None
    mode: str | None = None
    gamma: float | None = None


@dataclass
class ReduceOnPlateau(Schedule):
    """Times `factor` when `metric` of an epoch has not improved for more than `patience` epochs."""

    kind = "reduce_on_plateau"
    metric: str | None = None
    mode: str | None = None
    factor: float | None = None
    patience: int | None = None
    threshold: float | None = None
    threshold_mode: str | None = None
    cooldown: int | None = None
    final: float | None = None
    eps: float | None = None


class EachEpoch:
    """A schedule that counts epochs, made by `each_epoch`."""

    def __init__(self, schedule: Any) -> None:
        self.schedule = schedule


def each_epoch(schedule: Any) -> EachEpoch:
    """Returns the schedule whose step() is called once an epoch, and not after each step of the optimizer.

    Args:
        schedule: a scheduler of torch.optim.lr_scheduler, an object of this module, or a dict.
    """
    return EachEpoch(schedule)
