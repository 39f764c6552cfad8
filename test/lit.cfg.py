"""lit: every .mlir, .test and .ptx file with a RUN line, and every GoogleTest binary."""

import ctypes
import glob
import os
import shutil
import subprocess
import sys

import lit.formats

config.name = "gensyn"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test", ".ptx"]
config.excludes = ["Inputs", "unit", "CMakeLists.txt", "lit.cfg.py"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.gensyn_build, "test")

modules = os.path.join(config.test_source_root, "lib", "Python")
sys.path.insert(0, modules)
import browser  # noqa: E402
import limits  # noqa: E402

config.environment["PYTHONPATH"] = modules
# What several tests need and is computed once (lib/Python/onnx_cases.py).
config.environment["GENSYN_TEST_SHARED"] = os.path.join(config.test_exec_root, "shared")
config.environment["GENSYN_TEST_SLOWNESS"] = str(limits.slowness(config.sanitized))
lit_config.maxIndividualTestTime = limits.most_seconds(config.sanitized)

# A variable captured in one function must not be readable in the next.
config.environment["FILECHECK_OPTS"] = "-enable-var-scope -dump-input-filter=error"
config.environment["NO_COLOR"] = "1"
for name in ("HOME", "XDG_CACHE_HOME", "GENSYN_CACHE", "ASAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.gensyn_build, "bin"), config.llvm_tools, os.environ["PATH"]])

config.substitutions.append(("%inputs", os.path.join(config.test_source_root, "Inputs")))
config.substitutions.append(("%examples", os.path.join(config.gensyn_source, "examples")))
config.substitutions.append(("%build", config.gensyn_build))
config.substitutions.append(("%mlir_include", config.mlir_include))
python = subprocess.run([os.path.join(config.gensyn_source, "cmake", "dependencies.sh"), "--python"],
                        capture_output=True, text=True, check=True).stdout.strip()
if os.path.exists(python):
    config.available_features.add("python")
    if glob.glob(os.path.join(config.gensyn_build, "python", "gensyn", "_core*.so")):
        config.available_features.add("python-package")
    tools = "import importlib.util as i, sys; sys.exit(not all(map(i.find_spec, ('mypy', 'ruff'))))"
    if subprocess.run([python, "-c", tools], capture_output=True).returncode == 0:
        config.available_features.add("python-tools")
    if shutil.which("pyright"):
        config.available_features.add("pyright")
config.substitutions.append(("%python", python))

# A Python with PyTorch, of the version that the package is built for.
torch_python = os.environ.get("GENSYN_TORCH_PYTHON", "python3")
look = "import importlib.util as i, sys; sys.exit(not all(map(i.find_spec, ('torch', 'onnx', 'onnxscript', 'pytest'))))"
if subprocess.run([torch_python, "-c", look], capture_output=True).returncode == 0:
    config.available_features.add("torch")
    look = "import importlib.util as i, sys; sys.exit(not i.find_spec('transformers'))"
    if subprocess.run([torch_python, "-c", look], capture_output=True).returncode == 0:
        config.available_features.add("transformers")
config.substitutions.append(("%torch_python", torch_python))

# A Python with Keras, and each of its back ends with what exports from it.
keras_python = os.environ.get("GENSYN_KERAS_PYTHON", "python3")
for backend, modules in (("tensorflow", "tensorflow tf2onnx"), ("torch", "torch onnxscript"), ("jax", "jax jax2onnx")):
    names = ("keras", "onnx", "pytest", *modules.split())
    look = f"import importlib.util as i, sys; sys.exit(not all(map(i.find_spec, {names})))"
    if subprocess.run([keras_python, "-c", look], capture_output=True).returncode == 0:
        config.available_features.add(f"keras-{backend}")
config.substitutions.append(("%keras_python", keras_python))

# test/check.py BUILD -D roundtrip=1: gensyn-opt also checks that each module reads back as it was printed.
if lit_config.params.get("roundtrip"):
    config.substitutions.append((r"(?<![-\w/])gensyn-opt(?= )", "gensyn-opt --verify-roundtrip"))

# A libcuda.so.1 that runs on the simulator, for --backend cuda.
config.substitutions.append(("%fake_driver", os.path.join(config.gensyn_build, "test", "lib", "FakeDriver")))
# A library of a profiler, which logs ranges.
fake_profiler = os.path.join(config.gensyn_build, "test", "lib", "FakeProfiler", "profiler.so")
config.substitutions.append(("%fake_profiler", fake_profiler))
# A compiler library with a wrong kernel for the reference interpreter.
wrong_compiler = os.path.join(config.gensyn_build, "test", "lib", "WrongCompiler", "libgensyn-compiler.so")
config.substitutions.append(("%wrong_compiler", wrong_compiler))
try:
    ctypes.CDLL("libcuda.so.1")
except OSError:
    config.available_features.add("no-driver")

cuda_include = os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "include")
if os.path.exists(os.path.join(cuda_include, "cuda.h")):
    config.available_features.add("cuda-header")
config.substitutions.append(("%cuda_include", cuda_include))
# The functions that the driver's library exports, according to the toolkit's stub library.
cuda_stub = os.path.join(os.path.dirname(cuda_include), "lib64", "stubs", "libcuda.so")
if os.path.exists(cuda_stub):
    config.available_features.add("cuda-stub")
config.substitutions.append(("%cuda_stub", cuda_stub))

ptxas = shutil.which("ptxas") or "/usr/local/cuda/bin/ptxas"
if os.path.exists(ptxas):
    config.available_features.add("ptxas")
config.substitutions.append(("%ptxas", ptxas))
nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
if os.path.exists(nvcc):
    config.available_features.add("nvcc")
config.substitutions.append(("%nvcc", nvcc))

# Binaries built for AArch64, and an emulator that runs them.
if shutil.which("qemu-aarch64-static") and os.path.exists(
        os.path.join(config.gensyn_build, "runtime-aarch64", "bin", "gensyn-run")):
    config.available_features.add("aarch64")
config.substitutions.append(("%qemu", "qemu-aarch64-static -L /usr/aarch64-linux-gnu"))

# QEMU's boards with Cortex-M processors, for programs of cores.
if shutil.which("qemu-system-arm"):
    config.available_features.add("qemu-system-arm")

# Sphinx, in the environment that `make site` makes.
site_tools = os.path.join(config.gensyn_source, "build", "site", "tools", "bin")
if os.path.exists(os.path.join(site_tools, "sphinx-build")):
    config.available_features.add("site-tools")
config.substitutions.append(("%site_tools", site_tools))

# A browser that opens report pages.
if browser.find():
    config.available_features.add("chromium")

# Disputes over the network.
if config.grpc and "NOTFOUND" not in config.grpc:
    config.available_features.add("grpc")

# Signatures.
if config.openssl:
    config.available_features.add("openssl")

# Runs the RTL of accelerator blocks.
if shutil.which("verilator"):
    config.available_features.add("verilator")

# Python can load a library with sanitizers if their runtime is loaded before it. A memory limit would stop them, since
# their shadow memory is most of the address space.
opener, limit = "env", ""
if config.sanitized == "ON":
    config.available_features.add("sanitizers")
    runtime = subprocess.run([config.compiler, "-print-file-name=libclang_rt.asan-x86_64.so"],
                             capture_output=True, text=True).stdout.strip()
    quiet = os.environ.get("ASAN_OPTIONS", "") + ":detect_leaks=0"
    opener, limit = f"env LD_PRELOAD={runtime} ASAN_OPTIONS={quiet}", "--memory 0"
config.substitutions.append(("%opener", opener))
config.substitutions.append(("%no-limit", limit))

# Launchers of MPI with the plug-ins that connect their ranks: %mpirun-openmpi 2 PROGRAM. Their libraries leak.
leaks = f"ASAN_OPTIONS={os.environ.get('ASAN_OPTIONS', '')}:detect_leaks=0"
root = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1"
openmpi = os.path.join(os.path.dirname(__file__), "lib", "mpirun_openmpi.sh")
for mpi, launch in (("openmpi", f"env {root} {leaks} {openmpi} -n"),
                    ("mpich", f"env {leaks} mpirun.mpich -n")):
    if shutil.which(f"mpirun.{mpi}") and os.path.exists(
            os.path.join(config.gensyn_build, "lib", f"libgensyn-mpi-{mpi}.so")):
        config.available_features.add(mpi)
    config.substitutions.append((f"%mpirun-{mpi}", launch))


def instruction_sets():
    """The x86-64 levels that this processor has."""
    with open("/proc/cpuinfo") as file:
        flags = set(next((line for line in file if line.startswith("flags")), "").split())
    if {"avx2", "bmi1", "bmi2", "fma", "f16c", "movbe"} <= flags:
        yield "x86-64-v3"
        if {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"} <= flags:
            yield "x86-64-v4"
            if {"avx512_vnni", "avx512vbmi"} <= flags:
                yield "x86-64-v4+vnni"
                if {"amx_tile", "amx_int8"} <= flags:
                    yield "x86-64-v4+amx"


config.available_features.update(instruction_sets())
