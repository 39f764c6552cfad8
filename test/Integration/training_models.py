"""Models with training_info, for training_info.py."""

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

DOMAIN = "ai.onnx.preview.training"
FLOAT = TensorProto.FLOAT


def value(name, shape, element=FLOAT):
    return helper.make_tensor_value_info(name, element, shape)


def tensor(name, array):
    return numpy_helper.from_array(np.asarray(array), name)


def linear(outputs=2, opset=17, seed=0, classes=False):
    """y = x W + B, with things around it that an export has to keep."""
    rng = np.random.default_rng(seed)
    graph = helper.make_graph(
        [helper.make_node("Gemm", ["x", "W", "B"], ["y"], "fc", doc_string="the only layer")],
        "net", [value("x", ["n", 3])], [value("y", ["n", outputs])],
        [tensor("W", rng.normal(size=(3, outputs)).astype("f4")), tensor("B", np.zeros(outputs, "f4"))],
        doc_string="a graph")
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset), helper.make_opsetid(DOMAIN, 1)],
                              ir_version=8, producer_name="test", doc_string="a model")
    model.metadata_props.add(key="author", value="nobody")
    return model


def normalized():
    """A batch normalization in training mode, whose running statistics are outputs of its node."""
    model = linear()
    graph = model.graph
    graph.node[0].output[0] = "h"
    graph.node.append(helper.make_node("BatchNormalization", ["h", "scale", "shift", "mean", "var"],
                                       ["y", "new_mean", "new_var"], "bn", training_mode=1, momentum=0.75))
    for name, fill in (("scale", 1), ("shift", 0), ("mean", 0), ("var", 1)):
        graph.initializer.append(tensor(name, np.full(2, fill, "f4")))
    return model


def momentum_algorithm():
    """Mean square, Gradient, Momentum with a count."""
    node = helper.make_node
    nodes = [
        node("Sub", ["y", "target"], ["d"]), node("Mul", ["d", "d"], ["sq"]),
        node("ReduceMean", ["sq"], ["loss"], keepdims=0), node("ReduceMax", ["sq"], ["worst"], keepdims=0),
        node("Gradient", ["W", "B", "x", "target"], ["gW", "gB"], domain=DOMAIN, xs=["W", "B"], zs=["x", "target"],
             y="loss"),
        node("Momentum", ["R", "T", "W", "B", "gW", "gB", "vW", "vB"], ["W1", "B1", "vW1", "vB1"], domain=DOMAIN,
             alpha=0.9, beta=0.5, norm_coefficient=0.01, mode="standard"),
        node("Add", ["T", "one"], ["T1"])]
    outputs = [value("worst", []), value("loss", []), value("T1", [], TensorProto.INT64)]
    outputs += [value(name, None) for name in ("W1", "B1", "vW1", "vB1")]
    return helper.make_graph(
        nodes, "algorithm", [value("target", ["n", 2])], outputs,
        [tensor("R", np.float32(0.1)), tensor("T", np.int64(0)), tensor("one", np.int64(1)),
         tensor("vW", np.zeros((3, 2), "f4")), tensor("vB", np.zeros(2, "f4"))])


def trained(initializes=False):
    model = linear()
    info = model.training_info.add()
    info.algorithm.CopyFrom(momentum_algorithm())
    for key in ("W", "B", "vW", "vB", "T"):
        info.update_binding.add(key=key, value=key + "1")
    if initializes:
        info.initialization.CopyFrom(helper.make_graph(
            [helper.make_node("RandomNormal", [], ["W0"], shape=[3, 2], scale=0.5),
             helper.make_node("Identity", ["start"], ["B0"])],
            "initialization", [], [value("W0", [3, 2]), value("B0", [2])], [tensor("start", np.float32([1, 2]))]))
        info.initialization_binding.add(key="W", value="W0")
        info.initialization_binding.add(key="B", value="B0")
    return model


def momentum_by_numpy(model, x, target, batch, epochs):
    """The same training, with f64 sums."""
    start = {t.name: numpy_helper.to_array(t).astype("f4") for t in model.graph.initializer}
    w, b = start["W"], start["B"]
    vw, vb, count, f = np.zeros_like(w), np.zeros_like(b), 0, np.float32
    for _ in range(epochs):
        for i in range(0, len(x), batch):
            xs, ts = x[i:i + batch].astype("f8"), target[i:i + batch].astype("f8")
            d = xs @ w + b - ts
            gw, gb = 2 * xs.T @ d / d.size, 2 * d.sum(0) / d.size
            beta = f(0.5) if count else f(1)
            vw = (f(0.9) * vw + beta * (f(0.01) * w + gw)).astype("f4")
            vb = (f(0.9) * vb + beta * (f(0.01) * b + gb)).astype("f4")
            w, b, count = (w - f(0.1) * vw).astype("f4"), (b - f(0.1) * vb).astype("f4"), count + 1
    return {"W": w, "B": b}


def broken():
    """Models that are refused, and what is said of them."""
    def change(function):
        model = trained(initializes=True)
        function(model.training_info[0])
        return model

    yield "key", change(lambda i: i.update_binding.add(key="nothing", value="W1")), \
        "training_info[0].update_binding[5]: key 'nothing' is not an initializer"
    yield "value", change(lambda i: i.update_binding.add(key="R", value="gW")), \
        "training_info[0].update_binding[5]: value 'gW' is not a graph output"
    yield "twice", change(lambda i: i.update_binding.add(key="W", value="W1")), \
        "training_info[0].update_binding[5]: 'W' is bound twice"
    yield "initial", change(lambda i: i.initialization_binding.add(key="x", value="W0")), \
        "training_info[0].initialization_binding[2]: key 'x' is not an initializer"
    yield "input", change(lambda i: i.initialization.input.append(value("z", [2]))), \
        "training_info[0].initialization: has the input 'z', and nobody gives it one"
    yield "name", change(lambda i: i.algorithm.node[0].input.__setitem__(0, "yy")), \
        "training_info[0].algorithm: input 0 of node 'd' (Sub) reads 'yy', which is not defined"
    yield "again", change(lambda i: i.algorithm.initializer.append(tensor("W", np.zeros((3, 2), "f4")))), \
        "training_info[0].algorithm: 'W' is an initializer twice"
    yield "operator", change(lambda i: i.algorithm.node.append(helper.make_node("Nothing", ["loss"], ["nn"]))), \
        "training_info[0].algorithm: ai.onnx has no operator Nothing at opset 17 (node 'nn')"
    yield "y", change(lambda i: [a.__setattr__("s", b"lost") for a in i.algorithm.node[4].attribute if a.name == "y"]), \
        "node 'gW': 'y' names 'lost', which the graph does not compute before"
    yield "inputs", change(lambda i: i.algorithm.node[4].input.pop()), \
        "node 'gW': has 3 inputs, and 'xs' and 'zs' name 4 values"
    model = trained()
    model.training_info.add()
    yield "entries", model, "training_info: has 2 entries, one is supported"
    yield "type", change(lambda i: i.update_binding[0].__setattr__("value", "B1")), \
        "update_binding: 'W' is 'tensor<3x2xf32>' and would become 'tensor<2xf32>'"
    model = trained()
    del model.training_info[0].algorithm.node[:]
    del model.training_info[0].algorithm.output[:]
    del model.training_info[0].update_binding[:]
    yield "loss", model, "training_info: the algorithm has no output that is a float number, so there is no loss"


def derivatives():
    """Graphs with Gradient, and what it gives for a = [1, 2, 3], b = 2: of intermediate values, at other values than
    the graph's, of a derivative."""
    node = helper.make_node
    a, b = np.float32([1, 2, 3]), np.float32(2)

    def model(nodes, outputs):
        return helper.make_model(helper.make_graph(nodes, "g", [value("a", [3]), value("b", [])],
                                                   [value(name, shape) for name, shape in outputs]),
                                 opset_imports=[helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)],
                                 ir_version=8)

    total = [node("Mul", ["a", "a"], ["h"]), node("Mul", ["h", "b"], ["hb"]),
             node("ReduceSum", ["hb"], ["y"], keepdims=0)]
    yield "inner", model([*total, node("Gradient", ["h"], ["g"], domain=DOMAIN, xs=["h"], y="y")],
                         [("g", [3])]), {"g": np.float32([2, 2, 2])}
    # The identity is a variable of its own: readers of `a` beside it do not count.
    yield "identity", model([node("Identity", ["a"], ["h"]), node("Mul", ["h", "a"], ["m"]),
                             node("ReduceSum", ["m"], ["y"], keepdims=0),
                             node("Gradient", ["h"], ["g"], domain=DOMAIN, xs=["h"], y="y")],
                            [("g", [3])]), {"g": a}
    yield "elsewhere", model([*total, node("Add", ["a", "a"], ["twice"]),
                              node("Gradient", ["twice", "b"], ["ga", "gb"], domain=DOMAIN, xs=["a", "b"], y="y")],
                             [("ga", [3]), ("gb", []), ("y", [])]), \
        {"ga": 8 * a, "gb": np.float32(56), "y": np.float32(28)}
    yield "second", model([node("Mul", ["b", "b"], ["bb"]), node("Mul", ["bb", "b"], ["y"]),
                           node("Gradient", ["b"], ["g"], domain=DOMAIN, xs=["b"], y="y"),
                           node("Gradient", ["b"], ["gg"], domain=DOMAIN, xs=["b"], y="g")],
                          [("g", []), ("gg", [])]), {"g": np.float32(12), "gg": np.float32(12)}
    yield "skipped", model([*total, node("Gradient", ["a", "b"], ["", "gb"], domain=DOMAIN, xs=["a", "b"], y="y")],
                           [("gb", [])]), {"gb": np.float32(14)}
