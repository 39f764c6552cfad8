"""The ONNX graph of a traced model of Keras: variables as initializers, and operators in place of layers cut out."""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any

import numpy

from gensyn._errors import UnsupportedError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gensyn._keras_trace import Cut, Function

# How the compiler is told what an initializer is: lib/Translation/Onnx/ExporterNotes.h.
KIND = "pkg.torch.export.graph_signature.InputSpec.kind"
# Bytes of all variables up to which a model is one file; protobuf ends at 2 GiB.
ONE_FILE = 3 << 29


def write(proto: Any, function: Function, path: str) -> None:
    """Completes the graph that an exporter made of the function, and writes it, as a whole or not at all."""
    import onnx

    complete(proto, function)
    size = sum(tensor.ByteSize() for tensor in proto.graph.initializer)
    folder = os.path.dirname(os.path.abspath(path))
    with tempfile.TemporaryDirectory(dir=folder, prefix=".gensyn-") as scratch:
        made = os.path.join(scratch, os.path.basename(path))
        weights = os.path.basename(path) + ".data"
        onnx.save(proto, made, save_as_external_data=size > ONE_FILE, location=weights)
        if os.path.exists(os.path.join(scratch, weights)):
            os.replace(os.path.join(scratch, weights), path + ".data")
        os.replace(made, path)


def complete(proto: Any, function: Function) -> None:
    """Turns the graph of a function into that of the model."""
    graph = proto.graph
    inputs = {each.name: each for each in graph.input}
    given = _given_names(list(inputs), len(function.arguments))
    _free_names(graph, [each.name for each in function.arguments])
    _rename(graph, {name: each.name for name, each in zip(given, function.arguments)})
    count = len(graph.output) - len(function.cuts)
    entries = [each.name for each in graph.output[count:]]
    del graph.output[count:]
    model_outputs = getattr(function.model, "output_names", None) or []
    _name_outputs(graph, list(model_outputs), count)

    known = {each.name for each in function.arguments}
    if unknown := [each.name for each in graph.input if each.name not in known]:
        raise UnsupportedError(
            f"the exporter gave the model an input {unknown[0]!r}, which the Keras model does not have"
        )
    _name_batch(graph, function)
    kept = {each.name for each in function.inputs}
    for value in [each for each in graph.input if each.name not in kept]:
        graph.input.remove(value)
    for i, (cut, entry) in enumerate(zip(function.cuts, entries)):
        graph.node.extend(_operator(cut, entry, f"cut{i}", i, function))
    _add_variables(graph, function)
    _sort(graph)
    _strip(proto)


def _given_names(names: list[str], count: int) -> list[str]:
    """Returns the exporter's names of the arguments, which end with their numbers."""
    by_number = {
        int("".join(c for c in name.split(":")[0].rsplit("_", 1)[-1] if c.isdigit()) or -1): name for name in names
    }
    return [by_number.get(i, f"argument{i} is not read") for i in range(count)]


def _graphs(graph: Any) -> Iterator[Any]:
    """The graph and those of the bodies of its loops and branches."""
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for inner in [attribute.g] * attribute.HasField("g") + list(attribute.graphs):
                yield from _graphs(inner)


def _rename(graph: Any, names: dict[str, str]) -> None:
    for each in _graphs(graph):
        for node in each.node:
            for values in (node.input, node.output):
                values[:] = [names.get(name, name) for name in values]
        for value in [*each.input, *each.output, *each.value_info, *each.initializer]:
            value.name = names.get(value.name, value.name)


def _free_names(graph: Any, wanted: list[str]) -> None:
    """Gives the exporter's tensors that have one of the names another one."""
    used = {name for each in _graphs(graph) for node in each.node for name in (*node.input, *node.output)}
    used |= {value.name for each in _graphs(graph) for value in (*each.input, *each.output, *each.initializer)}
    _rename(graph, {name: f"{name}__exported" for name in wanted if name in used})


def _name_outputs(graph: Any, names: list[str], count: int) -> None:
    """Gives the outputs the names that they have in Keras, where these are free."""
    if len(names) != count:
        names = [f"output_{i}" for i in range(count)] if count > 1 else ["output"]
    taken = {value.name for value in graph.input}
    for i, value in enumerate(graph.output):
        name = names[i] if names[i] not in taken and names.count(names[i]) == 1 else f"output_{i}"
        _free_names(graph, [name])
        _rename(graph, {value.name: name})


def _name_batch(graph: Any, function: Function) -> None:
    """Names the open dimension, for which exporters have names of their own."""
    shapes = {each.name: each.shape for each in function.arguments}
    names = set()
    for value in graph.input:
        for dim, size in zip(value.type.tensor_type.shape.dim, shapes.get(value.name, ())):
            if size is None and dim.dim_param:
                names.add(dim.dim_param)
    for value in (*graph.input, *graph.output):
        for dim in value.type.tensor_type.shape.dim:
            if dim.dim_param in names:
                dim.dim_param = "batch"


def _operator(cut: Cut, entry: str, leaves: str, number: int, function: Function) -> list[Any]:
    """Returns the nodes of a layer that was cut out, from the tensor `entry` to the tensor `leaves`."""
    import onnx

    make, layer = onnx.helper.make_node, cut.layer
    prefix = f"{layer.name}.{number}"
    if not hasattr(layer, "moving_mean"):
        ratio = _constant(f"{prefix}.ratio", numpy.float32(layer.rate))
        trains = _constant(f"{prefix}.training", numpy.bool_(True))
        inputs = [entry, f"{prefix}.ratio", f"{prefix}.training"]
        return [ratio, trains, make("Dropout", inputs, [leaves], name=layer.name)]
    rank = len(cut.shape)
    axis = layer.axis % rank
    channels = cut.shape[axis]
    nodes, operands = [], []
    for what, value in (("gamma", 1), ("beta", 0), ("moving_mean", None), ("moving_variance", None)):
        variable = getattr(layer, what, None)
        if variable is None:
            nodes.append(_constant(f"{prefix}.{what}", numpy.full(channels, value, numpy.float32)))
            operands.append(f"{prefix}.{what}")
        else:
            operands.append(next(name for name, each in function.variables.items() if each is variable))
    settings: dict[str, Any] = {"epsilon": float(layer.epsilon), "momentum": float(layer.momentum)}
    if axis == 1:
        return [*nodes, make("BatchNormalization", [entry, *operands], [leaves], name=layer.name, **settings)]
    there = [0, axis, *(i for i in range(1, rank) if i != axis)]
    back = [there.index(i) for i in range(rank)]
    first, last = f"{prefix}.first", f"{prefix}.last"
    return [
        *nodes,
        make("Transpose", [entry], [first], name=first, perm=there),
        make("BatchNormalization", [first, *operands], [last], name=layer.name, **settings),
        make("Transpose", [last], [leaves], name=last, perm=back),
    ]


def _constant(name: str, value: Any) -> Any:
    import onnx

    return onnx.helper.make_node(
        "Constant", [], [name], name=name, value=onnx.numpy_helper.from_array(numpy.asarray(value))
    )


def _add_variables(graph: Any, function: Function) -> None:
    """Adds an initializer for each variable that the graph reads, and says which tensors are trained."""
    import onnx

    read = {name for each in _graphs(graph) for node in each.node for name in node.input}
    trained = {id(each) for each in function.model.trainable_variables}
    statistics = {id(getattr(c.layer, n, None)) for c in function.cuts for n in ("moving_mean", "moving_variance")}
    kinds = {tensor.name: "BUFFER" for tensor in graph.initializer}
    for name, variable in function.variables.items():
        is_trained = id(variable) in trained
        if name not in read:
            if is_trained and function.training:
                raise UnsupportedError(
                    f"variable {name!r} is trainable, and the outputs of the model do not depend on it"
                )
            continue
        value = numpy.ascontiguousarray(function.keras.ops.convert_to_numpy(variable.value))
        graph.initializer.append(onnx.numpy_helper.from_array(value, name))
        kinds[name] = "PARAMETER" if is_trained and id(variable) not in statistics else "BUFFER"
    del graph.value_info[:]
    for tensor in graph.initializer:
        info = onnx.helper.make_tensor_value_info(tensor.name, tensor.data_type, list(tensor.dims))
        graph.value_info.append(info)
        graph.value_info[-1].metadata_props.add(key=KIND, value=kinds[tensor.name])


def _sort(graph: Any) -> None:
    """Puts each node behind those that it reads, and otherwise leaves the order."""
    makers = {name: i for i, node in enumerate(graph.node) for name in node.output}
    nodes = list(graph.node)
    done: set[int] = set()
    order: list[int] = []
    reads: Callable[[int], list[int]] = lambda i: sorted({makers[n] for n in _reads(nodes[i]) if n in makers} - done)
    for start in range(len(nodes)):
        stack = [start]
        while stack:
            if stack[-1] in done:
                stack.pop()
            elif missing := reads(stack[-1]):
                stack += missing[::-1]
            else:
                done.add(stack[-1])
                order.append(stack.pop())
    copies = [type(nodes[i]).FromString(nodes[i].SerializeToString()) for i in order]
    del graph.node[:]
    graph.node.extend(copies)


def _reads(node: Any) -> set[str]:
    """What a node reads, its bodies among it."""
    bodies = [
        g for attribute in node.attribute for g in [attribute.g] * attribute.HasField("g") + list(attribute.graphs)
    ]
    inner = {name for body in bodies for each in _graphs(body) for part in each.node for name in part.input}
    return {*node.input, *inner, *(value.name for body in bodies for value in body.output)}


def _strip(proto: Any) -> None:
    """Removes the exporter's remarks, stack traces with paths among them, and names what wrote the file."""
    del proto.metadata_props[:]
    for each in _graphs(proto.graph):
        del each.metadata_props[:]
        for node in each.node:
            del node.metadata_props[:]
            node.doc_string = ""
        for value in (*each.input, *each.output):
            del value.metadata_props[:]
            value.doc_string = ""
    proto.producer_name, proto.producer_version = "keras", ""
    used = {node.domain for each in _graphs(proto.graph) for node in each.node}
    used |= {node.domain for body in proto.functions for node in body.node}
    for opset in [o for o in proto.opset_import if o.domain and o.domain not in used]:
        proto.opset_import.remove(opset)
