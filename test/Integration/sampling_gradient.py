"""Gradients of GridSample and Resize on edges and by scales: sampling_gradient.py GENSYN-RUN FOLDER.

The expected values are those of PyTorch 2.15 (grid_sample and interpolate, backward of the sum of the elements times
1, 2, 3, ...), printed with 7 decimals. The bound is half of the last decimal and 32 float32 roundings of the largest
gradient: sums of at most 24 products.
"""

import json
import os
import subprocess
import sys

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "KnownResults"))
import safetensors  # noqa: E402

IMAGE = np.array([1, 2, 4, -3, 0.5, 5], np.float32).reshape(1, 1, 2, 3)
# Points on a corner, on edges, inside and outside.
GRID = np.array([-1, -1, 0, 0.25, 0.5, 1, 1, -0.5, 1.6, 0.3, -0.7, -1.8], np.float32).reshape(1, 2, 3, 2)
LINE = np.array([1, 2, 4, -3, 0.5, 5, 7, 8, 6, 9], np.float32).reshape(1, 1, 1, 10)
SAMPLED = (
    ("bilinear", "border", (5.2, 2.55, 4.75, 0, 2.75, 5.75), (0, 0, 7.125, -1.5, 13.5, 0, 0, 2, 0, 2.5, 6, 0)),
    ("bilinear", "reflection", (3.52, 2.88, 3.7, 1.68, 5.42, 3.8), (0, 0, 7.125, -1.5, 13.5, 0, 0, 2, -18.125, -1.25, 12, 9.75)),
    ("bilinear", "zeros", (3.52, 1.83, 3.7, 0, 2.75, 3.8), (1, -2, 7.125, -1.5, 13.5, -4.125, -17, 2, -23.25, 1, 3.6, 3.9)),
    ("bicubic", "border", (5.7932086, 2.7697549, 4.5641766, -0.7484584, 2.6089942, 6.0123229),
     (0.75, -1.5, 9.2973633, -1.6523438, 13.21875, -0.0175781, 7.6992188, 2.0625, -4.4011927, 3.2191985, 2.0956481, 0.9235721)))
RESIZED = (
    (dict(mode="linear", coordinate_transformation_mode="pytorch_half_pixel"),
     (0.7857143, 0.9285713, 1.2857144, 2.7857137, 2.2142863, 2.3571415, 4.6428585, 3.8571424, 3.6428585, 5.499999)),
    (dict(mode="linear", coordinate_transformation_mode="align_corners"), (1, 1, 1, 3, 2, 2, 5, 3, 3, 7)),
    (dict(mode="cubic", coordinate_transformation_mode="pytorch_half_pixel"),
     (0.6867712, 1.021775, 1.37427, 2.3705359, 2.5395405, 2.6681852, 3.905705, 4.1993432, 3.934495, 5.2993789)),
    (dict(mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor"), (1, 2, 3, 0, 4, 5, 0, 6, 7, 0)))


def gradients(tool, folder, node, inputs, shape, constants):
    """Of the sum of the elements of `node`'s result y, of `shape`, times 1, 2, 3, ..."""
    weights = np.arange(1, 1 + np.prod(shape), dtype=np.float32).reshape(shape)
    nodes = [node, helper.make_node("Mul", ["y", "weights"], ["z"]), helper.make_node("ReduceSum", ["z"], ["loss"], keepdims=0)]
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info(name, TensorProto.FLOAT, value.shape) for name, value in inputs.items()],
        [helper.make_tensor_value_info("loss", TensorProto.FLOAT, [])],
        [numpy_helper.from_array(value, name) for name, value in {**constants, "weights": weights}.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)])
    model.ir_version = 8
    onnx.save(model, f"{folder}/model.onnx")
    safetensors.save(f"{folder}/in", inputs)
    with open(f"{folder}/recipe.json", "w") as file:
        json.dump({"loss": {"kind": "graph_output", "output": "loss"}}, file)
    subprocess.run([tool, "grad", f"{folder}/model.onnx", "--recipe", f"{folder}/recipe.json", "--inputs", f"{folder}/in",
                    "--outputs", f"{folder}/out", "--quiet"], check=True)
    return safetensors.load(f"{folder}/out")


def check(what, found, wanted):
    wanted = np.array(wanted)
    off = np.max(np.abs(found.ravel() - wanted))
    bound = 0.5e-7 + 32 * 2.0**-24 * np.max(np.abs(wanted))
    print(f"{what}: agrees" if off <= bound else f"{what}: {found.ravel().tolist()}, off by {off:.1e}")


def main():
    tool, folder = sys.argv[1:]
    os.makedirs(folder, exist_ok=True)
    for mode, padding, image, grid in SAMPLED:
        node = helper.make_node("GridSample", ["x", "grid"], ["y"], mode=mode, padding_mode=padding, align_corners=1)
        found = gradients(tool, folder, node, {"x": IMAGE, "grid": GRID}, (1, 1, 2, 3), {})
        check(f"GridSample {mode} {padding} x", found["x"], image)
        check(f"GridSample {mode} {padding} grid", found["grid"], grid)
    for attributes, line in RESIZED:
        node = helper.make_node("Resize", ["x", "", "scales"], ["y"], **attributes)
        found = gradients(tool, folder, node, {"x": LINE}, (1, 1, 1, 7), {"scales": np.array([1, 1, 1, 0.7], np.float32)})
        check(f"Resize {attributes['mode']} {attributes['coordinate_transformation_mode']}", found["x"], line)


if __name__ == "__main__":
    main()
