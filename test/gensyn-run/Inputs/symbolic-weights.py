"""Models whose weights are in a file of their own, and that file.

  symbolic-weights.py BENCHMARKS MODEL.onnx FOLDER

Writes FOLDER/absent.onnx, the model without the file, and FOLDER/quantized.onnx, the same with matrices of i8 and their
scales, also without; and in FOLDER/there and FOLDER/seed both with the files, whose bytes are those of
symbolic_weights.py for the seeds 0 and 2^40 + 5. FOLDER/shape.onnx needs values of what is absent.
"""

import sys
from pathlib import Path

import onnx
from onnx import TensorProto, helper

sys.path.insert(0, sys.argv[1])
import symbolic_weights  # noqa: E402 (of the folder given)

NAMES = {TensorProto.FLOAT: "f32", TensorProto.INT8: "i8"}
SEEDS = {"there": 0, "seed": 2**40 + 5}
folder = Path(sys.argv[3])


def place(tensor, file, offset, length):
    """Says that a tensor's elements are in a file."""
    for field in ("raw_data", "float_data", "external_data"):
        tensor.ClearField(field)
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (("location", file), ("offset", offset), ("length", length)):
        tensor.external_data.add(key=key, value=str(value))


def save(model, name, big):
    """Writes a model without the file of its weights, and beside the others with it."""
    graph = model.graph
    scaled = {node.input[1]: node.input[0] for node in graph.node if node.op_type == "DequantizeLinear"}
    shapes = {tensor.name: list(tensor.dims) for tensor in graph.initializer}
    data = {key: b"" for key in SEEDS}
    for tensor in graph.initializer:
        if tensor.name not in big:
            continue
        kind, shape = NAMES[tensor.data_type], list(tensor.dims)
        scale = (shapes[scaled[tensor.name]], 8) if tensor.name in scaled else None
        length = len(data["there"])
        for key, seed in SEEDS.items():
            data[key] += symbolic_weights.draw(tensor.name, shape, kind, seed, scale)
        place(tensor, f"{name}.data", length, len(data["there"]) - length)
    onnx.save(model, folder / f"{name}.onnx")
    for key, content in data.items():
        (folder / key).mkdir(exist_ok=True)
        (folder / key / f"{name}.onnx").write_bytes((folder / f"{name}.onnx").read_bytes())
        (folder / key / f"{name}.data").write_bytes(content)


def quantize(model):
    graph = model.graph
    nodes = []
    for node in graph.node:
        for number, name in enumerate(node.input):
            weight = next((tensor for tensor in graph.initializer if tensor.name == name and len(tensor.dims) == 2), None)
            if weight is None or node.op_type != "MatMul":
                continue
            rows, columns = weight.dims
            weight.data_type = TensorProto.INT8
            scale = graph.initializer.add(name=f"{name}_scale", data_type=TensorProto.FLOAT, dims=[columns])
            scale.raw_data = bytes(4 * columns)
            nodes.append(helper.make_node("DequantizeLinear", [name, scale.name], [f"{name}_wide"], axis=1))
            node.input[number] = f"{name}_wide"
        nodes.append(node)
    del graph.node[:]
    graph.node.extend(nodes)


def is_big(tensor):
    return tensor.data_type in NAMES and len(tensor.dims) > 0 and not tensor.name.startswith("unsqueeze")


model = onnx.load(sys.argv[2])
save(model, "absent", {tensor.name for tensor in model.graph.initializer if is_big(tensor)})
model = onnx.load(sys.argv[2])
quantize(model)
save(model, "quantized", {tensor.name for tensor in model.graph.initializer if is_big(tensor)})
model = onnx.load(sys.argv[2])
shape = next(tensor for tensor in model.graph.initializer if tensor.data_type == TensorProto.INT64 and list(tensor.dims) == [4])
print(shape.name)
place(shape, "shape.data", 0, 32)
onnx.save(model, folder / "shape.onnx")
