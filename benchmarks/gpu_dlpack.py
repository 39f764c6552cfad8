#!/usr/bin/env python3
"""Checks programs of the Python package on tensors that another library has in a GPU's memory: gpu_dlpack.py MODEL

The other library is the driver API (test/lib/Python/cuda_tensors.py), and PyTorch too where it finds the GPU. MODEL is an
ONNX file with one float32 input whose first dimension is open, as examples/digits/lenet.onnx. Needs numpy and the package
in PYTHONPATH, for this version of Python; says so without. Prints a line for each check, and microseconds of calls.
"""

import ctypes
import gc
import sys
import timeit
from pathlib import Path

HERE = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(HERE / "python"), str(HERE / "test/lib/Python")]

try:
    import gensyn
    import numpy
    from cuda_tensors import Capsule, Gpu, Tensor
except ImportError as error:
    print(f"not checked on Python {sys.version.split()[0]}: {error}")
    sys.exit(0)

failures = 0


def check(what, holds):
    global failures
    failures += not holds
    print(f"{'ok    ' if holds else 'FAILED'} {what}", flush=True)


def refuses(program, tensor):
    try:
        program(tensor)
    except (gensyn.BadInputError, gensyn.UnsupportedError):
        return True
    return False


def batches(program, count, seed=0):
    return numpy.random.default_rng(seed).random((count, *program.inputs[0].shape[1:]), "float32")


def check_inputs(gpu, program, plain):
    small = batches(program, 5)
    wanted = plain(small).tobytes()
    tensor = Tensor(gpu, small)
    check("three calls on one tensor", all(program(tensor).numpy().tobytes() == wanted for _ in range(3)))
    for offset in (4, 16, 64):
        check(f"{offset} bytes into its memory",
              program(Tensor(gpu, small, offset=offset)).numpy().tobytes() == wanted)
    check("the input is as it was", tensor.numpy().tobytes() == small.tobytes())
    check("arrays on the host", program(small).tobytes() == wanted)
    # The copy to the GPU is still in progress when the program is called.
    count = 20000 if "Simulated" not in gpu.name() else 20
    large = batches(program, count, 1)
    wanted = plain(large).tobytes()
    check("a call while the input is copied", all(
        program(Tensor(gpu, large)).numpy().tobytes() == wanted for _ in range(3)))


def check_results(gpu, model):
    program = gensyn.compile(model, backend="cuda")
    x = Tensor(gpu, batches(program, 5))
    y = program(x)
    wanted = y.numpy().tobytes()
    capsule = Capsule(y.__dlpack__(max_version=(1, 0)))
    check("a result is memory of the primary context", gpu.read(capsule.data, len(wanted)) == wanted)
    del y
    program(x)
    del program
    gc.collect()
    check("a result outlives its program", gpu.read(capsule.data, len(wanted)) == wanted)
    capsule.delete()


def check_refusals(gpu, program, plain):
    small = batches(program, 5)
    tensor = Tensor(gpu, small)
    tensor.free()
    check("freed memory is refused", refuses(program, tensor))
    tensor = Tensor(gpu, small)
    tensor.address = gpu.pinned(small.tobytes()).value
    check("memory of the host is refused", refuses(program, tensor))
    check("and the next call is whole", program(Tensor(gpu, small)).numpy().tobytes() == plain(small).tobytes())


def check_torch(program, plain):
    try:
        import torch
    except ImportError:
        print("no PyTorch: not checked with it")
        return
    if not torch.cuda.is_available():
        print("PyTorch finds no GPU: not checked with it")
        return
    x = torch.from_numpy(batches(program, 2000))
    wanted = plain(x.numpy()).tobytes()
    y = program(x.cuda())
    check("PyTorch gets its tensors", isinstance(y, torch.Tensor) and y.is_cuda and y.cpu().numpy().tobytes() == wanted)
    there, stream = x.cuda(), torch.cuda.Stream()
    torch.cuda.synchronize()
    good = True
    for _ in range(20):
        with torch.cuda.stream(stream):
            torch.cuda._sleep(2_000_000)
            later = there.clone()
            y = program(later)
            del later
            # Work of PyTorch on a result whose memory is dropped at once.
            total = (y * 1).cpu()
            del y
        good &= total.numpy().tobytes() == wanted
    check("and waits on a stream of PyTorch's", good)
    check("a tensor that needs a gradient, transposed",
          program(there.transpose(-1, -2).requires_grad_()).cpu().numpy().tobytes()
          == plain(x.transpose(-1, -2).contiguous().numpy()).tobytes())
    print(f"microseconds of a call: {time_of(lambda: program(there)):.0f} on a tensor of PyTorch of 2000 samples")


def time_of(call, calls=20):
    call()
    return min(timeit.repeat(call, number=calls, repeat=5 if calls > 1 else 1)) / calls * 1e6


def measure(gpu, program, count, calls):
    array = batches(program, count)
    tensor = Tensor(gpu, array)
    there, here = time_of(lambda: program(tensor), calls), time_of(lambda: program(array), calls)
    print(f"microseconds of a call: {there:.0f} on the GPU, {here:.0f} on the host, {count} samples")


def check_all(gpu, model):
    plain, program = gensyn.compile(model), gensyn.compile(model, backend="cuda")
    check_inputs(gpu, program, plain)
    check_results(gpu, model)
    check_refusals(gpu, program, plain)
    check("the thread has no context of ours", gpu.current() is None)
    for count, calls in ((4, 20), (1000, 20)) if "Simulated" not in gpu.name() else ((4, 1),):
        measure(gpu, program, count, calls)
    check_torch(program, plain)


def main():
    gpu = Gpu()
    check_all(gpu, sys.argv[1])
    gc.collect()
    active = ctypes.c_int()
    gpu.close()
    gpu.check("cuDevicePrimaryCtxGetState", 0, ctypes.byref(ctypes.c_uint()), ctypes.byref(active))
    if "torch" not in sys.modules:
        check("the primary context is released", active.value == 0)
    return int(failures != 0)


if __name__ == "__main__":
    sys.exit(main())
