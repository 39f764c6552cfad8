"""Writes models as PyTorch's exporters write them by default, beside the same without merging.

default_exports.py FOLDER
default_exports.py --nodes MODEL: prints the form of each node
default_exports.py --zeros FILE NAME: prints for each element of a safetensors file's tensor whether it is zero
"""

import json
import pathlib
import sys

import numpy
import onnx
from onnx import TensorProto, helper, numpy_helper

KIND = "pkg.torch.export.graph_signature.InputSpec.kind"
FOLDED = "pkg.onnxscript.optimizer.folded_from"
random = numpy.random.default_rng(0)


def placeholder(target):
    return "p_" + target.replace(".", "_")


class Graph:
    """A graph with the notes of the newer exporter."""

    def __init__(self, parameters, buffers=()):
        self.nodes, self.initializers, self.notes = [], [], {}
        self.signature = "\n# inputs\n" + "".join(
            f"{placeholder(name)}: {kind} target='{name}'\n"
            for kind, names in (("PARAMETER", parameters), ("BUFFER", buffers)) for name in names)
        self.signature += "x: USER_INPUT\n\n# outputs\ny: USER_OUTPUT\n"
        self.kinds = {**{name: "PARAMETER" for name in parameters}, **{name: "BUFFER" for name in buffers}}

    def store(self, name, value, folded=None, noted=True):
        self.initializers.append(numpy_helper.from_array(numpy.asarray(value, numpy.float32), name))
        if folded:
            self.notes[name] = (FOLDED, str(folded))
        elif noted and name in self.kinds:
            self.notes[name] = (KIND, self.kinds[name])

    def call(self, op, scope, parameters, nodes, before="x", given=None, users=1):
        """Nodes (type, inputs, output, attributes) that compute a call of an operator of PyTorch."""
        value = nodes[-1][2]
        given = given or self.given(op, parameters, before)
        for kind, inputs, output, attributes in nodes:
            node = helper.make_node(kind, inputs, [output], name="node_" + output, **attributes)
            for key, text in (
                    ("pkg.torch.onnx.fx_node", f"%{value} : [num_users={users}] = call_function[target=torch.ops.aten."
                                               f"{op}.default](args = ({given}), kwargs = {{}})"),
                    ("pkg.torch.onnx.name_scopes", str(["", scope, value]))):
                entry = node.metadata_props.add()
                entry.key, entry.value = key, text
            self.nodes.append(node)

    @staticmethod
    def given(op, parameters, before):
        given = ", ".join(["%" + before] + ["%" + placeholder(name) for name in parameters])
        return given.replace(", ", ", [4], ", 1) if op == "layer_norm" else given

    def save(self, path, x=("batch", 4), y=("batch", 4), producer="pytorch"):
        known = [helper.make_tensor_value_info(t.name, t.data_type, t.dims) for t in self.initializers]
        for value in known:
            if value.name in self.notes:
                entry = value.metadata_props.add()
                entry.key, entry.value = self.notes[value.name]
        graph = helper.make_graph(
            self.nodes, "main_graph", [helper.make_tensor_value_info("x", TensorProto.FLOAT, x)],
            [helper.make_tensor_value_info("y", TensorProto.FLOAT, y)], self.initializers,
            value_info=[value for value in known if value.name in self.notes])
        if self.kinds:
            entry = graph.metadata_props.add()
            entry.key, entry.value = "pkg.torch.export.ExportedProgram.graph_signature", self.signature
        model = helper.make_model(graph, producer_name=producer, opset_imports=[helper.make_opsetid("", 20)], ir_version=10)
        onnx.save(model, path)


WEIGHT, OTHER = (0.3 * random.normal(size=(4, 4)).astype("float32") for _ in range(2))


def norms(merged, tied=False):
    """Two layer norms that begin alike, a linear layer without its zero bias between them."""
    names = ["a.weight", "a.bias", "l.weight", "l.bias", "b.weight", "b.bias"]
    g = Graph(names)
    ones, zeros = numpy.ones(4), numpy.zeros(4)
    g.store("a.weight", ones)
    g.store("a.bias", zeros)
    g.store("l.weight", WEIGHT)
    own = "a" if tied else "b"
    if not merged:
        g.store("l.bias", zeros)
        if not tied:
            g.store("b.weight", ones)
            g.store("b.bias", zeros)
    g.call("layer_norm", "a", ["a.weight", "a.bias"], [("LayerNormalization", ["x", "a.weight", "a.bias"], "norm", {})])
    g.call("linear", "l", ["l.weight", "l.bias"],
           [("Gemm", ["norm", "l.weight"] + ([] if merged else ["l.bias"]), "linear", {"transB": 1})], "norm")
    read = "a" if merged else own
    g.call("layer_norm", "b", [own + ".weight", own + ".bias"],
           [("LayerNormalization", ["linear", read + ".weight", read + ".bias"], "y", {})], "linear")
    return g


def matrices(merged):
    """A weight that is stored transposed, and one that is used twice, as it is and transposed."""
    g = Graph(["l.weight", "l.bias", "first.weight", "second.weight"])
    g.store("l.bias", [1, 2, 3, 4])
    g.store("second.weight", OTHER)
    if merged:
        g.store("val_0", WEIGHT.T, ["l.weight"])
        g.store("val_5", OTHER.T, ["second.weight"])
        weight, twice = "val_0", "val_5"
    else:
        g.store("l.weight", WEIGHT)
        for name, source in (("l", "l.weight"), ("t", "second.weight")):
            g.call("linear", name, [source], [("Transpose", [source], name + "_t", {"perm": [1, 0]})])
        weight, twice = "l_t", "t_t"
    g.call("matmul", "first", ["second.weight"], [("MatMul", ["x", "second.weight"], "matmul", {})])
    g.call("linear", "l", ["l.weight", "l.bias"],
           [("MatMul", ["matmul", weight], "val_1", {}), ("Add", ["val_1", "l.bias"], "linear", {})], "matmul")
    g.call("linear", "second", ["second.weight"], [("MatMul", ["linear", twice], "y", {})], "linear")
    return g


def positions(rows=4, calls=("unsqueeze",), first=None):
    """Rows of a table that the exporter looked up, beside an input and a tied tensor that no call names."""
    g = Graph(["a.weight", "a.bias", "again.weight", "table.weight"])
    g.signature = g.signature.replace("x: USER", "x_0: USER")
    g.store("a.weight", numpy.ones(4))
    g.store("a.bias", numpy.zeros(4))
    looked_up = OTHER[:rows].repeat(4 // rows, axis=0)
    if first is not None:
        looked_up[0] = first
    g.store("embedding", looked_up, ["arange", "table.weight", "val_3", *calls])
    g.call("layer_norm", "a", ["a.weight", "a.bias"], [("LayerNormalization", ["x", "a.weight", "a.bias"], "norm", {})], "x_0")
    g.call("add", "", [], [("Add", ["norm", "embedding"], "y", {})], "norm, %embedding")
    return g


def padded():
    """Lookups of rows 0 and 1 of a table, whose row 0 is padding."""
    g = Graph(["table.weight"])
    g.store("table.weight", [[0.5], [2]])
    g.initializers.append(numpy_helper.from_array(numpy.zeros((), numpy.float32), "zero"))
    g.initializers.append(numpy_helper.from_array(numpy.array([-1]), "last"))
    g.nodes += [helper.make_node("Greater", ["x", "zero"], ["positive"]),
                helper.make_node("Cast", ["positive"], ["rows"], to=TensorProto.INT64)]
    g.call("embedding", "table", ["table.weight"], [("Gather", ["table.weight", "rows"], "embedding", {})],
           given="%p_table_weight, %rows, 0")
    g.nodes.append(helper.make_node("Squeeze", ["embedding", "last"], ["y"]))
    return g


def counted():
    """An embedding whose rows' gradients are divided by their counts."""
    g = padded()
    for node in g.nodes:
        for entry in node.metadata_props:
            entry.value = entry.value.replace("%rows, 0)", "%rows, -1, True)")
    return g


def detached(kept, twice=False):
    """A layer whose result is a constant to derivatives, and one after it; or a sum with the result as it is."""
    g = Graph(["a.weight", "a.bias", "b.weight", "b.bias"])
    for name in "ab":
        g.store(name + ".weight", numpy.ones(4))
        g.store(name + ".bias", numpy.zeros(4))
    g.call("layer_norm", "a", ["a.weight", "a.bias"], [("LayerNormalization", ["x", "a.weight", "a.bias"], "layer_norm", {})])
    if kept:
        g.call("detach", "", [], [("Identity", ["layer_norm"], "detach", {})], "layer_norm")
    before = "detach" if kept else "layer_norm"
    if twice:
        g.call("add", "", [], [("Add", ["layer_norm", before], "add", {})], "layer_norm, %detach")
        before = "add"
    g.call("layer_norm", "b", ["b.weight", "b.bias"],
           [("LayerNormalization", [before, "b.weight", "b.bias"], "y", {})], "add" if twice else "detach")
    return g


def bounded():
    """Parameters that begin at both bounds of a Clip or a clamp, and between them."""
    g = Graph(["a", "b", "c"])
    for name in "abc":
        g.store(name, numpy.array([0, 1, 4, 5]))
    for name, value in (("zero", 0), ("five", 5)):
        g.initializers.append(numpy_helper.from_array(numpy.array(value, numpy.float32), name))
    g.nodes.append(helper.make_node("Clip", ["a", "zero", "five"], ["clip"]))
    # Integer bounds, as the newer exporter writes them without optimize, and tensors.
    for name, bounds in (("b", "%scalar_tensor_default, %scalar_tensor_default_1"), ("c", "%clone, %clone_1")):
        g.call("clamp", "", [], [("Max", [name, "zero"], "max_" + name, {}), ("Min", ["max_" + name, "five"], "clamp_" + name, {})],
               given=f"%p_{name}, {bounds}")
    g.nodes.append(helper.make_node("Sum", ["x", "clip", "clamp_b", "clamp_c"], ["y"]))
    return g


def folded():
    """A batch normalization that is in the convolution before it, and an expanded parameter."""
    g = Graph(["conv.weight", "conv.bias", "norm.weight", "norm.bias", "token"], ["norm.running_mean"])
    g.store("conv.weight", WEIGHT.reshape(4, 4, 1), noted=False)
    g.store("conv.bias", numpy.zeros(4), noted=False)
    g.store("expand", numpy.zeros((1, 4, 4)), ["token", "val_3"])
    g.call("_native_batch_norm_legit_no_training", "norm", ["norm.weight", "norm.bias", "norm.running_mean"],
           [("Conv", ["x", "conv.weight", "conv.bias"], "getitem", {})], "conv1d")
    g.call("add", "", [], [("Add", ["getitem", "expand"], "y", {})], "getitem, %expand")
    # At least one tensor of a file has a kind if the exporter records kinds.
    g.notes["token"] = (KIND, "PARAMETER")
    return g


def slopes(merged, dims=()):
    """Two slopes that begin alike, whose operators read them as they are or with further dimensions."""
    g = Graph(["first.weight", "second.weight"])
    slope, before, stored = numpy.full(4, 0.25), "x", None
    for layer, value in (("first", "prelu"), ("second", "y")):
        read, nodes = layer + ".weight", []
        if merged and stored:
            read = stored
        elif merged and dims:
            g.store("val_0", slope.reshape(4, *dims), [read])
            read = "val_0"
        else:
            g.store(read, slope)
            if dims:
                nodes = [("Unsqueeze", [read, "axis"], layer + "_slope", {})]
                read = layer + "_slope"
        stored = read
        g.call("prelu", layer, [layer + ".weight"], nodes + [("PRelu", [before, read], value, {})], before)
        before = value
    if dims and not merged:
        g.initializers.append(numpy_helper.from_array(numpy.array([1]), "axis"))
    return g


def scopes(merged):
    """As the older exporter has it: no notes, an Identity for what was merged."""
    g = Graph([])
    ones, zeros = numpy.ones(4), numpy.zeros(4)
    for name, value in (("a.weight", ones), ("a.bias", zeros), ("l.weight", WEIGHT)):
        g.store(name, value)
    for i, (name, other) in enumerate((("b.weight", "a.weight"), ("b.bias", "a.bias"))):
        if merged:
            g.nodes.append(helper.make_node("Identity", [other], [name], name=f"Identity_{i}"))
        else:
            g.store(name, ones if other == "a.weight" else zeros)
    g.nodes += [
        helper.make_node("LayerNormalization", ["x", "a.weight", "a.bias"], ["n"], name="/a/LayerNormalization"),
        helper.make_node("Gemm", ["n", "l.weight"], ["m"], name="/l/Gemm", transB=1),
        helper.make_node("LayerNormalization", ["m", "b.weight", "b.bias"], ["y"], name="/b/LayerNormalization")]
    return g


def recurrent():
    """A cell of the older exporter: gates in another order, and both biases in one tensor."""
    g = Graph([])
    for name, shape in (("onnx::RNN_7", (1, 4, 4)), ("onnx::RNN_8", (1, 4, 4)), ("onnx::RNN_9", (1, 8))):
        g.store(name, 0.3 * random.normal(size=shape))
    g.nodes += [helper.make_node("Unsqueeze", ["x", "axis"], ["steps"], name="/Unsqueeze"),
                helper.make_node("RNN", ["steps", "onnx::RNN_7", "onnx::RNN_8", "onnx::RNN_9"], ["all", "last"], name="/cell/RNN",
                                 hidden_size=4),
                helper.make_node("Squeeze", ["last", "axis"], ["y"], name="/Squeeze")]
    g.initializers.append(numpy_helper.from_array(numpy.array([0]), "axis"))
    return g


def tables():
    """A norm of the older exporter beside tensors that may be parameters or buffers."""
    g = Graph([])
    for name in ("norm.weight", "norm.bias", "positions", "body.mask"):
        g.store(name, random.normal(size=4))
    g.store("held.norm.bias", numpy.zeros(4))  # by a container, which no path of a node has
    g.nodes += [helper.make_node("Add", ["x", "positions"], ["a"], name="/Add"),
                helper.make_node("Mul", ["a", "body.mask"], ["b"], name="/body/Mul"),
                helper.make_node("LayerNormalization", ["b", "norm.weight", "norm.bias"], ["c"], name="/norm/LayerNormalization"),
                helper.make_node("Add", ["c", "held.norm.bias"], ["y"], name="/norm/Add")]
    return g


def older(stored, *nodes):
    """A graph of the older exporter: nothing is noted, and the names of nodes are paths of modules."""
    g = Graph([])
    for name, value in stored.items():
        g.store(name, value)
    g.nodes += [helper.make_node(path.rsplit("/")[-1].split("_")[0], inputs, [output], name=path, **attributes)
                for path, inputs, output, attributes in nodes]
    return g


def computed():
    """A table that the exporter computed, which the module's own code adds."""
    return older({"l.weight": WEIGHT, "onnx::Add_7": OTHER[0]},
                 ("/l/Gemm", ["x", "l.weight"], "gemm", {"transB": 1}), ("/Add", ["gemm", "onnx::Add_7"], "y", {}))


def linear(also=None):
    """Two layers whose weights are stored transposed, one of them in a list, and perhaps another operator in it."""
    nodes = [("/l/MatMul", ["x", "onnx::MatMul_3"], "matmul", {}), ("/l/Add", ["l.bias", "matmul"], "linear", {}),
             ("/body/body.0/MatMul", ["linear", "onnx::MatMul_4"], "matmul_1", {}),
             ("/body/body.0/Add", ["body.0.bias", "matmul_1"], "linear_1", {})]
    nodes.append((f"/body/body.0/{also}" if also else "/Identity", ["linear_1"], "y", {}))
    return older({"onnx::MatMul_3": WEIGHT.T, "l.bias": OTHER[0], "onnx::MatMul_4": OTHER.T, "body.0.bias": OTHER[1]}, *nodes)


def reshaped():
    """A slope and the weights of a group norm, which the exporter gave dimensions, before a norm with names."""
    return older({"onnx::PRelu_5": numpy.full((4, 1), 0.25), "onnx::Mul_6": OTHER[:, :1], "onnx::Add_7": OTHER[:, 1:2],
                  "b.weight": numpy.ones(4), "b.bias": numpy.zeros(4)},
                 ("/a/PRelu", ["x", "onnx::PRelu_5"], "prelu", {}),
                 ("/g/Constant", [], "ones", {"value": numpy_helper.from_array(numpy.ones(4, "float32"))}),
                 ("/g/Constant_1", [], "zeros", {"value": numpy_helper.from_array(numpy.zeros(4, "float32"))}),
                 ("/g/InstanceNormalization", ["prelu", "ones", "zeros"], "normed", {}),
                 ("/g/Mul", ["normed", "onnx::Mul_6"], "scaled", {}), ("/g/Add", ["scaled", "onnx::Add_7"], "shifted", {}),
                 ("/b/LayerNormalization", ["shifted", "b.weight", "b.bias"], "y", {}))


def called_twins(stored):
    """A layer that is called twice after one that began with the same matrix; or one alone, its matrix stored twice."""
    if stored:
        return older({"onnx::MatMul_7": WEIGHT, "onnx::MatMul_8": WEIGHT, "l.bias": OTHER[0]},
                     ("/l/MatMul", ["x", "onnx::MatMul_7"], "m0", {}), ("/l/Add", ["l.bias", "m0"], "l0", {}),
                     ("/l_1/MatMul", ["l0", "onnx::MatMul_8"], "m1", {}), ("/l_1/Add", ["l.bias", "m1"], "y", {}))
    return older({"onnx::MatMul_7": WEIGHT, "l.bias": OTHER[0], "m.bias": OTHER[0]},
                 ("Identity_0", ["onnx::MatMul_7"], "onnx::MatMul_8", {}),
                 ("Identity_1", ["onnx::MatMul_7"], "onnx::MatMul_9", {}),
                 ("/l/MatMul", ["x", "onnx::MatMul_7"], "m0", {}), ("/l/Add", ["l.bias", "m0"], "l0", {}),
                 ("/m/MatMul", ["l0", "onnx::MatMul_8"], "m1", {}), ("/m/Add", ["m.bias", "m1"], "l1", {}),
                 ("/m_1/MatMul", ["l1", "onnx::MatMul_9"], "m2", {}), ("/m_1/Add", ["m.bias", "m2"], "y", {}))


def recurrent_layers(merged):
    """Two layers of one module that begin alike, the second one's tensors merged with the first's or apart."""
    values = [WEIGHT[None], OTHER[None], numpy.zeros((1, 8))]
    first, second = ([f"onnx::RNN_{layer}{i}" for i in range(3)] for layer in (1, 2))
    nodes = [(f"Identity_{i}", [first[i]], second[i], {}) for i in range(3) if merged]
    stored = dict(zip(first, values)) | ({} if merged else dict(zip(second, values)))
    axis = numpy_helper.from_array(numpy.array([1]))
    return older(stored, *nodes, ("/g/RNN", ["x", *first], "rnn", {"hidden_size": 4}), ("/g/Constant", [], "axis", {"value": axis}),
                 ("/g/Squeeze", ["rnn", "axis"], "h", {}), ("/g/RNN_1", ["h", *second], "rnn_1", {"hidden_size": 4}),
                 ("/g/Squeeze_1", ["rnn_1", "axis"], "y", {}))


def table(*rows):
    """Lookups in a table with rows of one number."""
    return older({"table.weight": numpy.array(rows)[:, None]}, ("/Constant", [], "zero", {"value": numpy_helper.from_array(numpy.float32(0))}),
                 ("/Greater", ["x", "zero"], "positive", {}), ("/Cast", ["positive"], "rows", {"to": TensorProto.INT64}),
                 ("/table/Gather", ["table.weight", "rows"], "found", {}),
                 ("/Constant_1", [], "last", {"value": numpy_helper.from_array(numpy.array([-1]))}),
                 ("/Squeeze", ["found", "last"], "y", {}))


def named_twin():
    """A matrix of zeros that a layer multiplies with and its module's code once more."""
    return older({"onnx::MatMul_7": numpy.zeros((4, 4)), "l.weight": numpy.zeros((4, 4)), "l.bias": OTHER[0]},
                 ("/l/MatMul", ["x", "onnx::MatMul_7"], "m0", {}), ("/l/Add", ["l.bias", "m0"], "l0", {}),
                 ("/MatMul", ["l0", "l.weight"], "y", {}))


def number():
    """A slope of one number, which is frozen, and a factor that may have been computed from a parameter."""
    return older({"onnx::PRelu_5": [[0.25]], "onnx::Mul_7": 2.0, "b.weight": numpy.ones(4), "b.bias": numpy.zeros(4)},
                 ("/a/PRelu", ["x", "onnx::PRelu_5"], "prelu", {}), ("/Mul", ["prelu", "onnx::Mul_7"], "scaled", {}),
                 ("/b/LayerNormalization", ["scaled", "b.weight", "b.bias"], "y", {}))


def convolution():
    """A batch normalization that is in the convolution before it."""
    return older({"onnx::Conv_8": WEIGHT.reshape(4, 4, 1), "onnx::Conv_9": OTHER[0]},
                 ("/conv/Conv", ["x", "onnx::Conv_8", "onnx::Conv_9"], "y", {}))


def stored_twice(first, second):
    """A matrix of one layer, and another layer's that is stored transposed."""
    return older({"first.weight": first, "onnx::MatMul_9": second.T},
                 ("/first/Gemm", ["x", "first.weight"], "gemm", {"transB": 1}),
                 ("/second/MatMul", ["gemm", "onnx::MatMul_9"], "y", {}))


def called(*biases):
    """A merged matrix without a name in /l and /l_1: two layers, or two calls of one; what has a name in them tells."""
    nodes, value = [("Identity_0", ["onnx::MatMul_7"], "onnx::MatMul_8", {})], "x"
    for i, path in enumerate(("/l/", "/l_1/")):
        nodes.append((path + "MatMul", [value, f"onnx::MatMul_{7 + i}"], f"matmul_{i}", {}))
        value = f"matmul_{i}"
        if biases:
            nodes.append((path + "Add", [biases[i % len(biases)], value], f"linear_{i}", {}))
            value = f"linear_{i}"
    stored = {"onnx::MatMul_7": WEIGHT, **{name: OTHER[i] for i, name in enumerate(biases)}}
    return older(stored, *nodes, ("/Identity", [value], "y", {}))


def fills(second="/b/", tied=False, identity=False):
    """Two norms that read one pair of tensors, and perhaps a third with what the exporter merged of its own."""
    pair = (OTHER[0], OTHER[1]) if tied else (numpy.ones(4), numpy.zeros(4))
    nodes = [("/a/LayerNormalization", ["x", "a.weight", "a.bias"], "norm", {}),
             (second + "LayerNormalization", ["norm", "a.weight", "a.bias"], "normed", {})]
    if identity:
        nodes += [("Identity_0", ["a.weight"], "c.weight", {}), ("Identity_1", ["a.bias"], "c.bias", {}),
                  ("/c/LayerNormalization", ["normed", "c.weight", "c.bias"], "y", {})]
    else:
        nodes.append(("/Identity", ["normed"], "y", {}))
    return older(dict(zip(("a.weight", "a.bias"), pair)), *nodes)


def statistics():
    """Another exporter: zeros are a shift and a mean."""
    g = Graph([])
    for name, value in (("one", 1), ("zero", 0), ("variance", 2)):
        g.store(name, numpy.full(4, value))
    g.nodes.append(helper.make_node("BatchNormalization", ["x", "one", "zero", "zero", "variance"], ["y"], name="norm"))
    return g


def shared():
    """Another exporter: one scale for two norms."""
    g = Graph([])
    g.store("scale", numpy.ones(4))
    g.store("shift", numpy.zeros(4))
    for source, result in (("x", "h"), ("h", "y")):
        g.nodes.append(helper.make_node("LayerNormalization", [source, "scale", "shift"], [result], name="norm_" + result))
    return g


def training():
    """A batch normalization and a dropout in training mode."""
    g = Graph([])
    for name, value in (("scale", 1), ("shift", 0), ("mean", 0), ("variance", 1)):
        g.store(name, numpy.full(4, value))
    g.store("ratio", 0.5)
    g.initializers.append(numpy_helper.from_array(numpy.array(True), "mode"))
    g.nodes += [
        helper.make_node("BatchNormalization", ["x", "scale", "shift", "mean", "variance"], ["n", "new_mean", "new_variance"],
                         name="norm", training_mode=1),
        helper.make_node("Dropout", ["n", "ratio", "mode"], ["y"], name="drop")]
    return g


def groups(pattern, kind, **options):
    return {"kind": "SGD", "lr": 0.1, "groups": [{"match": [pattern], "kind": kind, **options}]}


def main():
    if sys.argv[1] == "--nodes":
        for node in onnx.load(sys.argv[2]).graph.node:
            modes = [f", {a.name} {a.i}" for a in node.attribute if a.name == "training_mode"]
            print(f"{node.op_type}: {len(node.input)} inputs, {len(node.output)} outputs" + "".join(modes))
        return
    if sys.argv[1] == "--zeros":
        data = pathlib.Path(sys.argv[2]).read_bytes()
        length = int.from_bytes(data[:8], "little")
        first, end = json.loads(data[8:8 + length])[sys.argv[3]]["data_offsets"]
        print(*(value == 0 for value in numpy.frombuffer(data[8 + length:][first:end], "<f4")))
        return
    folder = pathlib.Path(sys.argv[1])
    for name, graph in (("norms-merged", norms(True)), ("norms", norms(False)), ("tied-merged", norms(True, tied=True)),
                        ("tied", norms(False, tied=True)), ("matrices-merged", matrices(True)), ("matrices", matrices(False)),
                        ("scopes-merged", scopes(True)), ("scopes", scopes(False))):
        graph.save(folder / (name + ".onnx"))
    folded().save(folder / "folded.onnx", x=["batch", 4, 4], y=["batch", 4, 4])
    shared().save(folder / "shared.onnx", producer="another")
    training().save(folder / "training.onnx")
    recurrent().save(folder / "recurrent.onnx")
    padded().save(folder / "padded.onnx")
    bounded().save(folder / "bounded.onnx")
    positions().save(folder / "positions.onnx", x=[4, 4], y=[4, 4])
    for name, graph in (("twice", positions(2)), ("offset", positions(calls=["add"])), ("constant", positions(calls=["detach"])),
                        ("zeros", positions(first=0))):
        graph.save(folder / f"positions-{name}.onnx", x=[4, 4], y=[4, 4])
    counted().save(folder / "counted.onnx")
    detached(True).save(folder / "detached.onnx")
    detached(False).save(folder / "detached-merged.onnx")
    detached(False, twice=True).save(folder / "detached-lost.onnx")
    tables().save(folder / "tables.onnx")
    for name, merged in (("slopes-merged", True), ("slopes", False)):
        slopes(merged).save(folder / f"{name}.onnx")
        slopes(merged, (1,)).save(folder / f"image-{name}.onnx", x=["batch", 4, 4], y=["batch", 4, 4])
    for name, graph in (("computed", computed()), ("linear", linear()), ("linear-more", linear("Sigmoid")),
                        ("twice", stored_twice(WEIGHT, WEIGHT)), ("apart", stored_twice(WEIGHT, OTHER)),
                        ("zero", stored_twice(*numpy.zeros((2, 4, 4)))),
                        ("called", called()), ("called-once", called("l.bias")), ("called-apart", called("l.bias", "l_1.bias")),
                        ("fills", fills()), ("fills-tied", fills(tied=True)), ("fills-called", fills("/a_1/")),
                        ("fills-kept", fills(identity=True))):
        graph.save(folder / f"{name}.onnx")
    for name, graph in (("reshaped", reshaped()), ("convolution", convolution()), ("number", number()),
                        ("layers", recurrent_layers(False)), ("layers-merged", recurrent_layers(True))):
        graph.save(folder / f"{name}.onnx", x=["batch", 4, 4], y=["batch", 4, 4])
    called_twins(stored=False).save(folder / "called-twins.onnx")
    called_twins(stored=True).save(folder / "stored-twins.onnx")
    named_twin().save(folder / "named-twin.onnx")
    for name, rows in (("table-padded", (0.5, 0, 2)), ("table-full", (0.5, 1, 2)), ("table-zeros", (0, 0, 0))):
        table(*rows).save(folder / f"{name}.onnx")
    statistics().save(folder / "statistics.onnx", producer="another")
    x = random.normal(size=(12, 4)).astype("<f4")
    target = (x[:, ::-1] * 2 + 1).astype("<f4")
    body = x.tobytes() + target.tobytes()
    header = json.dumps({"x": {"dtype": "F32", "shape": [12, 4], "data_offsets": [0, 192]},
                         "target": {"dtype": "F32", "shape": [12, 4], "data_offsets": [192, 384]}}).encode()
    (folder / "data.safetensors").write_bytes(len(header).to_bytes(8, "little") + header + body)
    image = json.dumps({"x": {"dtype": "F32", "shape": [3, 4, 4], "data_offsets": [0, 192]},
                        "target": {"dtype": "F32", "shape": [3, 4, 4], "data_offsets": [192, 384]}}).encode()
    (folder / "images.safetensors").write_bytes(len(image).to_bytes(8, "little") + image + body)
    for name, more in (("recipe", {}), ("frozen", {"frozen": ["a.*", "l.*"]}), ("matrix", {"frozen": ["l.weight", "first.*"]}),
                       ("all", {"frozen": ["conv.*", "norm.*", "token"]}), ("some", {"frozen": ["norm.*", "token"]}),
                       ("ignore", {"lost_parameters": "ignore"}), ("nothing", {"frozen": ["c.*"]}), ("still", {"frozen": ["ratio"]}),
                       ("meant", {"frozen": []}), ("l", {"frozen": ["l.weight"]}), ("body", {"frozen": ["body.0.weight"]}),
                       ("slope", {"frozen": ["a.weight"]}), ("numbers", {"frozen": ["a.weight", "onnx::Mul_*"]}),
                       ("group", {"frozen": ["g.*"]}), ("table", {"frozen": ["table.*"]}),
                       ("anonymous", {"frozen": ["onnx::Add_*"]}),
                       ("muon-slope", {"optimizer": groups("a.weight", "Muon")}),
                       ("muon", {"optimizer": groups("l.weight", "Muon")}),
                       ("muon-rms", {"optimizer": groups("l.weight", "Muon", adjust_lr_fn="match_rms_adamw")}),
                       ("adafactor", {"optimizer": groups("cell.weight_ih_l0", "Adafactor")}),
                       ("lamb", {"optimizer": groups("cell.weight_ih_l0", "LAMB")}),
                       ("lamb-rows", {"optimizer": groups("table.*", "LAMB")}),
                       ("lamb-joined", {"optimizer": groups("cell.bias_*", "LAMB")})):
        recipe = {"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "lr": 0.1}, "batch_size": 4, "epochs": 3, **more}
        (folder / (name + ".json")).write_text(json.dumps(recipe))


main()
