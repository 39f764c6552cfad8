#!/usr/bin/env python3
"""Packs what a machine with a GPU of compute capability 9.0 or newer needs to compare bits and to measure, without
LLVM:

  gpu_kit.py BUILD CASES FILE.tar.xz [--tiny]

BUILD is a build folder with the tools, gensyn-random-programs and gensyn-bench-gpu; CASES the folder of the models with
known results (test/Integration/KnownResults). Needs LLVM's archives, clang, nm, strip, and a Python with numpy
and onnx. The results of the cases on this CPU are packed as digests. The Python package goes along if it was built; its extension module
is for the version of Python that built it, or from 3.12 on for newer ones too. On the other machine unpack the file and run

  gpu-kit/benchmarks/gpu_session.py OUT

The tools are linked against libMLIR and libLLVM, 250 MB. In their place the kit has one library with the functions that
the tools need, from LLVM's archives. It compiles for x86-64 and NVIDIA GPUs only. --tiny: one case, small programs.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
PACKAGE = "python/gensyn"
TOOLS = ["bin/gensyn-run", "bin/gensyn-random-programs", "lib/libgensyn-compiler.so", "benchmarks/gensyn-bench-gpu"]
# What every GNU/Linux has, in versions that are no older than Debian's.
SYSTEM = re.compile(r"lib(c|m|dl|pthread|rt|stdc\+\+|gcc_s)\.so|ld-linux|linux-vdso")
PARTS = ["TargetInfo", "Target", "TargetMC", "AsmPrinter", "AsmParser", "Disassembler", "TargetMCA"]
KEPT_TARGETS = {"X86", "NVPTX"}


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=True, text=True, **options)


def needed_symbols(files):
    """What the files take from LLVM and MLIR."""
    names = set()
    for file in files:
        for line in run("nm", "-D", "--undefined-only", file, stdout=subprocess.PIPE).stdout.splitlines():
            kind, name = line.split()[-2:]
            if kind == "U" and not re.search(r"@(GLIBC|CXXABI|GCC)|protobuf", name):
                names.add(name.split("@")[0])
    return sorted(names)


def link_llvm(files, folder, scratch):
    """Writes libLLVM and an empty libMLIR, under the names by which the files need them."""
    llvm = Path(run("llvm-config-22", "--prefix", stdout=subprocess.PIPE).stdout.strip())
    text = (llvm / "include/llvm/Config/Targets.def").read_text()
    targets = set(re.findall(r"^LLVM_TARGET\((\w+)\)", text, re.M)) - KEPT_TARGETS
    # LLVM initializes all targets. Those that are left out do nothing, and the compiler never calls Polly.
    stubs = [f'extern "C" void LLVMInitialize{target}{part}() {{}}' for target in sorted(targets) for part in PARTS]
    stubs += ["struct Plugin { unsigned version; const char *name, *text; void *a, *b; };",
              "Plugin getPollyPluginInfo() { return {}; }"]
    (scratch / "stubs.cpp").write_text("\n".join(stubs) + "\n")
    names = needed_symbols(files)
    (scratch / "names.rsp").write_text("\n".join(f"-Wl,-u,{name}" for name in names))
    # Types are compared by the addresses of these, also between the tools and this library.
    shared = ["*TypeIDResolver*", "_ZTI*", "_ZTV*", "_ZTS*", "_ZN4llvm3Any6TypeId*"]
    (scratch / "names.map").write_text("{ global:\n" + "".join(f"{name};\n" for name in names + shared)
                                       + "local: *; };\n")
    left_out = re.compile(rf"MLIRMlirOpt|LLVM-C|libLLVM({'|'.join(targets)})")
    archives = [file for kind in ("MLIR", "LLVM") for file in sorted((llvm / "lib").glob(f"lib{kind}*.a"))
                if not left_out.search(file.name)]
    flags = ["-shared", "-fPIC", "-fuse-ld=lld", "-static-libstdc++", "-static-libgcc", "-Wl,-s", "-Wl,--gc-sections",
             "-Wl,--undefined-version"]
    run("clang++-22", *flags, f"-Wl,--version-script={scratch / 'names.map'}", "-Wl,-soname,libLLVM.so.22.1", "-o",
        folder / "libLLVM.so.22.1", scratch / "stubs.cpp", f"@{scratch / 'names.rsp'}", "-Wl,--start-group", *archives,
        "-Wl,--end-group", "-lzstd", "-lz")
    (scratch / "empty.cpp").write_text("")
    run("clang++-22", "-shared", "-fPIC", "-Wl,-soname,libMLIR.so.22.1", "-o", folder / "libMLIR.so.22.1",
        scratch / "empty.cpp")


def copy_libraries(files, folder):
    """Copies the other libraries that the files need, with those of the folder."""
    here = {**os.environ, "LD_LIBRARY_PATH": str(folder)}
    for file in files:
        for line in run("ldd", file, stdout=subprocess.PIPE, env=here).stdout.splitlines():
            found = re.match(r"\s*(\S+) => (/\S+)", line)
            if found and not SYSTEM.search(found[1]) and not (folder / found[1]).exists():
                shutil.copy(found[2], folder / found[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path)
    parser.add_argument("cases", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--tiny", action="store_true")
    given = parser.parse_args()
    tools = [given.build / name for name in TOOLS]
    for tool in tools:
        if not tool.exists():
            sys.exit(f"gpu_kit.py: {tool}: not found; build its target first")
    with tempfile.TemporaryDirectory() as scratch:
        kit, work = Path(scratch) / "gpu-kit", Path(scratch) / "work"
        work.mkdir()
        for name, tool in zip(TOOLS, tools):
            (kit / name).parent.mkdir(parents=True, exist_ok=True)
            run("strip", "-o", kit / name, tool)
        extensions = sorted((given.build / PACKAGE).glob("_core.*.so"))
        if extensions:
            shutil.copytree(given.build / PACKAGE, kit / PACKAGE, ignore=shutil.ignore_patterns("*.so", "__pycache__"))
            (kit / PACKAGE / "libgensyn-compiler.so").symlink_to("../../lib/libgensyn-compiler.so")
        for extension in extensions:
            run("strip", "-o", kit / PACKAGE / extension.name, extension)
        libraries = kit / "libraries"
        libraries.mkdir()
        link_llvm([tool for tool in tools if "gensyn-run" not in tool.name and "bench" not in tool.name], libraries,
                  work)
        copy_libraries([*tools, *extensions], libraries)
        run(sys.executable, HERE / "gpu_programs.py", given.build / "bin", kit / "benchmarks/gpu", "--generations", "90",
            *(["--tiny"] if given.tiny else []))
        for folder in ("benchmarks", "examples", "test/Integration/KnownResults", "test/lib/Python"):
            shutil.copytree(ROOT / folder, kit / folder, dirs_exist_ok=True,
                            ignore=shutil.ignore_patterns("__pycache__", "*.cpp", "keras", "finetune"))
        names = sorted(file.parent.name for file in given.cases.glob("*/case.json"))
        for name in names[:1] if given.tiny else names:
            shutil.copytree(given.cases / name, kit / "cases" / name)
        if not given.tiny:
            run(sys.executable, ROOT / "test/Integration/KnownResults/special_values.py", kit / "cases", "--points", 1 << 13)
        run(sys.executable, kit / "benchmarks/gpu_session.py", work / "out", "--record", kit / "digests.json")
        run("tar", "-C", scratch, "-cJf", given.file.resolve(), "gpu-kit", env={**os.environ, "XZ_OPT": "-9"})
    digests = sum(map(len, json.loads(run("tar", "-xJOf", given.file, "gpu-kit/digests.json",
                                          stdout=subprocess.PIPE).stdout).values()))
    print(f"{given.file}: {given.file.stat().st_size / 1e6:.1f} MB, {digests} digests of results")


if __name__ == "__main__":
    main()
