#!/usr/bin/env python3
"""What commitments cost training runs and inferences: GPT-2 124M and LeNet, with and without, by turns.

  commitments.py GENSYN_RUN [--rounds 5] [--steps 40] [--checkpoint-every 20] [--tiny]

Needs PyTorch with onnxscript. Both runs write the same checkpoints; one also commits to their states (`--commit
checkpoint`), and a third one to the state after every step. Prints for each model the medians of the seconds of a run,
from its begin to its end without compiling, the largest and the median of the rounds' ratios, and what a commitment
takes. Then the same for `infer` and `generate` with GPT-2: the seconds of the whole process, with a warm cache.
"""

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import torch
from gpt2_model import Gpt2, save_tensors

ADAMW = {"kind": "AdamW", "lr": 3e-4, "weight_decay": 0.1}
DIGITS = Path(__file__).resolve().parent.parent / "examples" / "digits"


def make_gpt2(folder, steps, tiny):
    torch.manual_seed(0)
    sizes = (64, 16, 2, 32, 2) if tiny else (50257, 1024, 12, 768, 12)
    length = 16 if tiny else 128
    model = Gpt2(*sizes)
    tokens = torch.randint(0, sizes[0], (steps, length))
    torch.onnx.export(model, (tokens[:1],), folder / "gpt2.onnx", input_names=["tokens"], output_names=["logits"],
                      dynamo=True, optimize=False)
    recipe = {"loss": {"kind": "softmax_cross_entropy", "axis": -1}, "optimizer": ADAMW, "epochs": 1, "batch_size": 1}
    (folder / "gpt2.json").write_text(json.dumps(recipe))
    save_tensors(folder / "gpt2.safetensors", {"tokens": tokens, "target": tokens.roll(-1, 1)})
    return ["train", folder / "gpt2.onnx", "--recipe", folder / "gpt2.json", "--data", folder / "gpt2.safetensors"]


def make_lenet():
    return ["train", DIGITS / "lenet.onnx", "--recipe", DIGITS / "recipe.json", "--data", DIGITS / "train.safetensors"]


def seconds(tool, words, folder, when):
    """From the event "begin" to the end of the process."""
    words = [tool, *map(str, words), "-o", folder / "run", "--overwrite", "--json", "--cache", folder / "cache",
             "--commit", when]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    begin = None
    for line in process.stdout:
        if begin is None and json.loads(line)["event"] == "begin":
            begin = time.perf_counter()
    if process.wait():
        raise SystemExit(f"gensyn-run ends with exit code {process.returncode}")
    return time.perf_counter() - begin


def measure(name, tool, words, folder, rounds):
    ways = ("none", "checkpoint", "every")
    seconds(tool, words, folder, "none")  # compiles
    times = {way: [] for way in ways}
    for round_ in range(rounds):
        for way in ways if round_ % 2 == 0 else reversed(ways):
            times[way].append(seconds(tool, words, folder, way))
    points = {}
    middle = {way: statistics.median(times[way]) for way in ways}
    line = f"{name}: {middle['none']:.2f} s without"
    for way in ways[1:]:
        seconds(tool, words, folder, way)
        points[way] = sum(1 for _ in open(folder / "run" / "commitments.jsonl"))
        ratios = [a / b for a, b in zip(times[way], times["none"])]
        each = (middle[way] - middle["none"]) / points[way]
        line += (f"; {way}: {middle[way]:.2f} s, {statistics.median(ratios):.3f} times, at most {max(ratios):.3f},"
                 f" {1000 * each:.1f} ms for each of {points[way]}")
    print(line, flush=True)


def measure_inference(name, tool, words, folder, rounds):
    words = [tool, *map(str, words), "--quiet", "--cache", folder / "cache"]
    times = {True: [], False: []}
    subprocess.run(words, check=True)  # compiles
    for round_ in range(rounds):
        for commits in (False, True) if round_ % 2 == 0 else (True, False):
            begin = time.perf_counter()
            subprocess.run([*words, *(["--commit", folder / "commitment"] if commits else [])], check=True)
            times[commits].append(time.perf_counter() - begin)
    ratios = [a / b for a, b in zip(times[True], times[False])]
    print(f"{name}: {statistics.median(times[False]):.2f} s without, {statistics.median(times[True]):.2f} s with a "
          f"commitment, {statistics.median(ratios):.3f} times, at most {max(ratios):.3f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=40)
    parser.add_argument("--checkpoint-every", type=int, default=20)
    parser.add_argument("--tiny", action="store_true", help="a GPT-2 of two layers, to try the script")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        often = ["--checkpoint-every", given.checkpoint_every]
        measure("LeNet", given.tool, [*make_lenet(), "--checkpoint-every", "100"], folder, given.rounds)
        gpt2 = make_gpt2(folder, given.steps, given.tiny)
        measure("GPT-2", given.tool, [*gpt2, *often], folder, given.rounds)
        tokens = torch.arange(16 if given.tiny else 128).reshape(1, -1)
        save_tensors(folder / "tokens.safetensors", {"tokens": tokens})
        save_tensors(folder / "prompt.safetensors", {"tokens": tokens[0, :4].contiguous()})
        measure_inference("GPT-2 infer", given.tool,
                          ["infer", gpt2[1], "--inputs", folder / "tokens.safetensors", "--outputs", folder / "logits"],
                          folder, given.rounds)
        measure_inference("GPT-2 generate, 8 tokens", given.tool,
                          ["generate", gpt2[1], "--prompt-tokens", folder / "prompt.safetensors", "--tokens", "8"],
                          folder, given.rounds)


if __name__ == "__main__":
    main()
