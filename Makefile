# A thin wrapper: CMakePresets.json says how to build, cmake/dependencies.sh with what.
.PHONY: bench-gpu gpu-kit help deps build check lint aarch64-compiler check-aarch64 check-block check-cores check-exhaustive check-fuzz check-long check-machines check-models check-package check-random check-ranks check-wheel demo debug-check docs site install clean thread-check tidy wheel
.DEFAULT_GOAL := help

RELEASE := build/release
DEBUG := build/debug
THREADS := build/threads
COMPILER := build/aarch64-compiler
DIST := build/dist
PREFIX ?= $(HOME)/.local

help:
	@echo 'make demo         install what is missing, build, train LeNet, write PTX'
	@echo 'make check        the whole test suite'
	@echo 'make lint         the form of the sources, the structure of the tree, clang-tidy on the lines that differ from main'
	@echo 'make tidy         clang-tidy on every source, an hour on two cores'
	@echo 'make check-exhaustive  every input of every function, half an hour on two cores'
	@echo 'make check-random      10,000 random programs on every target (SEED=1 FIRST=0)'
	@echo 'make check-ranks       training by ranks in every combination, lost ranks, and random programs in pieces, a quarter of an hour on two cores (COUNT=2500)'
	@echo 'make check-aarch64     everything for AArch64 under an emulator, half an hour on two cores (COUNT=2000)'
	@echo 'make aarch64-compiler  gensyn-opt for AArch64, in build/aarch64-compiler, and the same results by it'
	@echo 'make check-fuzz    mutated PTX, packages, cached kernels, disputes, MLIR and ONNX (COUNT=200000 SEED=1 FIRST=0)'
	@echo 'make check-cores   programs of the cores of a chip in QEMU, some minutes (PYTHON=python3)'
	@echo 'make check-block   streams of gensyn-block in its RTL, for five int8 networks (PYTHON=python3)'
	@echo 'make check-machines  machine files against published figures (PYTHON=python3 VELA=vela TINY=folder)'
	@echo 'make check-long    two hundred steps on every target, some minutes'
	@echo 'make check-models   models and functions of PyTorch by both of its exporters, against PyTorch (PYTHON=python3)'
	@echo 'make wheel         the Python package with all its libraries, in build/dist (PYTHON=python3)'
	@echo 'make check-wheel   the same, and checks it in empty environments and bare Debian roots'
	@echo 'make check-package  57 architectures by the Python package, and 20 by torch.compile, against PyTorch (PYTHON=python3)'
	@echo 'make bench-gpu    GPU kernels against cuBLAS, copies, libdevice and CUB'
	@echo 'make gpu-kit      KIT=file.tar.xz: what a machine with a GPU needs to compare and measure, without LLVM'
	@echo 'make build        everything, in $(RELEASE)'
	@echo 'make debug-check  the test suite with assertions and sanitizers'
	@echo 'make thread-check  tests of the runtime with the thread sanitizer'
	@echo 'make docs         reference pages of dialects and passes, in $(RELEASE)/docs'
	@echo 'make site         the documentation as pages that need no network, in build/site/html (PYTHON=python3)'
	@echo 'make install      to $$PREFIX (now $(PREFIX))'
	@echo 'make deps         only install what is missing'
	@echo 'make clean        remove build/'

deps:
	@cmake/dependencies.sh

build/%/build.ninja: | deps
	cmake --preset $*

build: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE)

check: build
	@test/check.py $(RELEASE)

lint: deps $(RELEASE)/build.ninja
	@git ls-files '*.cpp' '*.h' '*.c' | grep -v '/Inputs/' | xargs clang-format-22 --dry-run --Werror
	@test/structure.py
	@test/tidy.py $(RELEASE)

tidy: deps $(RELEASE)/build.ninja
	@test/tidy.py $(RELEASE) --all

check-exhaustive: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) check-exhaustive

# A run goes on at FIRST, with the same SEED; each program has ten inputs.
check-random: SEED ?= 1
check-random: FIRST ?= 0
check-random: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-random-programs
	$(RELEASE)/bin/gensyn-random-programs --seed $(SEED) --first $(FIRST) --count 10000 --jobs $$(nproc)

check-ranks: COUNT ?= 2500
check-ranks: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-tools gensyn-thread-ranks gensyn-random-programs
	test/Integration/ranks_series.sh $(RELEASE) $(COUNT)

check-aarch64: COUNT ?= 2000
check-aarch64: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-tools gensyn-random-programs GensynCodegenCpuTests runtime-aarch64
	test/Integration/aarch64_runs.sh $(RELEASE) $(COUNT)

# The compiler for another processor, under an emulator: it writes what the one here writes.
aarch64-compiler: deps $(RELEASE)/build.ninja
	GENSYN_AARCH64_LIBRARIES=$$(cmake/dependencies.sh --aarch64-compiler) && export GENSYN_AARCH64_LIBRARIES && \
	cmake -G Ninja -B $(COMPILER) -DCMAKE_TOOLCHAIN_FILE=cmake/AArch64Compiler.cmake -DCMAKE_BUILD_TYPE=Release \
	  -DONNX_DIR="$$GENSYN_AARCH64_LIBRARIES/onnx/lib/cmake/ONNX" -DGENSYN_UNITY_BUILD=ON \
	  -DGENSYN_BUILD_TESTS=OFF -DGENSYN_BUILD_BENCHMARKS=OFF && \
	ninja -C $(COMPILER) gensyn-opt && ninja -C $(RELEASE) gensyn-opt && \
	test/Integration/aarch64_compiler.sh $(RELEASE) $(COMPILER)

# Files that make something crash are left in build/fuzz.
check-fuzz: COUNT ?= 200000
check-fuzz: SEED ?= 1
check-fuzz: FIRST ?= 0
check-fuzz: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-fuzzers gensyn-tools
	test/Fuzz/run.sh $(RELEASE) --seed $(SEED) --first $(FIRST) --count $(COUNT) --jobs $$(nproc)

# PYTHON has numpy and onnx.
check-cores: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-tools
	test/Integration/core_programs.sh $(RELEASE)

# PYTHON has numpy, onnx and onnxruntime.
check-block: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-tools
	test/Integration/block_programs.sh $(RELEASE)

# PYTHON has numpy, onnx and onnxruntime; VELA and TINY are those of the script.
check-machines: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-tools gensyn-compare-estimates
	test/Integration/machine_tables.sh $(RELEASE)

check-long: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-tools
	test/Integration/long_runs.sh $(RELEASE)

# PYTHON has torch, transformers, torchvision, timm, peft, onnx, onnxruntime, onnxscript, safetensors.
check-models: PYTHON ?= python3
check-models: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-tools
	$(PYTHON) test/Models/check_models.py $(RELEASE) $(MODELS)
	$(PYTHON) test/Models/check_functions.py $(RELEASE)
	$(PYTHON) test/Models/check_default_exports.py $(RELEASE)

# PYTHON is one version, or several for one wheel, the oldest first: "python3.10 python3.11 python3.12".
wheel check-wheel: PYTHON ?= python3
wheel: deps $(RELEASE)/build.ninja
	python/wheel.sh $(RELEASE) $(DIST) $(PYTHON)

check-wheel: wheel
	test/Integration/wheel_check.sh "$$(ls -t $(DIST)/gensyn-*.whl | head -1)" $(PYTHON)

# PYTHON is of the version that the package is built for, and has numpy, onnx, onnxscript, torch, torchvision, timm,
# transformers.
check-package: PYTHON ?= python3
check-package: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-python-package
	PYTHONPATH=$(RELEASE)/python $(PYTHON) test/Models/check_package.py $(ARCHITECTURES)
	PYTHONPATH=$(RELEASE)/python $(PYTHON) test/Models/check_torch_compile.py $(ARCHITECTURES)

# PROGRAMS is a folder that was made elsewhere: then no compiler is needed.
bench-gpu: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-bench-gpu $(if $(PROGRAMS),,gensyn-bench-gpu-programs)
	$(RELEASE)/benchmarks/gensyn-bench-gpu $(if $(PROGRAMS),--programs $(PROGRAMS))

# CASES are the models with known results; PYTHON has numpy.
gpu-kit: KIT ?= $(RELEASE)/gpu-kit.tar.xz
gpu-kit: CASES ?= test/Inputs/cases
gpu-kit: PYTHON ?= python3
gpu-kit: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-tools gensyn-random-programs gensyn-bench-gpu
	$(PYTHON) benchmarks/gpu_kit.py $(RELEASE) $(CASES) $(KIT)

# The demonstration needs the tools, not the tests.
demo: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-tools
	@examples/digits/demo.sh $(RELEASE)

# LLVM is not instrumented, and puts signal stacks of its own under threads that
# the sanitizer would give back.
debug-check: deps $(DEBUG)/build.ninja
	ninja -C $(DEBUG)
	@ASAN_OPTIONS=allow_user_poisoning=0:detect_container_overflow=0:use_sigaltstack=0 \
	  UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 test/check.py $(DEBUG)

# The runtime, the plans and the PTX simulator: what has threads of its own. Two tests are left out, of a file larger
# than memory and of a limit of memory: the sanitizer has most of the address space.
thread-check: deps $(THREADS)/build.ninja
	ninja -C $(THREADS) gensyn-unit-tests
	@TSAN_OPTIONS=halt_on_error=1 lit-22 --succinct --verbose $(THREADS)/test/unit

docs: deps $(RELEASE)/build.ninja
	ninja -C $(RELEASE) gensyn-docs

# In an environment of its own, with what docs/site/requirements.txt names. A link that leads nowhere is an error.
site: PYTHON ?= python3
site: docs
	docs/site/build.sh $(RELEASE)/docs build/site $(PYTHON)

install: build
	cmake --install $(RELEASE) --prefix $(PREFIX)

clean:
	rm -rf build
