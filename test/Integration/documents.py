#!/usr/bin/env python3
"""Runs the commands that documents show, and compares what they print.

  documents.py BIN ROOT FOLDER PYTHON

A block is a run of indented lines with one that begins with "$ ". Each runs in a
folder of its document, with the files of examples/digits in it, or stands in
LEFT_OUT with the reason. A line "..." stands for lines that a document leaves out,
and at the end of a line for the rest of it. A command without lines behind it must
succeed. What a document shows by "cat" is a file to make where there is none, and
the fenced lines of Python before "python run.py" are that file; PYTHON runs it, with the
package of the build. Where that is not built, such a block is left out, and one with ranks
where there is none.
Exit 1 where a line differs.
"""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from limits import seconds

MAPPING = "the figures change with every pass that maps; map.test and simulate.test have the form"
MLP = "mlp.onnx comes from PyTorch, which tests do not need"
# The beginning of a block's first command.
LEFT_OUT = {
    "README.md": {"gensyn-run compare run1 run2": "a byte has been changed by hand"},
    "docs/Python.md": {
        "PYTHONPATH=build/release/python": "run from the root of a clone; the block before it is the same program",
        "make build": "builds the project",
        "make wheel": "builds the project; wheel_check.sh runs the wheel",
        "python train.py": "needs PyTorch; torch-trainer.test trains modules",
        "PYTHONPATH=build/release/python python benchmarks": "the figures are those of a machine",
    },
    "docs/Running.md": {
        "gensyn-run train mlp.onnx": MLP,
        "gensyn-run infer mlp.onnx": MLP,
        "gensyn-run export mlp.onnx": MLP,
        "gensyn-run compile mlp.onnx": MLP,
        "gensyn-run map lenet.onnx --machine spinnaker2-chip --batch-size 30": MAPPING,
        "gensyn-run simulate lenet.gmap": MAPPING,
        "gensyn-run map lenet.onnx --machine xr-soc --batch-size 32 --sweep": MAPPING,
        "gensyn-run map ic.onnx": "benchmarks/tiny_networks.py makes the model with onnxruntime; tests do not need it",
        "python benchmarks/llama_export.py": "needs transformers; symbolic-weights.test has another model",
        "gensyn-run train resnet.onnx": "needs a model as torchvision exports it; default-exports.test has one",
        "gensyn-run infer pair.onnx": "the model is made for this line; bind-inputs.test has it",
        "gensyn-run train gpt2.onnx": "needs GPT-2 as PyTorch exports it; text.test has a smaller model",
        "gensyn-run generate gpt2.onnx": "needs GPT-2 as PyTorch exports it; text.test has a smaller model",
        "gensyn-run train bert-training.onnx": "needs BERT as PyTorch exports it; training-info.test has other models",
    },
    "docs/ManyMachines.md": {},
    "docs/Proof.md": {},
    "docs/Executable.md": {
        "gensyn-run compile lenet.onnx --target sm_90 --batch-size 30 --assemble": "needs ptxas; assemble.test runs it",
        "cc -std=c99": "needs the CUDA toolkit; cuda-driver.test runs it",
    },
}
# For Open MPI: any user and any number of processors will do.
RANKS = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
         "OMPI_MCA_rmaps_base_oversubscribe": "1",
         # See test/lib/mpirun_openmpi.sh.
         "TMPDIR": tempfile.mkdtemp()}
# Output that depends on the machine.
MASKS = [
    (r"\b\d[\d.]* [um]?s\b", "# s"),
    (r"now \d+\.\d % (slower|faster)", "now # %"),
    (r"peak [\d.]+ .?B", "peak #"),
    # Workspaces are part of it, whose sizes depend on the instruction set.
    (r"arena [\d.]+ .?B, constants", "arena #, constants"),
    (r"\d+ samples/s", "# samples/s"),
    (r"with [\d.]+ .?B of memory at most", "with # of memory at most"),
    (r"cpu:x86-64(-v[234](\+\w+)?)?(?=['\": ]|$)", "cpu:#"),
]


def blocks(text):
    """Lists of (command, lines behind it), each with the program in Python before it."""
    found, block, fenced, program = [], [], False, []
    for line in text.splitlines() + ["end"]:
        if line.startswith("```python"):
            program = []
        elif fenced:
            program.append(line)
        fenced ^= line.startswith("```")
        if line.startswith("    ") and not fenced:
            block.append(line[4:])
            continue
        if any(part.startswith("$ ") for part in block):
            found.append((commands(block), "\n".join(program[:-1]) + "\n"))
        block = []
    return found


def commands(block):
    result = []
    for line in block:
        if result and result[-1][0].endswith("\\"):
            result[-1] = (result[-1][0][:-1] + line.strip(), [])
        elif line.startswith("$ "):
            result.append((line[2:], []))
        else:
            result[-1][1].append(line)
    return result


def masked(text):
    for pattern, name in MASKS:
        text = re.sub(pattern, name, text, flags=re.M)
    return text


def pattern(lines):
    text = ""
    for line in lines:
        if line.strip() == "...":
            text += r"(?:.*\n)*?"
        elif line.endswith("..."):
            text += re.escape(masked(line[:-3])) + r".*\n"
        else:
            text += re.escape(masked(line)) + r"\n"
    return text


def complaint(command, lines, folder):
    """Nothing, or what is wrong with the command."""
    words = command.split()
    if words[0] == "cat" and not (folder / words[1]).exists():
        (folder / words[1]).write_text("\n".join(lines) + "\n")
    done = subprocess.run(["bash", "-c", command], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=seconds(120))
    if not lines:
        return f"exit code {done.returncode}: {done.stdout}" if done.returncode else None
    return None if re.fullmatch(pattern(lines), masked(done.stdout).rstrip("\n") + "\n") else "prints\n" + done.stdout


def can_launch(tools):
    return shutil.which("mpirun") and list((tools.parent / "lib").glob("libgensyn-mpi*.so"))


def main():
    tools, root, scratch = (Path(name).absolute() for name in sys.argv[1:4])
    package = tools.parent / "python"
    os.environ["PATH"] = f"{tools}:{os.environ['PATH']}"
    os.environ["PYTHONPATH"] = str(package)
    os.environ.update(RANKS)
    run = good = 0
    wrong = []
    for document, reasons in LEFT_OUT.items():
        folder = scratch / Path(document).stem
        shutil.copytree(root / "examples/digits", folder)
        (folder / "test").symlink_to(root / "test")
        unused, ran = dict(reasons), 0
        for block, program in blocks((root / document).read_text()):
            if block[0][0] == "python run.py":
                if not list(package.glob("gensyn/_core*.so")):
                    ran += 1
                    continue
                (folder / "run.py").write_text(program)
                block = [(f"{shlex.quote(sys.argv[4])} run.py", block[0][1])]
            if any(command.startswith(("mpirun ", "gensyn-run launch ")) for command, _ in block) and not can_launch(tools):
                ran += 1
                continue
            reason = next((key for key in unused if block[0][0].startswith(key)), None)
            if reason:
                del unused[reason]
                continue
            ran += 1
            for command, lines in block:
                run += 1
                text = complaint(command, lines, folder)
                good += text is None
                if text is not None:
                    wrong.append(f"{document}: $ {command}\n{text}")
        wrong += [f"{document}: no block begins with '{key}'" for key in unused]
        if not ran:
            wrong.append(f"{document}: no block is run")
    print(*wrong, sep="\n", end="\n" if wrong else "")
    print(f"{good} of {run} commands print what the documents say")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
