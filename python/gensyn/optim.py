"""Optimizers of recipes, with PyTorch's names and defaults (docs/Running.md, Optimizers).

>>> gensyn.Recipe(optimizer=gensyn.optim.AdamW(lr=3e-4, weight_decay=0.1), ...)

A field that is None has its default. `tensorflow_eps` adds epsilon where TensorFlow and Keras do. `groups` is a list of dicts: `match`, a pattern or a list of patterns (`*`, `?`) of
names of parameters, and the settings that differ for them. An optimizer of torch.optim can be given in place of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from gensyn._recipe_object import RecipeObject

if TYPE_CHECKING:
    from collections.abc import Sequence

    Groups = Sequence[dict[str, Any]]


@dataclass
class Optimizer(RecipeObject):
    """What all optimizers have: the step size, decay, and the direction."""

    lr: float | None = None
    weight_decay: float | None = None
    maximize: bool | None = None
    groups: Groups | None = None


@dataclass
class SGD(Optimizer):
    """Gradient descent, with momentum."""

    momentum: float | None = None
    dampening: float | None = None
    nesterov: bool | None = None


@dataclass
class Adam(Optimizer):
    """Adam; with `decoupled_weight_decay`, AdamW."""

    betas: tuple[float, float] | None = None
    eps: float | None = None
    amsgrad: bool | None = None
    decoupled_weight_decay: bool | None = None
    tensorflow_eps: bool | None = None


@dataclass
class AdamW(Optimizer):
    """Adam with decoupled weight decay, 0.01 by default."""

    betas: tuple[float, float] | None = None
    eps: float | None = None
    amsgrad: bool | None = None
    tensorflow_eps: bool | None = None


@dataclass
class NAdam(Optimizer):
    """Adam with Nesterov momentum."""

    betas: tuple[float, float] | None = None
    eps: float | None = None
    momentum_decay: float | None = None
    decoupled_weight_decay: bool | None = None


@dataclass
class RAdam(Optimizer):
    """Rectified Adam."""

    betas: tuple[float, float] | None = None
    eps: float | None = None
    decoupled_weight_decay: bool | None = None


@dataclass
class Adamax(Optimizer):
    """Adam with the infinity norm."""

    betas: tuple[float, float] | None = None
    eps: float | None = None
    tensorflow_eps: bool | None = None


@dataclass
class Adagrad(Optimizer):
    """Adagrad."""

    lr_decay: float | None = None
    initial_accumulator_value: float | None = None
    eps: float | None = None
    tensorflow_eps: bool | None = None


@dataclass
class Adadelta(Optimizer):
    """Adadelta."""

    rho: float | None = None
    eps: float | None = None


@dataclass
class RMSprop(Optimizer):
    """RMSprop."""

    alpha: float | None = None
    eps: float | None = None
    momentum: float | None = None
    centered: bool | None = None
    tensorflow_eps: bool | None = None


@dataclass
class Adafactor(Optimizer):
    """Adafactor: second moments of matrices by rows and columns."""

    beta2_decay: float | None = None
    eps: tuple[float | None, float] | None = None
    d: float | None = None


@dataclass
class Muon(Optimizer):
    """Muon, for matrices; other parameters need a group with another `kind`."""

    momentum: float | None = None
    nesterov: bool | None = None
    ns_coefficients: tuple[float, float, float] | None = None
    eps: float | None = None
    ns_steps: int | None = None
    adjust_lr_fn: str | None = None


@dataclass
class Lion(Optimizer):
    """Lion, of Chen et al. 2023."""

    betas: tuple[float, float] | None = None


@dataclass
class LAMB(Optimizer):
    """LAMB, of You et al. 2020."""

    betas: tuple[float, float] | None = None
    eps: float | None = None


@dataclass
class ASGD(Optimizer):
    """Averaged gradient descent."""

    lambd: float | None = None
    alpha: float | None = None
    t0: float | None = None


@dataclass
class Rprop(Optimizer):
    """Resilient backpropagation; without `weight_decay`."""

    etas: tuple[float, float] | None = None
    step_sizes: tuple[float, float] | None = None
