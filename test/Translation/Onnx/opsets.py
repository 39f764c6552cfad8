#!/usr/bin/env python3
"""Models with imports of operator sets that few exporters write.

  opsets.py FOLDER
"""

import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper

folder = Path(sys.argv[1])
folder.mkdir(parents=True)


def write(name, node, *opsets, **shapes):
    x = helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3])
    y = helper.make_tensor_value_info("y", TensorProto.FLOAT, [2, 3])
    model = helper.make_model(helper.make_graph([node], "g", [x], [y]), ir_version=8)
    del model.opset_import[:]
    model.opset_import.extend(helper.make_opsetid(*opset) for opset in opsets)
    onnx.save(model, folder / f"{name}.onnx")


relu = helper.make_node("Relu", ["x"], ["y"])
write("twice", relu, ("", 17), ("", 17))
write("two", relu, ("", 17), ("ai.onnx", 18))
# No adapter exists from this version on.
write("old", helper.make_node("Upsample", ["x"], ["y"], height_scale=1.0, width_scale=1.0), ("", 5))
np.savez(folder / "x.npz", x=np.zeros((2, 3), np.float32))
