"""Models of Keras 3 as ONNX files."""

from __future__ import annotations

import logging
import os
import warnings
from typing import Any

from gensyn import _keras_graph
from gensyn._errors import FileError, UnsupportedError, UsageError
from gensyn._export import Exported, first_line, quiet
from gensyn._keras_trace import Function, is_keras_model


def from_keras(
    model: Any,
    path: str | os.PathLike[str],
    *,
    example_inputs: Any = None,
    training: bool = False,
    logits: bool = False,
    opset: int = 18,
) -> Exported:
    """Writes a model of Keras 3 as an ONNX file with its variables under their own paths and in their own shapes.

    The exporter is that of Keras' back end: tf2onnx for TensorFlow, torch.onnx for PyTorch, jax2onnx for JAX. The batch
    is open. Trainable variables are marked as parameters, others as buffers.

    Args:
        model: a keras.Model that is built.
        path: the file to write.
        example_inputs: the first argument of a call: arrays whose sizes the dimensions other than the batch have. For a
            model that is not of the functional API, or has other open dimensions.
        training: dropout is active, and batch normalizations that are not trained are written as plain arithmetic, so
            that a recipe's "batch_norm": "train" is for the others; else all as in evaluation mode.
        logits: without the softmax or the sigmoid that the model ends with, as losses of recipes need it.
        opset: the version of ONNX's operators.

    Raises:
        UsageError: no model of Keras, one that is not built, or one with open dimensions that need example_inputs.
        UnsupportedError: Keras' back end has no exporter, or it fails, in its own words; or with `training` the model
            has what a recipe cannot express: regularizers, constraints, random layers other than Dropout. With `logits`
            the model does not end with a softmax or a sigmoid.
        FileError: the file cannot be written.
    """
    if not is_keras_model(model):
        raise UsageError(f"expected a keras.Model, not {type(model).__name__}")
    function = Function(model, example_inputs, training, logits)
    backend = function.keras.backend.backend()
    if backend not in EXPORTERS:
        raise UnsupportedError(f"the back end of Keras is {backend!r}, expected one of {[*EXPORTERS]}")
    exporter, export = EXPORTERS[backend]
    name = getattr(model, "name", type(model).__name__)
    notes: list[str] = []
    try:
        with quiet(logging.ERROR):  # tf2onnx logs as errors what it tries in vain
            proto, notes = export(function, opset)
    except ImportError as error:
        raise UnsupportedError(f"the exporter of Keras' back end {backend} is not installed: {error}") from None
    except UnsupportedError:
        raise
    except Exception as error:  # noqa: BLE001  (of any kind: the exporters raise many)
        raise UnsupportedError(f"{exporter} cannot export the Keras model {name!r}: {first_line(error)}") from None
    file = os.fsdecode(path)
    try:
        _keras_graph.write(proto, function, file)
    except OSError as error:
        raise FileError(f"{file}: cannot be written: {error.strerror}") from None
    for note in notes:
        warnings.warn(note, stacklevel=2)
    return Exported(file, exporter, tuple(notes))


def _with_tensorflow(function: Function, opset: int) -> tuple[Any, list[str]]:
    import onnx
    import tensorflow
    import tf2onnx
    from keras.src.export.tf2onnx_lib import patch_tf2onnx

    patch_tf2onnx()  # for numpy 2
    # Names of TensorFlow have fewer characters than those of variables.
    signature = [
        tensorflow.TensorSpec(each.shape, each.dtype, name=f"argument{i}") for i, each in enumerate(function.arguments)
    ]
    # Identity: an output that is an input has a name of its own.
    traced = tensorflow.function(lambda *tensors: [tensorflow.identity(each) for each in function(*tensors)])
    proto, _ = tf2onnx.convert.from_function(traced, signature, opset=opset)
    # Tensors of the model that are no variables are inputs too.
    captured = {inner.name: outer.numpy() for outer, inner in traced.get_concrete_function(*signature).graph.captures}
    for value in [each for each in proto.graph.input if each.name in captured]:
        proto.graph.initializer.append(onnx.numpy_helper.from_array(captured[value.name], value.name))
        proto.graph.input.remove(value)
    return proto, []


def _with_jax(function: Function, opset: int) -> tuple[Any, list[str]]:
    import jax2onnx
    import numpy

    def spec(shape: tuple[int | None, ...], dtype: str) -> Any:
        import jax

        return jax.ShapeDtypeStruct(tuple("batch" if n is None else n for n in shape), numpy.dtype(dtype))

    inputs = [spec(each.shape, each.dtype) for each in function.arguments]
    names = [f"argument{i}" for i in range(len(inputs))]
    return jax2onnx.to_onnx(function, inputs=inputs, input_names=names, opset=opset), []


def _with_torch(function: Function, opset: int) -> tuple[Any, list[str]]:
    import torch

    class Module(torch.nn.Module):  # type: ignore[misc]
        def forward(self, *tensors: Any) -> Any:
            return tuple(each.clone() for each in function(*tensors))

    example = []
    for each in function.arguments:
        kind = getattr(torch, each.dtype)
        example.append(torch.ones([2 if size is None else size for size in each.shape], dtype=kind))
    batch = torch.export.Dim("batch")
    shapes = [{i: batch for i, size in enumerate(each.shape) if size is None} or None for each in function.arguments]
    notes: list[str] = []
    for dynamic in ((tuple(shapes),), None):
        try:
            with torch.no_grad():
                # All values are inputs, so there is nothing to fold.
                program = torch.onnx.export(
                    Module(), tuple(example), dynamo=True, verbose=False, opset_version=opset, dynamic_shapes=dynamic
                )
            return program.model_proto, notes
        except Exception as error:
            if dynamic is None:
                raise
            notes = [f"the batch is fixed: {first_line(error)}"]
    raise AssertionError("one of the two returns or raises")


# The back end of Keras -> the exporter.
EXPORTERS = {
    "tensorflow": ("tf2onnx", _with_tensorflow),
    "torch": ("dynamo", _with_torch),
    "jax": ("jax2onnx", _with_jax),
}
