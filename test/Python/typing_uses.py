"""Uses of the package with the types that checkers see; checked, never run (typing.test)."""

from typing import Any, assert_type

import gensyn
import numpy

program = gensyn.compile("lenet.onnx")
logits = program(numpy.zeros((4, 1, 8, 8), "float32"))
print(program.digest, logits.shape)

assert_type(program, gensyn.Program)
assert_type(logits, Any)
assert_type(program.inputs, tuple[gensyn.TensorSpec, ...])
assert_type(program.outputs[0].name, str)
assert_type(program.inputs[0].type, str)
assert_type(program.inputs[0].shape, tuple[int | str | None, ...])
assert_type(program.digest, str | None)
assert_type(program.target, str)
assert_type(program(x=[1.0]), Any)
assert_type(program.kernels(), list[dict[str, Any]])
assert_type(program.profile(clear=True), dict[str, Any])
assert_type(gensyn.compile("m.onnx", threads=2, dims={"batch": 4}, accuracy="exact", cache=None), gensyn.Program)
assert_type(gensyn.export(object(), (), "m.onnx"), gensyn.Exported)
assert_type(gensyn.export(object(), (), "m.onnx").notes, tuple[str, ...])
assert_type(gensyn.__version__, str)

try:
    program()
except gensyn.Error as error:
    assert_type(error.note, str)
    assert_type(error.exit_code, int)
except ValueError:
    pass

# Each of these is an error; that there is none would be one too.
gensyn.compile("m.onnx", backend=3)  # type: ignore[arg-type]
gensyn.compile("m.onnx", dims={"batch": "4"})  # type: ignore[dict-item]
gensyn.compile("m.onnx", thread=4)  # type: ignore[call-arg]
program.digest = ""  # type: ignore[misc]
program.inputs[0].name = "x"  # type: ignore[misc]


def train(x: Any, y: Any) -> None:
    recipe = gensyn.Recipe(loss=gensyn.losses.Mse(), optimizer=gensyn.optim.AdamW(lr=1e-3, betas=(0.9, 0.95)), epochs=3)
    gensyn.optim.AdamW(lr="fast")  # type: ignore[arg-type]
    trainer = gensyn.Trainer("m.onnx", recipe, folder="run", resume=True)
    result = trainer.fit((x, y), epochs=2, callbacks=[gensyn.Callback()])
    assert_type(result, gensyn.FitResult)
    assert_type(result.digest, str)
    assert_type(result.history, list[dict[str, Any]])
    assert_type(trainer.step({"x": x, "target": y}), float)
    assert_type(trainer.inputs, tuple[gensyn.TensorSpec, ...])
    assert_type(trainer.program_digest, str | None)
    trainer.fit()  # type: ignore[call-arg]
    assert_type(gensyn.report("m.onnx", recipe, runs=["run"]), gensyn.Report)
    assert_type(gensyn.torch_graphs(), tuple[gensyn.TorchGraph, ...])


lowered = gensyn.ir.Module.from_onnx("m.onnx", dims={"batch": 4}).run("gensyn-onnx-pipeline")
assert_type(lowered, gensyn.ir.Module)
assert_type(lowered.digest, str | None)
assert_type(lowered.to_ptx(sm=80), str)
assert_type(gensyn.ir.check_bits(lowered, "cse"), gensyn.ir.BitsReport)
