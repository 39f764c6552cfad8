"""Checks the package gensyn of the Python that runs this: wheel_check.py SOURCE.

SOURCE is a clone, or a folder with its files that are read here.
Prints a line for each check, with the seconds of some; exits with 1 at the first that fails.
"""

import os
import pathlib
import re
import subprocess
import sys
import sysconfig
import time

# What a machine has by the tag of the wheel, and Python and numpy need too.
PLATFORM = {"ld-linux-x86-64.so.2", "libc.so.6", "libdl.so.2", "libgcc_s.so.1", "libm.so.6", "libpthread.so.0"}
PLATFORM |= {"librt.so.1", "libstdc++.so.6", "libz.so.1", "linux-vdso.so.1"}
SUM = """func.func @main(%x: tensor<4x3000xf32>) -> tensor<4xf32> {
  %0 = repro.reduce sum %x domain <[4, 3000], reduce [1]> maps [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>] : tensor<4x3000xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
"""


def check(what, holds, detail=""):
    print(f"  {'ok' if holds else 'FAILED'}: {what}{f', {detail}' if detail else ''}", flush=True)
    if not holds:
        sys.exit(1)


def libraries(package):
    """Every program and library of the wheel finds what it needs in the wheel, and none has the path of a machine."""
    files = [*package.rglob("*"), *package.with_name("gensyn.libs").rglob("*")]
    files = [path for path in files if path.is_file() and path.read_bytes()[:4] == b"\x7fELF"]
    inside = 0
    for path in files:
        listing = subprocess.run(["ldd", path], check=False, capture_output=True, text=True).stdout
        for name, place in re.findall(r"^\s*(\S+)(?: => (\S+|not found))?(?: \(0x\w+\))?$", listing, re.MULTILINE):
            if os.path.basename(name) in PLATFORM or "statically" in name:
                continue
            found = place.startswith(str(package.parent)) and place != "not found"
            inside += found
            if not found:
                check(f"{path.name} needs {name}", False, place)
    check(f"the libraries of {len(files)} files", inside > 0)


def licenses(package):
    """There is a text for the project, LLVM, what is linked in, and the rest."""
    (info,) = package.parent.glob("gensyn-*.dist-info")
    texts = {path.parent.name for path in info.glob("licenses/*/*") if path.stat().st_size > 500}
    texts |= {path.name for path in info.glob("licenses/LICENSE")}
    wanted = {"LICENSE", "libllvm22", "libmlir-22", "libprotobuf-dev", "libxxhash-dev", "nlohmann-json3-dev", "nanobind",
              "onnx"}
    check("licence texts", wanted <= texts, ", ".join(sorted(wanted - texts)) or f"{len(texts)}")


def import_time(name):
    """Milliseconds, the least of 5."""
    program = f"import time; start = time.perf_counter(); import {name}; print(time.perf_counter() - start)"
    words = [sys.executable, "-c", program]
    return 1000 * min(float(subprocess.run(words, capture_output=True, check=True).stdout) for _ in range(5))


def run(words, code=0, standard_input=None):
    """Runs a script of the wheel, and returns what it prints."""
    scripts = sysconfig.get_path("scripts")
    done = subprocess.run(
        [os.path.join(scripts, words[0]), *words[1:]], check=False, input=standard_input, capture_output=True, text=True
    )
    check(" ".join(os.path.basename(word) for word in words), done.returncode == code, done.stderr.strip())
    return done.stdout


def main():
    source = pathlib.Path(sys.argv[1])
    # What the README's programs print: the digest of lenet.onnx, and that of its parameters after an epoch.
    readme = (source / "README.md").read_text(encoding="utf-8")
    digest, trained = re.search(r"^    (\w{64}) \(4, 10\)$.*?^    (\w{64})$", readme, re.MULTILINE | re.DOTALL).groups()
    print(f"  import: gensyn {import_time('gensyn'):.0f} ms, numpy alone {import_time('numpy'):.0f} ms")

    import gensyn
    import numpy

    package = pathlib.Path(gensyn.__file__).parent
    check(
        "the package",
        sys.prefix in str(package),
        f"{package}, Python {sys.version.split()[0]}, numpy {numpy.__version__}",
    )
    check("its types", all((package / name).is_file() for name in ("py.typed", "_core.pyi")))
    libraries(package)
    licenses(package)

    model = source / "examples/digits/lenet.onnx"
    images = numpy.linspace(0, 1, 256, dtype="float32").reshape(4, 1, 8, 8)
    start = time.perf_counter()
    program = gensyn.compile(model, cache="")
    logits = program(images)
    check("the program of README.md", True, f"{time.perf_counter() - start:.1f} s")
    check("its digest", program.digest == digest, program.digest)
    start = time.perf_counter()
    found = gensyn.Trainer(model, model.with_name("recipe.json"), cache="").fit(
        model.with_name("train.safetensors"), epochs=1, progress=False
    )
    check("the README's epoch of training", True, f"{time.perf_counter() - start:.1f} s")
    check("its digest", found.digest == trained, found.digest)
    reference = gensyn.compile(model, backend="reference")
    check("the bits of the reference interpreter", reference(images).tobytes() == logits.tobytes())
    simulated = gensyn.compile(model, backend="ptx-sim", cache="")
    check("the bits of the PTX simulator", simulated(images).tobytes() == logits.tobytes())

    check("its text", "conv3.weight" in run(["gensyn-run", "info", str(model)]))
    run(["gensyn-run", "info", str(source / "test/Inputs/bad/shape-mismatch.onnx")], code=3)
    check("its text", "order blocked<1024" in run(["gensyn-opt", "--gensyn-freeze-pipeline"], standard_input=SUM))
    check("its text", "onnx.Conv" in run(["gensyn-translate", "--onnx-to-mlir", str(model)]))
    check(
        "its text",
        "float-atomic" in run(["gensyn-ptx", "audit", str(source / "test/Ptx/audit/float-atomic.ptx")], code=1),
    )


main()
