"""Losses of recipes, with the formulas and defaults of torch.nn.functional (docs/Running.md, Losses).

>>> gensyn.Recipe(loss=gensyn.losses.SoftmaxCrossEntropy(label_smoothing=0.1), ...)

`logits`, `prediction` or `output` is the name of the model's output, which may be left out where there is only one.
`target` is the name of the targets in data. A field that is None has its default. A loss of torch.nn can be given in
place of these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gensyn._recipe_object import RecipeObject

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass
class Loss(RecipeObject):
    """What all losses of a target have."""

    target: str | None = None
    reduction: str | None = None


@dataclass
class SoftmaxCrossEntropy(Loss):
    """Of logits, and targets that are numbers of classes (int64)."""

    kind = "softmax_cross_entropy"
    logits: str | None = None
    ignore_index: int | None = None
    axis: int | None = None
    label_smoothing: float | None = None
    weight: Sequence[float] | None = None


@dataclass
class Nll(Loss):
    """Of logarithms of probabilities, and targets that are numbers of classes (int64)."""

    kind = "nll"
    prediction: str | None = None
    ignore_index: int | None = None
    axis: int | None = None
    weight: Sequence[float] | None = None


@dataclass
class Mse(Loss):
    """The mean square of differences."""

    kind = "mse"
    prediction: str | None = None


@dataclass
class L1(Loss):
    """The mean of absolute differences."""

    kind = "l1"
    prediction: str | None = None


@dataclass
class Huber(Loss):
    """Squares up to `delta`, linear beyond."""

    kind = "huber"
    prediction: str | None = None
    delta: float | None = None


@dataclass
class SmoothL1(Loss):
    """Squares up to `beta`, linear beyond."""

    kind = "smooth_l1"
    prediction: str | None = None
    beta: float | None = None


@dataclass
class BceWithLogits(Loss):
    """Binary cross entropy of logits; targets are in [0, 1]."""

    kind = "bce_with_logits"
    logits: str | None = None
    pos_weight: float | Sequence[float] | None = None


@dataclass
class Bce(Loss):
    """Binary cross entropy of probabilities; targets are in [0, 1]."""

    kind = "bce"
    prediction: str | None = None


@dataclass
class KlDiv(Loss):
    """The Kullback-Leibler divergence of logarithms of probabilities."""

    kind = "kl_div"
    prediction: str | None = None
    log_target: bool | None = None


@dataclass
class SoftTargetCrossEntropy(Loss):
    """Of logits, and targets that are probabilities of the classes, such as one-hot vectors."""

    kind = "soft_target_cross_entropy"
    logits: str | None = None
    axis: int | None = None
    label_smoothing: float | None = None
    weight: Sequence[float] | None = None


@dataclass
class Cosine(Loss):
    """1 minus the cosine of the angle between prediction and target."""

    kind = "cosine"
    prediction: str | None = None
    axis: int | None = None
    eps: float | None = None


@dataclass
class GraphOutput(RecipeObject):
    """A number that the model computes itself; there is no target."""

    kind = "graph_output"
    output: str | None = None
