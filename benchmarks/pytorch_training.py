#!/usr/bin/env python3
"""Training steps on a CPU beside PyTorch's, by turns in one run.

  pytorch_training.py GENSYN_RUN [--threads 1,2] [--rounds 8] [--models lenet,...]
                      [--compiled] [--instruction-set NAME]

Needs torch and onnx. Builds each model, exports it with torch.onnx.export, and
trains it on the same batches with both: forward pass, softmax cross-entropy,
backward pass, AdamW. Each round is a few dozen steps of `gensyn-run train`, then as
many of PyTorch's, with as many threads; a round's time is its fastest step, so that
other work on the machine hurts both alike and in few rounds. Prints the fastest step
of all rounds of each, their ratio, and the lowest and highest ratio of a round.
Eager is PyTorch as it is called by default; --compiled adds torch.compile with a
fused AdamW. Ends with 1 where a model is below the speed of eager PyTorch, or where
the losses say that it is not the same training.
"""

import argparse
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    import onnx
    import torch
    from torch.nn import functional
except ImportError:
    print("PyTorch with its ONNX exporter is not there: not measured")
    sys.exit(0)

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "examples" / "digits"))
from export_lenet import LeNet  # noqa: E402 (these need torch, too)
from gpt2_model import Gpt2, save_tensors  # noqa: E402

ADAMW = {"lr": 1e-3, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0.01}


class Case:
    def __init__(self, title, make, batch, steps):
        self.title, self.make, self.batch, self.steps = title, make, batch, steps


def digits(batch, steps):
    return torch.rand(batch * steps, 1, 8, 8), torch.randint(10, (batch * steps,))


def tokens(vocabulary, context):
    def draw(batch, steps):
        text = torch.randint(vocabulary, (batch * steps, context + 1))
        return text[:, :-1].contiguous(), text[:, 1:].contiguous()
    return draw


CASES = {
    "lenet": Case("LeNet, batch 32", lambda: (LeNet(), digits), 32, 100),
    "gpt2-small": Case("GPT-2, 2 layers of 64, 4 heads, batch 4 of 24",
                       lambda: (Gpt2(96, 24, 2, 64, 4), tokens(96, 24)), 4, 60),
    "gpt2-medium": Case("GPT-2, 4 layers of 256, 4 heads, batch 4 of 128",
                        lambda: (Gpt2(256, 128, 4, 256, 4), tokens(256, 128)), 4, 12),
}


class Ours:
    """`gensyn-run train`, which says how long each step took."""

    def __init__(self, given, folder, model, x, y, batch):
        self.folder = folder
        torch.onnx.export(model, (x[:batch],), str(folder / "model.onnx"), input_names=["x"],
                          output_names=["logits"], dynamo=True, external_data=False, verbose=False, optimize=False)
        # Unoptimized exports keep the parameters' names for initializers; the others are constants.
        trained = {name for name, _ in model.named_parameters()}
        constants = [tensor.name for tensor in onnx.load(folder / "model.onnx").graph.initializer
                     if tensor.name not in trained]
        recipe = {"loss": {"kind": "softmax_cross_entropy", "axis": -1}, "frozen": constants,
                  "optimizer": {"kind": "AdamW", **ADAMW}, "epochs": 1, "batch_size": batch}
        (folder / "recipe.json").write_text(json.dumps(recipe))
        save_tensors(folder / "data.safetensors", {"x": x, "target": y})
        self.command = [given.tool, "train", folder / "model.onnx", "--recipe", folder / "recipe.json", "--data",
                        folder / "data.safetensors", "-o", folder / "run", "--overwrite", "--json",
                        "--cache", folder / "cache"]
        if given.instruction_set:
            self.command += ["--instruction-set", given.instruction_set]

    def steps(self, threads, *more):
        """Losses and seconds of the steps, from the start of training."""
        done = subprocess.run([*self.command, "--threads", str(threads), *more],
                              capture_output=True, text=True, check=False)
        if done.returncode:
            sys.exit(f"gensyn-run: {done.stderr.strip()}")
        rows = [row for row in map(json.loads, done.stdout.splitlines()) if row.get("event") == "step"]
        return [row["loss"] for row in rows], [row["seconds"] for row in rows]


class Theirs:
    """PyTorch; every round starts from the same weights."""

    def __init__(self, model, x, y, batch, compiled):
        self.model, self.compiled = model, compiled
        self.start = {name: tensor.clone() for name, tensor in model.state_dict().items()}
        self.batches = list(zip(x.split(batch), y.split(batch)))

        def loss(x, y):
            logits = self.model(x)
            return functional.cross_entropy(logits.flatten(0, -2), y.flatten())
        self.loss = torch.compile(loss) if compiled else loss

    def steps(self, threads):
        torch.set_num_threads(threads)
        self.model.load_state_dict(self.start)
        optimizer = torch.optim.AdamW(self.model.parameters(), fused=self.compiled or None, **ADAMW)
        losses, seconds = [], []
        for x, y in self.batches:
            begin = time.perf_counter()
            optimizer.zero_grad(set_to_none=True)
            loss = self.loss(x, y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            seconds.append(time.perf_counter() - begin)
        return losses, seconds


def measure(case, given, folder):
    """A row of the table for each number of threads."""
    torch.manual_seed(0)
    model, draw = case.make()
    model.eval()  # nothing here drops or normalizes by its batch
    x, y = draw(case.batch, case.steps)
    ours = Ours(given, folder, model, x, y, case.batch)
    rivals = {"eager": Theirs(model, x, y, case.batch, False)}
    if given.compiled:
        rivals["compiled"] = Theirs(model, x, y, case.batch, True)
    rows = []
    for threads in given.threads:
        best, ratios = {}, {name: [] for name in rivals}
        for number in range(given.rounds + 1):  # the first one compiles
            losses, seconds = ours.steps(threads)
            fastest = {"ours": min(seconds)}
            for name, rival in rivals.items():
                expected, times = rival.steps(threads)
                fastest[name] = min(times)
                # Later steps diverge: roundings differ, and training amplifies the differences.
                off = max(abs(a - b) / abs(b) for a, b in zip(losses[:10], expected[:10]))
                if not off < 1e-4:
                    sys.exit(f"{case.title}: the losses differ by {off:.1e}: this is not the same training")
            if number == 0:
                continue
            for name, value in fastest.items():
                best[name] = min(best.get(name, math.inf), value)
                if name in ratios:
                    ratios[name].append(value / fastest["ours"])
        rows.append((case.title, threads, best, ratios))
    return rows


def processor():
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":")[1].strip()
    return "unknown processor"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--threads", type=lambda text: [int(part) for part in text.split(",")], default=[1, 2])
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--models", type=lambda text: text.split(","), default=list(CASES))
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--instruction-set")
    given = parser.parse_args()
    print(f"{processor()}, {os.cpu_count()} processors, PyTorch {torch.__version__}, fastest step of "
          f"{given.rounds} rounds by turns\n", flush=True)
    print("| model | threads | ours, ms | PyTorch | ms | speed / PyTorch | of a round |\n"
          "| --- | ---: | ---: | --- | ---: | ---: | ---: |", flush=True)
    behind = False
    for name in given.models:
        with tempfile.TemporaryDirectory() as folder:
            for title, threads, best, ratios in measure(CASES[name], given, Path(folder)):
                for rival, of_rounds in ratios.items():
                    ratio = best[rival] / best["ours"]
                    behind |= rival == "eager" and ratio < 1
                    print(f"| {title} | {threads} | {best['ours'] * 1e3:.2f} | {rival} | {best[rival] * 1e3:.2f} | "
                          f"{ratio:.2f} | {min(of_rounds):.2f} to {max(of_rounds):.2f} |", flush=True)
    return 1 if behind else 0


if __name__ == "__main__":
    sys.exit(main())
