"""Losses, optimizers and schedules of Keras as objects of a recipe. What a recipe cannot express is an error that names
it. Keras is not imported: its objects are there if somebody else did.

Where a formula of Keras is another one than that of docs/Running.md, it is refused rather than approximated.
"""

from __future__ import annotations

import itertools
import sys
from typing import TYPE_CHECKING, Any

from gensyn._errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable

# A class of keras.losses -> the kind of a recipe.
LOSSES = {
    "SparseCategoricalCrossentropy": "softmax_cross_entropy",
    "CategoricalCrossentropy": "soft_target_cross_entropy",
    "BinaryCrossentropy": "bce_with_logits",
    "MeanSquaredError": "mse",
    "MeanAbsoluteError": "l1",
    "Huber": "huber",
}
# A key of a loss that no recipe has: the activation that its logits are before.
FROM_PROBABILITIES = "from_probabilities"
# A class of keras.optimizers -> the kind of a recipe, and its keys and the settings in Keras that they take.
BETAS = {"betas": ("beta_1", "beta_2")}
OPTIMIZERS: dict[str, tuple[str, dict[str, Any]]] = {
    "SGD": ("SGD", {"momentum": "momentum"}),
    "Adam": ("Adam", {**BETAS, "eps": "epsilon", "amsgrad": "amsgrad"}),
    "AdamW": ("AdamW", {**BETAS, "eps": "epsilon", "amsgrad": "amsgrad"}),
    "Nadam": ("NAdam", {**BETAS, "eps": "epsilon"}),
    "Adamax": ("Adamax", {**BETAS, "eps": "epsilon"}),
    "Adagrad": ("Adagrad", {"initial_accumulator_value": "initial_accumulator_value", "eps": "epsilon"}),
    "RMSprop": ("RMSprop", {"alpha": "rho", "momentum": "momentum", "centered": "centered", "eps": "epsilon"}),
    "Adadelta": ("Adadelta", {"rho": "rho", "eps": "epsilon"}),
    "Lion": ("Lion", BETAS),
    "Lamb": ("LAMB", {**BETAS, "eps": "epsilon"}),
}
# These add epsilon elsewhere than PyTorch's.
TENSORFLOW_EPS = ("Adam", "AdamW", "Adamax", "Adagrad", "RMSprop")
# In Keras all weight decay is decoupled; in a recipe only that of these is.
DECOUPLED: dict[str, dict[str, Any]] = {
    "Adam": {"decoupled_weight_decay": True},
    "AdamW": {},
    "Nadam": {"decoupled_weight_decay": True},
    "Lion": {},
}


def read_objects(recipe: dict[str, Any], model: Any) -> None:
    """Replaces the objects of Keras in a recipe.

    `model` is the keras.Model that is trained, or None. What the recipe lacks is taken from its `compile`.
    """
    keras = sys.modules.get("keras")
    if keras is None:
        return
    if getattr(model, "compiled", False):
        for key in ("loss", "optimizer"):
            if recipe.get(key) is None and getattr(model, key, None) is not None:
                recipe[key] = _loss_object(getattr(model, key)) if key == "loss" else getattr(model, key)
    if isinstance(recipe.get("loss"), keras.losses.Loss):
        recipe["loss"] = read_loss(recipe["loss"], model)
    optimizer, schedule = recipe.get("optimizer"), recipe.get("schedule")
    if isinstance(optimizer, keras.optimizers.Optimizer):
        recipe["optimizer"], own, clip = read_optimizer(optimizer, model)
        for key, value in (("schedule", own), ("clip", clip)):
            if value is not None and recipe.get(key) is not None:
                raise UnsupportedError(f"optimizer: both the {type(optimizer).__name__} and the recipe have a {key}")
            if value is not None:
                recipe[key] = value
    elif isinstance(schedule, keras.optimizers.schedules.LearningRateSchedule):
        raise UnsupportedError(
            f"schedule: {type(schedule).__name__} of Keras has the step size in it",
            "give it as the learning_rate of an optimizer of Keras, or use gensyn.schedules",
        )


def _loss_object(loss: Any) -> Any:
    """Returns the object of keras.losses that compile() was given the name of, or the function."""
    keras = sys.modules["keras"]
    if isinstance(loss, keras.losses.Loss):
        return loss
    function = keras.losses.get(loss) if isinstance(loss, str) else loss
    if isinstance(function, keras.losses.Loss):
        return function
    name = "".join(part.capitalize() for part in getattr(function, "__name__", type(loss).__name__).split("_"))
    known = getattr(keras.losses, name, None)
    if name not in LOSSES or known is None:
        raise UnsupportedError(f"loss: {name} of Keras is not a loss that gensyn knows", f"known are {[*LOSSES]}")
    return known()


def read_loss(loss: Any, model: Any) -> dict[str, Any]:
    """Returns an object of keras.losses as the `loss` of a recipe.

    One of probabilities has the key FROM_PROBABILITIES: the activation that the model has to be exported without.
    """
    keras = sys.modules["keras"]
    name = type(loss).__name__
    if name not in LOSSES or type(loss) is not getattr(keras.losses, name):
        raise UnsupportedError(f"loss: {name} of Keras is not a loss that gensyn knows", f"known are {[*LOSSES]}")
    settings = {**loss.get_config(), **getattr(loss, "_fn_kwargs", {})}  # delta is not in the config
    result: dict[str, Any] = {"kind": LOSSES[name]}
    if "from_logits" in settings and not settings["from_logits"]:
        if model is None:
            raise UnsupportedError(
                f"loss: {name} of Keras has from_logits=False, expected True",
                "end the model without a softmax or sigmoid, and give from_logits=True",
            )
        result[FROM_PROBABILITIES] = "sigmoid" if name == "BinaryCrossentropy" else "softmax"
    reduction = settings.get("reduction")
    # Keras sums means over the last axis, but for classes.
    if reduction == "sum" and name in ("SparseCategoricalCrossentropy", "CategoricalCrossentropy"):
        result["reduction"] = "sum"
    elif reduction not in ("sum_over_batch_size", "mean"):
        raise UnsupportedError(f"loss: {name} of Keras has reduction {reduction!r}, expected 'sum_over_batch_size'")
    if settings.get("ignore_class") is not None:
        raise UnsupportedError(
            f"loss: ignore_class of {name} has no counterpart in a recipe: Keras divides by all rows"
        )
    if settings.get("label_smoothing") and name == "CategoricalCrossentropy":
        result["label_smoothing"] = float(settings["label_smoothing"])
    elif settings.get("label_smoothing"):
        raise UnsupportedError(f"loss: label_smoothing of {name} has no counterpart in a recipe")
    if settings.get("axis", -1) != -1:
        raise UnsupportedError(f"loss: {name} of Keras has axis {settings['axis']}, expected -1")
    if name == "Huber":
        result["delta"] = float(settings.get("delta", 1.0))
    return result


def read_optimizer(optimizer: Any, model: Any) -> tuple[dict[str, Any], dict[str, Any] | None, dict[str, Any] | None]:
    """Returns an optimizer as the `optimizer`, the `schedule` and the `clip` of a recipe."""
    keras = sys.modules["keras"]
    name = type(optimizer).__name__
    # With PyTorch as the back end they are of classes below these, with the same formulas.
    named = getattr(keras.optimizers, name, ())
    is_own = isinstance(optimizer, named) and type(optimizer).__module__.startswith("keras.src.")
    if name not in OPTIMIZERS or not is_own:
        raise UnsupportedError(
            f"optimizer: {name} of Keras is not an optimizer that gensyn knows", f"known are {[*OPTIMIZERS]}"
        )
    if int(optimizer.iterations) != 0:
        raise UnsupportedError(f"optimizer: the {name} has made {int(optimizer.iterations)} steps", "give a new one")
    settings = optimizer.get_config()
    for key in ("clipnorm", "use_ema", "loss_scale_factor", "gradient_accumulation_steps"):
        if settings.get(key):
            raise UnsupportedError(f"optimizer: {key} of {name} has no counterpart in a recipe")
    if settings.get("global_clipnorm"):
        raise UnsupportedError(
            f"optimizer: global_clipnorm of {name} has no counterpart in a recipe", "use the recipe's clip"
        )
    clip = {"value": float(settings["clipvalue"])} if settings.get("clipvalue") else None
    rate = getattr(optimizer, "_learning_rate", None)
    is_schedule = isinstance(rate, keras.optimizers.schedules.LearningRateSchedule)
    lr, schedule = read_schedule(rate) if is_schedule else (float(optimizer.learning_rate), None)
    if settings.get("momentum") and schedule:
        raise UnsupportedError(f"optimizer: the momentum of Keras' {name} has the step sizes of earlier steps in it")
    kind, keys = OPTIMIZERS[name]
    result: dict[str, Any] = {"kind": kind, "lr": lr}
    for key, of in keys.items():
        result[key] = [settings[each] for each in of] if isinstance(of, tuple) else settings[of]
    if name in TENSORFLOW_EPS:
        result["tensorflow_eps"] = True
    if name == "Nadam":
        result["momentum_decay"] = 1.0  # of the exponent of 0.96
    if settings.get("nesterov") and settings["momentum"]:
        result["nesterov"] = True
    result |= _read_weight_decay(optimizer, name, settings.get("weight_decay"), model)
    return result, schedule, clip


def _read_weight_decay(optimizer: Any, name: str, decay: float | None, model: Any) -> dict[str, Any]:
    if not decay:
        return {"weight_decay": 0.0}
    if name not in DECOUPLED:
        raise UnsupportedError(f"optimizer: weight_decay of {name} is decoupled in Keras, and not in a recipe")
    result: dict[str, Any] = {"weight_decay": decay, **DECOUPLED[name]}
    if not (
        getattr(optimizer, "_exclude_from_weight_decay", None)
        or getattr(optimizer, "_exclude_from_weight_decay_pattern", None)
    ):
        return result
    if model is None:
        raise UnsupportedError(
            f"optimizer: exclude_from_weight_decay of {name} needs the keras.Model whose variables it names"
        )
    if not model.built:
        raise UnsupportedError(
            f"optimizer: exclude_from_weight_decay of {name} needs a keras.Model that is built", "call the model once"
        )
    excluded = [each.path for each in model.trainable_variables if not optimizer._use_weight_decay(each)]
    return {**result, "groups": [{"match": excluded, "weight_decay": 0.0}]} if excluded else result


def read_schedule(schedule: Any) -> tuple[float, dict[str, Any]]:
    """Returns a LearningRateSchedule as the step size that has the factor 1, and the `schedule` of a recipe."""
    keras = sys.modules["keras"]
    name = type(schedule).__name__
    if name not in SCHEDULES or type(schedule) is not getattr(keras.optimizers.schedules, name, None):
        raise UnsupportedError(
            f"schedule: {name} of Keras is not a schedule that gensyn knows", f"known are {[*SCHEDULES]}"
        )
    return SCHEDULES[name](schedule.get_config())


def _refuse(name: str, what: str) -> UnsupportedError:
    return UnsupportedError(f"schedule: {what} of {name} has no counterpart in a recipe")


def _exponential(of: dict[str, Any]) -> tuple[float, dict[str, Any]]:
    if of["staircase"]:
        rest = {"kind": "step", "step_size": int(of["decay_steps"]), "gamma": of["decay_rate"]}
    else:
        rest = {"kind": "exponential", "gamma": of["decay_rate"] ** (1 / of["decay_steps"])}
    return float(of["initial_learning_rate"]), rest


def _cosine(of: dict[str, Any]) -> tuple[float, dict[str, Any]]:
    first, target, steps = float(of["initial_learning_rate"]), of.get("warmup_target"), int(of["decay_steps"])
    if target is None:
        return first, {"kind": "cosine", "total_steps": steps, "final": of["alpha"]}
    warmup = int(of.get("warmup_steps") or 0)
    warm = {"warmup_steps": warmup, "warmup_start": first / target} if warmup else {}
    return float(target), {"kind": "cosine", "total_steps": warmup + steps, "final": of["alpha"], **warm}


def _polynomial(of: dict[str, Any]) -> tuple[float, dict[str, Any]]:
    if of["cycle"]:
        raise _refuse("PolynomialDecay", "cycle=True")
    first = float(of["initial_learning_rate"])
    final = of["end_learning_rate"] / first
    return first, {"kind": "polynomial", "total_steps": int(of["decay_steps"]), "power": of["power"], "final": final}


def _piecewise(of: dict[str, Any]) -> tuple[float, dict[str, Any]]:
    values = [float(value) for value in of["values"]]
    ratios = {after / before for before, after in itertools.pairwise(values)}
    if max(ratios) - min(ratios) > 1e-12 * max(ratios):
        raise _refuse("PiecewiseConstantDecay", f"values {values}, whose ratios differ,")
    # The value of a boundary is still the one before it.
    milestones = [int(boundary) + 1 for boundary in of["boundaries"]]
    return values[0], {"kind": "multi_step", "milestones": milestones, "gamma": min(ratios)}


def _restarts(of: dict[str, Any]) -> tuple[float, dict[str, Any]]:
    if of["m_mul"] != 1 or int(of["t_mul"]) != of["t_mul"]:
        raise _refuse("CosineDecayRestarts", f"m_mul={of['m_mul']} with t_mul={of['t_mul']}")
    rest = {"kind": "cosine_restarts", "T_0": int(of["first_decay_steps"]), "T_mult": int(of["t_mul"])}
    return float(of["initial_learning_rate"]), {**rest, "final": of["alpha"]}


SCHEDULES: dict[str, Callable[[dict[str, Any]], tuple[float, dict[str, Any]]]] = {
    "ExponentialDecay": _exponential,
    "CosineDecay": _cosine,
    "PolynomialDecay": _polynomial,
    "PiecewiseConstantDecay": _piecewise,
    "CosineDecayRestarts": _restarts,
}
