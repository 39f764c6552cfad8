#!/usr/bin/env python3
"""3x3 convolutions beside PyTorch's, one thread, by turns in one run.

  pytorch_convolution.py BUILD [ROUNDS]

BUILD is the build folder (BUILD/benchmarks/gensyn-bench-cpu). Each round runs
gensyn-bench-cpu for a few repetitions, then PyTorch on the same shapes; the best
processor time of all rounds is what counts, so that other work on the machine
hurts both alike. Ends with 1 where a ratio is below 0.7. Needs torch.
"""

import re
import subprocess
import sys
import time

import torch

# (batch, channels in, channels out, extent), as gensyn-bench-cpu prints them.
SHAPES = [(8, 64, 64, 56), (8, 128, 128, 28), (8, 256, 256, 14), (32, 16, 32, 8)]
REPETITIONS = 5
LOWEST = 0.7


def gensyn_rates(build):
    """GFLOP/s of each convolution row, in the order of SHAPES."""
    done = subprocess.run([f"{build}/benchmarks/gensyn-bench-cpu", str(REPETITIONS)],
                          capture_output=True, text=True, check=False)
    rows = re.findall(r"^\| 3x3,[^|]*\|\s*([0-9.]+) \|", done.stdout, re.M)
    if len(rows) != len(SHAPES):
        sys.exit(f"gensyn-bench-cpu printed {len(rows)} convolutions, expected {len(SHAPES)}")
    return [float(row) for row in rows]


def torch_rate(batch, channels_in, channels_out, extent):
    x = torch.randn(batch, channels_in, extent, extent)
    w = torch.randn(channels_out, channels_in, 3, 3)
    best = float("inf")
    with torch.inference_mode():
        for _ in range(REPETITIONS + 1):  # the first one prepares
            start = time.process_time()
            torch.nn.functional.conv2d(x, w, padding=1)
            best = min(best, time.process_time() - start)
    return 2e-9 * batch * channels_out * extent * extent * channels_in * 9 / best


def main():
    build, rounds = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 6
    torch.set_num_threads(1)
    ours, theirs = [0.0] * len(SHAPES), [0.0] * len(SHAPES)
    for _ in range(rounds):
        ours = [max(pair) for pair in zip(ours, gensyn_rates(build))]
        theirs = [max(pair) for pair in zip(theirs, (torch_rate(*shape) for shape in SHAPES))]
    print(f"PyTorch {torch.__version__}, one thread, best of {rounds * REPETITIONS}\n")
    print("| convolution | GFLOP/s | PyTorch | ratio |\n| --- | ---: | ---: | ---: |")
    for (batch, channels_in, channels_out, extent), a, b in zip(SHAPES, ours, theirs):
        print(f"| 3x3, {batch} x {channels_in} to {channels_out} channels, {extent}x{extent} "
              f"| {a:.1f} | {b:.1f} | {a / b:.2f} |")
    return 0 if all(a >= LOWEST * b for a, b in zip(ours, theirs)) else 1


if __name__ == "__main__":
    sys.exit(main())
