"""Models of Keras: how they are exported, and how they get their variables back."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Any

from gensyn._errors import InternalError
from gensyn._keras_export import from_keras
from gensyn._keras_recipe import FROM_PROBABILITIES
from gensyn._keras_trace import float_variables, require_activation
from gensyn._module import Module, split_batch

if TYPE_CHECKING:
    from collections.abc import Mapping


class KerasModule(Module):
    """A keras.Model."""

    kind = "keras.Model"

    @property
    def keras_model(self) -> Any:
        return self.model

    @property
    def needs_example(self) -> bool:  # type: ignore[override]
        known = getattr(self.model, "inputs", None)
        return not known or any(None in each.shape[1:] for each in known)

    # The loss takes logits, and the model ends with probabilities.
    _needs_logits = False

    def complete_recipe(self, recipe: dict[str, Any]) -> None:
        """Adds normalizations by the batch. Variables that are not trained are marked in the file."""
        loss = recipe.get("loss")
        if isinstance(loss, dict) and FROM_PROBABILITIES in loss:
            require_activation(self.model, loss.pop(FROM_PROBABILITIES))
            self._needs_logits = True
        normalization = sys.modules["keras"].layers.BatchNormalization
        layers = self.model._flatten_layers()
        if "batch_norm" not in recipe and any(isinstance(each, normalization) and each.trainable for each in layers):
            recipe["batch_norm"] = "train"

    def inputs_of(self, batch: Any, recipe: Mapping[str, Any]) -> Any:
        """Returns the inputs of a batch, in the structure of the first argument of a call."""
        values = split_batch(batch, recipe)
        return values[0] if isinstance(values, tuple) and len(values) == 1 else values

    def export(self, example: Any, folder: str, training: bool) -> str:
        path = os.path.join(folder, f"{self.model.name}.onnx")
        logits = training and self._needs_logits
        return from_keras(self.model, path, example_inputs=example, training=training, logits=logits).path

    def update(self, values: Mapping[str, Any], steps: int) -> None:
        variables = float_variables(self.model)
        lost = [n for n, value in values.items() if n not in variables or tuple(variables[n].shape) != value.shape]
        if lost:
            raise InternalError(f"the Keras model has no variable {lost[0]!r} of the shape that was trained")
        for name, value in values.items():
            variables[name].assign(value)
