"""Recipes: what a step of training is."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gensyn import _keras_recipe, _torch_recipe
from gensyn._errors import FileError, UsageError
from gensyn._recipe_object import RecipeObject
from gensyn.schedules import EachEpoch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gensyn._module import Module
    from gensyn.losses import GraphOutput, Loss
    from gensyn.optim import Optimizer
    from gensyn.schedules import OneCycle, Schedule


@dataclasses.dataclass
class Recipe:
    """A recipe, with the keys of docs/Running.md; a field that is None has its default.

    Objects are those of gensyn.losses, gensyn.optim and gensyn.schedules, dicts with the keys of a recipe, or those of
    PyTorch (a loss of torch.nn, an optimizer of torch.optim, a scheduler of torch.optim.lr_scheduler) or Keras (a loss
    of keras.losses, an optimizer of keras.optimizers with its learning rate or schedule).
    """

    loss: Loss | GraphOutput | Mapping[str, Any] | Any = None
    optimizer: Optimizer | Mapping[str, Any] | Any = None
    schedule: Schedule | OneCycle | Mapping[str, Any] | Any = None
    epochs: int | None = None
    batch_size: int | None = None
    accumulate: int | None = None
    shuffle: bool | None = None
    drop_last: bool | None = None
    seed: int | None = None
    clip: Mapping[str, Any] | None = None
    ema: Mapping[str, Any] | None = None
    precision: Mapping[str, Any] | None = None
    accuracy: str | None = None
    batch_norm: str | None = None
    frozen: Sequence[str] | None = None
    lost_parameters: str | None = None
    remat: Sequence[str] | None = None
    metrics: Sequence[str] | None = None
    best: Mapping[str, Any] | None = None
    early_stopping: Mapping[str, Any] | None = None


def read_recipe(recipe: Any, module: Module | None) -> dict[str, Any]:
    """Returns the keys and values of any form of a recipe, as JSON has them.

    `module` is the model of a framework that is trained, or None: the parameters of an optimizer are looked up in it.
    """
    if isinstance(recipe, Recipe):
        given = {field.name: getattr(recipe, field.name) for field in dataclasses.fields(recipe)}
        recipe = {name: value for name, value in given.items() if value is not None}
    elif isinstance(recipe, (str, os.PathLike)):
        recipe = _read_file(os.fsdecode(recipe))
    if not isinstance(recipe, Mapping):
        raise UsageError(f"recipe is {type(recipe).__name__}, expected a gensyn.Recipe, a dict or the path of a file")
    result = {str(key): value for key, value in recipe.items() if value is not None}
    is_each_epoch = isinstance(result.get("schedule"), EachEpoch)
    if is_each_epoch:
        result["schedule"] = result["schedule"].schedule
    for key, value in result.items():
        if isinstance(value, RecipeObject):
            result[key] = value.as_dict()
    keras_model, torch_module = (None, None) if module is None else (module.keras_model, module.torch_module)
    _keras_recipe.read_objects(result, keras_model)  # before PyTorch's, which takes any function for a loss
    _torch_recipe.read_objects(result, torch_module)
    if is_each_epoch:
        if not isinstance(result["schedule"], Mapping):
            raise UsageError(f"schedule: each_epoch has {type(result['schedule']).__name__}, expected a schedule")
        result["schedule"] = {**result["schedule"], "interval": "epoch"}
    return result


def write_recipe(recipe: dict[str, Any]) -> str:
    """Returns the text of a recipe."""
    try:
        return json.dumps(recipe, default=_plain, indent=1)
    except (TypeError, ValueError) as error:
        raise UsageError(f"recipe: {error}") from None


def _plain(value: Any) -> Any:
    """Numbers and arrays of numpy, and whatever else has their methods."""
    for method in ("tolist", "item"):
        if hasattr(value, method):
            return getattr(value, method)()
    raise TypeError(f"a value is {type(value).__name__}, which JSON does not have")


def _read_file(path: str) -> dict[str, Any]:
    try:
        with open(path, encoding="utf-8") as file:
            recipe = json.load(file)
    except OSError as error:
        raise FileError(f"{path}: {error.strerror}") from None
    except ValueError as error:
        raise UsageError(f"{path}: is not JSON: {error}") from None
    if not isinstance(recipe, dict):
        raise UsageError(f"{path}: a recipe is a JSON object")
    return recipe
