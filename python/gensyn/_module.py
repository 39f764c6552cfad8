"""Models of frameworks, as the package uses them: exported, trained, and given their parameters back."""

from __future__ import annotations

import abc
import tempfile
from collections.abc import Mapping
from typing import Any, NamedTuple

from gensyn import _data
from gensyn._arguments import path_of
from gensyn._errors import UsageError


class Module(abc.ABC):
    """A model of a framework.

    Attributes:
        kind: the class, for messages.
        needs_example: True if the shapes of its inputs are known from example inputs alone.
        model: the user's object.
    """

    kind: str
    needs_example = True

    def __init__(self, model: Any) -> None:
        self.model = model

    @property
    def torch_module(self) -> Any:
        """The torch.nn.Module whose parameters an optimizer of PyTorch has; None for models of other frameworks."""
        return None

    @property
    def keras_model(self) -> Any:
        """The keras.Model whose variables an optimizer of Keras has; None for models of other frameworks."""
        return None

    @abc.abstractmethod
    def complete_recipe(self, recipe: dict[str, Any]) -> None:
        """Adds to a recipe what the model says, such as normalizations by the batch."""

    @abc.abstractmethod
    def inputs_of(self, batch: Any, recipe: Mapping[str, Any]) -> Any:
        """Returns the example inputs in a batch of inputs and target."""

    @abc.abstractmethod
    def export(self, example: Any, folder: str, training: bool) -> str:
        """Writes the model to a folder, for inference or for training, and returns its file."""

    @abc.abstractmethod
    def update(self, values: Mapping[str, Any], steps: int) -> None:
        """Copies parameters and running statistics into the model, after so many steps."""


def as_module(model: object) -> Module | None:
    """Returns a model of a framework; None for anything else, such as a path."""
    if isinstance(model, Module):
        return model
    from gensyn._keras_module import KerasModule
    from gensyn._keras_trace import is_keras_model
    from gensyn._torch_module import TorchModule, is_module

    if is_keras_model(model):  # with PyTorch as its back end it is a torch.nn.Module too
        return KerasModule(model)
    return TorchModule(model) if is_module(model) else None


class ModelFile(NamedTuple):
    """A model as a file.

    Attributes:
        path: the file.
        module: the model of a framework that it was written from, else None.
        folder: of the file, which is removed with this object; None if the file is the user's.
    """

    path: str
    module: Module | None
    folder: tempfile.TemporaryDirectory[str] | None


def open_model(model: object, example_inputs: Any, *, training: bool = False) -> ModelFile:
    """Returns the file of a model, to which a model of a framework is exported, for inference or for training."""
    module = as_module(model)
    if module is None:
        if example_inputs is not None:
            raise UsageError("example inputs are for a torch.nn.Module or a keras.Model, and the model is a file")
        return ModelFile(path_of(model, "model"), None, None)
    if example_inputs is None and module.needs_example:
        raise UsageError(f"a {module.kind} needs example inputs")
    folder = tempfile.TemporaryDirectory(prefix="gensyn-")
    return ModelFile(module.export(example_inputs, folder.name, training=training), module, folder)


def split_batch(batch: Any, recipe: Mapping[str, Any]) -> dict[str, Any] | tuple[Any, ...]:
    """Returns the inputs in a batch of inputs and target, by name if the batch is, else in their order."""
    loss = recipe.get("loss") or {}
    has_target = loss.get("kind") != "graph_output"
    if isinstance(batch, Mapping):
        target = loss.get("target", "target") if has_target else None
        return {name: value for name, value in batch.items() if name != target}
    values = [batch] if _data.is_array(batch) else list(batch)
    values = values[:-1] if has_target else values
    flat: list[Any] = []
    for value in values:
        flat += list(value) if isinstance(value, (tuple, list)) else [value]
    return tuple(flat)
