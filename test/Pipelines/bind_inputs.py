#!/usr/bin/env python3
"""Every command that has data, on models with open dimensions.

  bind_inputs.py TOOL SCRATCH

A command either gives an output of a stated shape, or the stated line of error and the
note that is stated with it. Exit 1 where one does something else.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "Integration" / "KnownResults"))
from safetensors import load, save  # noqa: E402

FLOAT, INT = TensorProto.FLOAT, TensorProto.INT64


def write(path, nodes, inputs, outputs, initializers):
    """`inputs` and `outputs`: name, element type and shape of each; None is an open dimension without a name."""
    values = [[helper.make_tensor_value_info(*value) for value in of] for of in (inputs, outputs)]
    tensors = [numpy_helper.from_array(np.asarray(a), name) for name, a in initializers.items()]
    graph = helper.make_graph([helper.make_node(*node) for node in nodes], "open", *values, tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


def prepare(folder):
    weight = np.linspace(-1, 1, 12, dtype=np.float32).reshape(3, 4)
    linear = [("MatMul", ["x", "w"], ["y"])]
    for name, batch, inner in (("named", "batch", "s"), ("nameless", None, None)):
        write(folder / f"{name}.onnx", [("ReduceSum", ["x", "axes"], ["m"]), ("MatMul", ["m", "w"], ["y"])],
              [("x", FLOAT, [batch, inner, 3])], [("y", FLOAT, [batch, 1, 4])],
              {"w": weight, "axes": np.array([1], np.int64)})
    write(folder / "pair.onnx", [("Add", ["a", "b"], ["y"])], [("a", FLOAT, ["n"]), ("b", FLOAT, ["n"])],
          [("y", FLOAT, ["n"])], {})
    write(folder / "linear.onnx", linear, [("x", FLOAT, ["batch", 3])], [("y", FLOAT, ["batch", 4])], {"w": weight})
    # A model in which an embedding of eight tokens looks one up, and whose outputs are its logits.
    table = np.linspace(-1, 1, 32, dtype=np.float32).reshape(8, 4)
    write(folder / "tokens.onnx", [("Gather", ["e", "ids"], ["v"]), ("MatMul", ["v", "u"], ["logits"])],
          [("ids", INT, ["batch", "length"])], [("logits", FLOAT, ["batch", "length", 8])],
          {"e": table, "u": table.T.copy()})
    ramp = lambda *shape: np.arange(np.prod(shape), dtype=np.float32).reshape(shape) / 8
    save(folder / "x.st", {"x": ramp(2, 5, 3), "target": ramp(2, 1, 4)})
    save(folder / "flat.st", {"x": ramp(5, 3)})
    save(folder / "other.st", {"z": ramp(5, 3)})
    save(folder / "pair.st", {"a": ramp(3), "b": ramp(4)})
    save(folder / "train.st", {"x": ramp(23, 3), "target": ramp(23, 4)})
    save(folder / "deep.st", {"x": ramp(23, 7, 3), "target": ramp(23, 1, 4)})
    save(folder / "prompt.st", {"tokens": np.array([1, 2, 3], np.int64)})
    save(folder / "stream.st", {"tokens": np.arange(41) % 8})
    sgd = {"loss": {"kind": "mse"}, "optimizer": {"kind": "SGD", "lr": 0.01}}
    (folder / "mse.json").write_text(json.dumps(sgd))
    (folder / "batch20.json").write_text(json.dumps({**sgd, "batch_size": 20}))
    (folder / "words.json").write_text(json.dumps({
        "loss": {"kind": "softmax_cross_entropy"}, "optimizer": {"kind": "SGD"}, "batch_size": 5}))


# Messages about an input show its dimensions in the file.
X = "input 'x' [2,5,3] of x.st"
INFER = [
    ("named.onnx --inputs x.st", [2, 1, 4]),
    ("named.onnx --inputs x.st --dim s=5", [2, 1, 4]),
    ("named.onnx --inputs x.st --dim batch=2", [2, 1, 4]),
    ("named.onnx --inputs x.st --dim x[0]=2 --dim x[1]=5", [2, 1, 4]),
    ("nameless.onnx --inputs x.st", [2, 1, 4]),
    ("nameless.onnx --inputs x.st --dim x[0]=2", [2, 1, 4]),
    ("named.onnx --inputs x.st --dim s=9", f"named.onnx: dimension 's' is 9 by --dim s=9 and 5 by {X}"),
    ("named.onnx --inputs x.st --dim x[1]=9", f"named.onnx: dimension 's' is 9 by --dim x[1]=9 and 5 by {X}"),
    ("nameless.onnx --inputs x.st --dim x[1]=9",
     f"nameless.onnx: dimension 'x[1]' is 9 by --dim x[1]=9 and 5 by {X}"),
    ("named.onnx --inputs x.st --dim t=9", "named.onnx: no dimension is named 't'; there are 'batch', 's'"),
    ("nameless.onnx --inputs x.st --dim x=9", "nameless.onnx: no dimension is named 'x'; there are 'x[0]', 'x[1]'"),
    ("nameless.onnx --inputs x.st --dim x[2]=4", "nameless.onnx: 'x[2]' is 3 in the model, and not 4"),
    ("named.onnx --inputs flat.st", "flat.st: input 'x' has 2 dimensions; the model wants 3"),
    ("named.onnx --inputs other.st", "other.st: no tensor for the model's input 'x'; the file has 'z'"),
    ("pair.onnx --inputs pair.st", "pair.onnx: dimension 'n' is 3 by input 'a' [3] of pair.st and 4 by "
                                   "input 'b' [4] of pair.st"),
]
TRAIN = [
    ("linear.onnx --recipe batch20.json --data train.st", None),
    ("linear.onnx --recipe batch20.json --data train.st --dim batch=20", None),
    ("linear.onnx --recipe mse.json --data train.st --dim batch=7", None),
    ("named.onnx --recipe batch20.json --data deep.st", None),
    ("nameless.onnx --recipe batch20.json --data deep.st", None),
    ("nameless.onnx --recipe mse.json --data deep.st --dim x[0]=7", None),
    ("tokens.onnx --recipe words.json --data stream.st --sequence-length 4", None),
    ("linear.onnx --recipe batch20.json --data train.st --dim batch=7",
     "linear.onnx: dimension 'batch' is 7 by --dim batch=7 and 20 by the recipe's batch_size"),
    ("named.onnx --recipe batch20.json --data deep.st --dim s=3",
     "named.onnx: dimension 's' is 3 by --dim s=3 and 7 by input 'x' [N,7,3] of deep.st"),
    ("tokens.onnx --recipe words.json --data stream.st --sequence-length 4 --dim length=5",
     "tokens.onnx: dimension 'length' is 5 by --dim length=5 and 4 by --sequence-length 4"),
    ("linear.onnx --recipe mse.json --data train.st",
     "linear.onnx: input 'x': dimension 0 ('batch') has no size", "give it one: --dim batch=N, or the recipe's batch_size"),
]


class Checker:
    def __init__(self, tool, folder):
        self.tool, self.folder = tool, folder
        self.count = self.right = 0

    def run(self, words, wanted, note=None):
        """None: it works. A list: the output y has that shape. A text: that is the error, with the note or none."""
        self.count += 1
        (self.folder / "y.st").unlink(missing_ok=True)
        done = subprocess.run([self.tool, *words.split(), "--quiet"], cwd=self.folder, capture_output=True, text=True)
        found = done.stderr.strip()
        if isinstance(wanted, str):
            said = [f"gensyn-run: error: {wanted}"] + [f"note: {note}"] * bool(note)
            good = done.returncode == 3 and found.split("\n") == said
        else:
            good = done.returncode == 0
            if good and wanted:
                good = list(load(self.folder / "y.st")["y"].shape) == wanted
        self.right += good
        if not good:
            print(f"{words}: exit {done.returncode}: {found or 'no error'}")


def main():
    tool, folder = sys.argv[1], Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    prepare(folder)
    checker = Checker(tool, folder)
    for words, wanted in INFER:
        checker.run(f"infer {words} --outputs y.st", wanted)
    for words, *wanted in TRAIN:
        checker.run(f"train {words} -o run --overwrite", *wanted)
    checker.run("grad nameless.onnx --recipe mse.json --inputs x.st --outputs g.st", None)
    checker.run("grad named.onnx --recipe batch20.json --inputs x.st --outputs g.st --dim batch=4",
                f"named.onnx: dimension 'batch' is 4 by --dim batch=4 and 2 by {X}")
    checker.run("eval nameless.onnx --recipe batch20.json --data deep.st", None)
    checker.run("generate tokens.onnx --prompt-tokens prompt.st --tokens 4 --outputs t.st", None)
    checker.run("generate tokens.onnx --prompt-tokens prompt.st --tokens 4 --dim length=5", None)
    checker.run("generate tokens.onnx --prompt-tokens prompt.st --dim batch=2",
                "tokens.onnx: dimension 'batch' is 2 by --dim batch=2 and 1 by generate, which continues one text")
    checker.run("compile nameless.onnx --target reference --dim x[0]=2 --dim x[1]=5 -o c.gxe", None)
    checker.run("infer c.gxe --backend reference --inputs x.st --outputs y.st", [2, 1, 4])
    checker.run("compile linear.onnx --target reference --batch-size 3 --dim batch=4 -o d.gxe",
                "linear.onnx: dimension 'batch' is 4 by --dim batch=4 and 3 by --batch-size")
    checker.run("compile linear.onnx --target reference -o d.gxe",
                "linear.onnx: input 'x': dimension 0 ('batch') has no size", "give it one: --dim batch=N")
    checker.run("info nameless.onnx --dim x[1]=5", None)
    print(f"{checker.right} of {checker.count} commands do what they should")
    sys.exit(int(checker.right != checker.count))


main()
