"""Models of Keras as functions of their inputs and their variables, for exporters.

An exporter folds, merges and drops what it knows to be constant. Here it knows no values: each variable is an input of
the function, and becomes an initializer with its own name, shape and values afterwards. So nothing is lost, whatever the
exporter, and no parameter has to be recognized in the file.

A batch normalization and a dropout are cut out in the same way: the tensor that goes in is an output of the function, and
the one that comes out an input. ONNX's own operator is put between them afterwards.
"""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any, NamedTuple

from gensyn._errors import UnsupportedError, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


class Argument(NamedTuple):
    """An input of the function.

    Attributes:
        name: of the tensor in the model.
        shape: None is the size of the batch.
        dtype: of Keras, "float32", ...
    """

    name: str
    shape: tuple[int | None, ...]
    dtype: str


class Cut(NamedTuple):
    """A layer that is an operator of ONNX.

    Attributes:
        layer: a BatchNormalization or a Dropout.
        shape, dtype: of the tensor that goes in and out.
    """

    layer: Any
    shape: tuple[int | None, ...]
    dtype: str


def is_keras_model(model: object) -> bool:
    """True for a model of Keras 3, which is not imported for the question."""
    keras = sys.modules.get("keras")
    return keras is not None and isinstance(model, keras.Model)


def float_variables(model: Any) -> dict[str, Any]:
    """Returns the variables of a model that are floats, each once, by their paths.

    Paths that are equal, which Keras allows in models by subclassing, are numbered.
    """
    found: dict[str, Any] = {}
    for variable in [*model.trainable_variables, *model.non_trainable_variables]:
        if "float" not in str(variable.dtype) or any(each is variable for each in found.values()):
            continue
        name, count = variable.path, 1
        while name in found:
            name, count = f"{variable.path}_{count}", count + 1
        found[name] = variable
    return found


class Function:
    """A model as a function of inputs, float variables, and what comes out of the layers that are cut out.

    Attributes:
        inputs: those of the model.
        variables: by name; see `float_variables`.
        cuts: the layers that are cut out, in the order of the calls.
    """

    def __init__(self, model: Any, example_inputs: Any, training: bool, logits: bool = False) -> None:
        self.model, self.training = model, training
        self.keras = sys.modules["keras"]
        self._last = require_activation(model, "softmax", "sigmoid") if logits else None
        if example_inputs is not None and not model.built:
            model(self._tensors(example_inputs))
        if not model.built:
            raise UsageError("the Keras model is not built: give example_inputs, or call it once")
        self.structure, self.inputs = self._read_inputs(example_inputs)
        self.variables = float_variables(model)
        if training:
            _require_trainable(model)
        self.cuts: list[Cut] = []
        self._placeholders: list[Any] | None = None
        self._taken: list[Any] = []
        if any(isinstance(layer, self._cut_classes()) for layer in model._flatten_layers()):
            self._find_cuts()

    @property
    def arguments(self) -> list[Argument]:
        """All inputs of the function."""
        variables = [Argument(name, tuple(each.shape), str(each.dtype)) for name, each in self.variables.items()]
        return [*self.inputs, *variables, *(Argument(f"cut{i}", c.shape, c.dtype) for i, c in enumerate(self.cuts))]

    def __call__(self, *tensors: Any) -> tuple[Any, ...]:
        """Returns the outputs of the model, and what goes into the layers that are cut out."""
        first, last = len(self.inputs), len(self.inputs) + len(self.variables)
        self._placeholders, self._taken = list(tensors[last:]), []
        try:
            outputs = self._call(tensors[:first], tensors[first:last])
        finally:
            self._placeholders = None
        # A tensor that is two outputs, or an input and an output, would have two names.
        return (*outputs, *self._taken)

    def _call(self, inputs: Sequence[Any], variables: Sequence[Any]) -> list[Any]:
        tree = self.keras.tree
        values = {id(variable): value for variable, value in zip(self.variables.values(), variables)}
        trainable = [values.get(id(each), each.value) for each in self.model.trainable_variables]
        others = [values.get(id(each), each.value) for each in self.model.non_trainable_variables]
        argument = tree.pack_sequence_as(self.structure, list(inputs))
        with self._patched():
            outputs, _ = self.model.stateless_call(trainable, others, argument, **self._mode())
        return list(tree.flatten(outputs))

    def _mode(self) -> dict[str, bool]:
        return {"training": self.training} if getattr(self.model, "_call_has_training_arg", True) else {}

    def _tensors(self, values: Any) -> Any:
        return self.keras.tree.map_structure(self.keras.ops.convert_to_tensor, values)

    def _read_inputs(self, example: Any) -> tuple[Any, list[Argument]]:
        """Returns the structure of the first argument of a call, and its tensors."""
        tree = self.keras.tree
        known = getattr(self.model, "inputs", None)
        if not known and example is None:
            raise UsageError("example_inputs are needed for a Keras model that is not of the functional API")
        structure = (known[0] if len(known) == 1 else list(known)) if known else example
        names = [each.name for each in known] if known else _names(example, tree)
        shapes = [tuple(each.shape) for each in known] if known else [(None,) * 1] * len(names)
        kinds = [str(each.dtype) for each in known] if known else []
        if example is not None:
            given = [self.keras.ops.convert_to_tensor(each) for each in tree.flatten(example)]
            if len(given) != len(names):
                raise UsageError(f"example_inputs has {len(given)} tensors, and the Keras model takes {len(names)}")
            kinds = kinds or [self.keras.backend.standardize_dtype(each.dtype) for each in given]
            shapes = [(None, *(int(size) for size in each.shape[1:])) for each in given]
        for name, shape in zip(names, shapes):
            if None in shape[1:]:
                raise UsageError(
                    f"input {name!r} of the Keras model has an open dimension {shape.index(None, 1)}, of {list(shape)}",
                    "give example_inputs, whose sizes it then has; only the batch stays open",
                )
        return structure, [Argument(*each) for each in zip(names, shapes, kinds)]

    def _find_cuts(self) -> None:
        """Calls the model with two and with three samples: sizes that differ are those of the batch."""
        found = []
        variables = [each.value for each in self.variables.values()]
        for samples in (2, 3):
            self.cuts = []
            shapes = [[samples if size is None else size for size in each.shape] for each in self.inputs]
            tensors = [self.keras.ops.ones(shape, each.dtype) for shape, each in zip(shapes, self.inputs)]
            self._call(tensors, variables)
            found.append(self.cuts)
        two, three = found
        self.cuts = [
            a._replace(shape=tuple(m if m == n else None for m, n in zip(a.shape, b.shape))) for a, b in zip(two, three)
        ]

    def _cut(self, layer: Any, inputs: Any) -> Any:
        if self._placeholders is None:
            shape = tuple(int(size) for size in inputs.shape)
            self.cuts.append(Cut(layer, shape, self.keras.backend.standardize_dtype(inputs.dtype)))
            return inputs
        placeholder = self._placeholders[len(self._taken)]
        self._taken.append(inputs)
        return placeholder

    def _cut_classes(self) -> tuple[type, ...]:
        return (self.keras.layers.BatchNormalization, self.keras.layers.Dropout)

    @contextlib.contextmanager
    def _patched(self) -> Iterator[None]:
        """The layers that are cut out; their classes are as before afterwards."""
        normalization, dropout = self._cut_classes()
        normalize, drop = normalization.call, dropout.call  # type: ignore[attr-defined]

        def call_normalization(layer: Any, inputs: Any, training: Any = None, mask: Any = None) -> Any:
            trains = bool(training) and layer.trainable
            if trains and (mask is not None or layer.renorm):
                what = "a mask" if mask is not None else "renorm=True"
                raise UnsupportedError(f"layer {layer.name!r}: a BatchNormalization with {what} cannot be trained")
            # One that is frozen, or called with training=False, is not put into training mode by a recipe.
            if mask is not None or trains != self.training or str(layer.compute_dtype) != "float32":
                return normalize(layer, inputs, training=False, mask=mask)
            return self._cut(layer, inputs)

        def call_dropout(layer: Any, inputs: Any, training: Any = False) -> Any:
            return self._cut(layer, inputs) if training and layer.rate > 0 else inputs

        recurrent = [each for each in self.model._flatten_layers() if isinstance(each, self.keras.layers.RNN)]
        unrolled = [(each, each.unroll) for each in recurrent]
        normalization.call, dropout.call = call_normalization, call_dropout  # type: ignore[attr-defined]
        for layer, _ in unrolled:
            layer.unroll = True  # loops of TensorFlow have no derivative here, and jax2onnx knows no backward ones
        restore = None if self._last is None else self._last.remove()
        try:
            yield
        finally:
            if restore is not None:
                restore()
            for layer, unroll in unrolled:
                layer.unroll = unroll
            normalization.call, dropout.call = normalize, drop  # type: ignore[attr-defined]


class Activation(NamedTuple):
    """What a model ends with.

    Attributes:
        operation: a layer, or an operation of the functional API.
        kind: "softmax" or "sigmoid".
        attribute: of the operation, which is a function: its activation or, if it is nothing else, its call.
    """

    operation: Any
    kind: str
    attribute: str

    def remove(self) -> Callable[[], None]:
        """Lets the operation return what the activation would be of. Returns the function that undoes it."""
        own = vars(self.operation)  # Keras would take what is set as an attribute for a part of the layer
        before = own.get(self.attribute)
        own[self.attribute] = lambda x, *_, **__: x

        def restore() -> None:
            if before is None:
                del own[self.attribute]
            else:
                own[self.attribute] = before

        return restore


def _last_activation(model: Any) -> Activation | None:
    keras = sys.modules["keras"]
    outputs = getattr(model, "outputs", None) or []
    if len(outputs) != 1:
        return None
    operation = outputs[0]._keras_history.operation
    if is_keras_model(operation):
        return _last_activation(operation)
    kind = type(operation).__name__.lower()
    if kind in ("softmax", "sigmoid") and type(operation).__module__.startswith("keras.src."):
        axis = getattr(operation, "axis", -1)
        return Activation(operation, kind, "call") if axis in (-1, len(outputs[0].shape) - 1) else None
    for kind in ("softmax", "sigmoid"):
        if getattr(operation, "activation", None) is getattr(keras.activations, kind):
            return Activation(operation, kind, "activation")
    return None


def require_activation(model: Any, *kinds: str) -> Activation:
    """Returns the softmax or sigmoid that a model ends with, or raises UnsupportedError."""
    found = _last_activation(model)
    if found is None or found.kind not in kinds:
        raise UnsupportedError(
            f"the Keras model {getattr(model, 'name', '')!r} does not end with a {' or '.join(kinds)} that can be left out",
            "let it end with logits, and give the loss from_logits=True",
        )
    return found


def _names(example: Any, tree: Any) -> list[str]:
    """Names of the tensors of an example: their keys, or their numbers."""
    if isinstance(example, dict):
        return [str(key) for key in sorted(example)]
    return [f"input_{i}" for i in range(len(tree.flatten(example)))]


def _require_trainable(model: Any) -> None:
    """Raises UnsupportedError for what a step of Keras does and a program would not."""
    keras = sys.modules["keras"]
    for layer in model._flatten_layers():
        what = f"layer {layer.name!r} ({type(layer).__name__})"
        for name, value in vars(layer).items():
            if name.endswith("_regularizer") and value is not None:
                raise UnsupportedError(f"{what}: its {name} has no counterpart in a recipe")
        is_plain = type(layer) is keras.layers.Dropout and layer.noise_shape is None
        amounts = [getattr(layer, name, None) for name in ("rate", "dropout", "recurrent_dropout", "stddev")]
        known = [each for each in amounts if isinstance(each, (int, float))]
        if getattr(layer, "seed_generator", None) is None or is_plain or (known and not any(known)):
            continue
        raise UnsupportedError(f"{what} draws random numbers in training, which only a plain Dropout can")
    for variable in model.trainable_variables:
        if getattr(variable, "constraint", None) is not None:
            raise UnsupportedError(f"variable {variable.path!r}: its constraint has no counterpart in a recipe")
        if getattr(variable, "regularizer", None) is not None:
            raise UnsupportedError(f"variable {variable.path!r}: its regularizer has no counterpart in a recipe")
