"""Modules and passes: those of gensyn-opt and gensyn-translate, and what becomes of errors."""

import os
import pickle
import subprocess
from pathlib import Path

import gensyn
import pytest
from gensyn import ir

LENET = Path(os.environ["GENSYN_EXAMPLES"]) / "digits" / "lenet.onnx"
STAGES = ("gensyn-onnx-pipeline{dims=batch=4}", "gensyn-freeze-pipeline", "gensyn-kernel-pipeline")
IDENTITY = "module { func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> { return %x : tensor<4xf32> } }"


def tool(*command, text=None):
    return subprocess.run(command, input=text, check=True, capture_output=True, text=True).stdout


def frozen():
    return ir.Module.from_onnx(LENET).run(",".join(STAGES[:2]))


def test_stages_are_those_of_the_tools():
    module = ir.Module.from_onnx(LENET)
    text = tool("gensyn-translate", "--onnx-to-mlir", LENET)
    assert str(module).rstrip() == text.rstrip() and module.digest is None
    for stage in STAGES:
        name, _, options = stage.rstrip("}").partition("{")
        text = tool("gensyn-opt", f"--{name}" + (f"={options}" if options else ""), text=text)
        assert str(module.run(stage)).rstrip() == text.rstrip()
    assert module.digest == gensyn.compile(LENET, dims={"batch": 4}).digest
    assert ir.Module.parse(text).digest == module.digest


def test_ptx():
    module = frozen()
    before = module.bytecode
    text = tool("gensyn-translate", "--mlir-to-ptx", "--sm=80", text=str(module))
    assert module.to_ptx(sm=80) == text and ".target sm_80" in text
    assert module.bytecode == before
    assert module.to_ptx(sm=80) == text
    with pytest.raises(gensyn.UnsupportedError, match="sm_12"):
        module.to_ptx(sm=12)
    with pytest.raises(gensyn.BadInputError, match="neither a gpu.module nor a function @main"):
        ir.Module.parse("module {}").to_ptx()
    with pytest.raises(gensyn.UsageError, match="accuracy"):
        module.to_ptx(accuracy="some")


def test_forms_of_text(tmp_path):
    module = frozen()
    path = tmp_path / "m.mlir"
    path.write_text(module.get_asm(enable_debug_info=True))
    assert "loc(" in path.read_text() and "loc(" not in str(module)
    assert ir.Module.parse_file(path).digest == module.digest
    path.write_bytes(module.bytecode)
    assert str(ir.Module.parse_file(path)) == str(module)
    assert '"func.func"' in module.get_asm(print_generic_op_form=True)
    constant = ir.Module.parse("module attributes {repro.a = dense<[1, 2, 3]> : tensor<3xi32>} {}")
    assert "[1, 2, 3]" not in constant.get_asm(large_elements_limit=2)
    assert "[1, 2, 3]" in constant.get_asm(large_elements_limit=3)
    copy = pickle.loads(pickle.dumps(module))
    assert (str(copy), copy.digest) == (str(module), module.digest)


def test_pass_managers():
    module, other = ir.Module.parse(IDENTITY), ir.Module.parse(IDENTITY)
    manager = ir.PassManager.parse("builtin.module(func.func(canonicalize),cse)")
    manager.add("repro-freeze")
    assert str(manager) == "builtin.module(func.func(canonicalize),cse,repro-freeze)"
    assert manager.run(module) is None and module.digest
    assert other.clone().run("func.func(canonicalize),cse,repro-freeze").digest == module.digest
    assert other.digest is None, "the clone alone is changed"
    with pytest.raises(gensyn.UsageError, match="no such option x"):
        ir.PassManager.parse("canonicalize{x=1}")


def test_bits_are_compared():
    module = frozen()
    before = module.bytecode
    report = ir.check_bits(module, STAGES[2])
    assert report and report.compared > 5 and not report.finding and not report.smallest and not report.warnings
    assert module.bytecode == before
    report = ir.check_bits(module, STAGES[2], work=1)
    assert report.same and "not compared" in report.warnings[0] and "--check-bits-work" in report.warnings[0]
    assert ir.check_bits(ir.Module.parse(IDENTITY), "cse").compared == 0, "not frozen"
    assert ir.check_bits(ir.Module.parse(IDENTITY), "cse", everything=True).compared == 1
    with pytest.raises(gensyn.UsageError):
        ir.check_bits(module, "nothing")


def test_a_finding_is_reported(monkeypatch):
    """No pass of the package changes bits where it must not; unit tests have one that does."""

    class Passes:
        def run(self, **fields):
            assert fields["check_bits"] == {"everything": True, "seed": 3, "trials": 2, "work": 5}
            assert fields["pipeline"] == "builtin.module(wrong)"
            return {"module": b"", "compared": 1, "finding": "pass 'wrong'", "smallest": "module {}", "warnings": ["w"]}

    module = ir.Module.parse(IDENTITY)
    monkeypatch.setattr(ir, "_passes", lambda process: Passes())
    report = ir.check_bits(module, "wrong", everything=True, seed=3, trials=2, work=5)
    assert not report and report == ir.BitsReport(False, 1, "pass 'wrong'", "module {}", ("w",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("module {", "module:1:"),
        ("module {\n  foo.bar\n}", r"module:2:3: .*foo"),
        (IDENTITY.replace("-> tensor<4xf32>", "-> tensor<5xf32>"), "doesn't match function result type"),
        ("(" * 100000, "module: "),
        (b"ML\xefR not bytecode", "module"),
        (b"\xff\xfe", "module"),
        ("\x1b[31m", "module"),
    ],
)
def test_bad_modules(text, message):
    with pytest.raises(gensyn.BadInputError, match=message) as caught:
        ir.Module.parse(text)
    assert "\n" not in str(caught.value) and "\x1b" not in str(caught.value)


def test_errors_leave_the_module(tmp_path):
    module = ir.Module.parse(IDENTITY)
    before = module.bytecode
    for pipeline, error in (
        ("nothing", gensyn.UsageError),
        ("builtin.module(cse", gensyn.UsageError),
        ("func.func(" * 100000, gensyn.Error),
        ("gensyn-train-pipeline{kind=nothing}", gensyn.Error),
        (3, gensyn.UsageError),
    ):
        with pytest.raises(error):
            module.run(pipeline)
        assert module.bytecode == before
    for call in (lambda: ir.Module.parse(3), lambda: ir.Module.from_onnx(LENET, example_inputs=1)):
        with pytest.raises(gensyn.UsageError):
            call()
    with pytest.raises(gensyn.FileError, match="absent"):
        ir.Module.parse_file(tmp_path / "absent.mlir")
    with pytest.raises(gensyn.Error, match="absent"):
        ir.Module.from_onnx(tmp_path / "absent.onnx")
    with pytest.raises(gensyn.Error, match="nobody"):
        ir.Module.from_onnx(LENET, dims={"nobody": 3})


def test_a_fork_has_a_compiler_of_its_own():
    module = ir.Module.parse(IDENTITY)
    child = os.fork()
    if child == 0:
        os._exit(0 if "func.func" in str(module) else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert "func.func" in str(module)
