#!/usr/bin/env python3
"""A training step of GPT-2 124M against PyTorch's compiled one, in f32.

  gpu_gpt2.py GENSYN_RUN [--device cpu] [--tiny]

Needs PyTorch with onnxscript, and a GPU; where one is missing it says so and ends
with 0. Exports the model (random weights), compiles it once to a package, and
then runs both by turns on the same batches: `gensyn-run train --backend cuda` and
torch.compile with TF32 off and AdamW fused. Prints the medians of the steps'
times and of the rounds' ratios, and compares the losses; ends with 1 where the
ratio is below 0.85 on a GPU. --device cpu --tiny tries it without one.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

try:
    import torch
    from torch.nn import functional
except ImportError:
    print("no PyTorch: not measured")
    sys.exit(0)

from gpt2_model import Block, Gpt2, save_tensors  # noqa: E402 (needs torch, too)

GOAL = 0.85
ADAMW = {"lr": 3e-4, "betas": (0.9, 0.95), "eps": 1e-8, "weight_decay": 0.1}


class PermutedBlock(Block):
    """Finds the heads by one permutation."""

    def split_heads(self, qkv, shape):
        batch, length, heads, size = shape
        return qkv.reshape(batch, length, 3, heads, size).permute(2, 0, 3, 1, 4).unbind(0)


class Ours:
    def __init__(self, tool, folder, model, tokens, targets, on_gpu):
        self.tool, self.folder, self.on_gpu = tool, folder, on_gpu
        torch.onnx.export(model, (tokens[0],), folder / "gpt2.onnx", input_names=["tokens"],
                          output_names=["logits"], dynamo=True, optimize=False)
        batch = tokens.shape[1]
        recipe = {"loss": {"kind": "softmax_cross_entropy", "axis": -1},
                  "optimizer": {"kind": "AdamW", **ADAMW}, "epochs": 1, "batch_size": batch}
        (folder / "recipe.json").write_text(json.dumps(recipe))
        save_tensors(folder / "data.safetensors", {"tokens": tokens.flatten(0, 1), "target": targets.flatten(0, 1)})

    def steps(self):
        """Losses and seconds of the steps, from the start of training."""
        done = subprocess.run(
            [self.tool, "train", self.folder / "gpt2.onnx", "--recipe", self.folder / "recipe.json", "--data",
             self.folder / "data.safetensors", "-o", self.folder / "run", "--overwrite", "--json",
             "--backend", "cuda" if self.on_gpu else "cpu", "--cache", self.folder / "cache"],
            capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"gensyn-run: {done.stderr.strip()}")
        rows = [row for row in map(json.loads, done.stdout.splitlines()) if row["event"] == "step"]
        return [row["loss"] for row in rows], [row["seconds"] for row in rows]


class Theirs:
    def __init__(self, model, tokens, targets, device):
        self.model, self.device = model.to(device), device
        self.start = {name: tensor.clone() for name, tensor in self.model.state_dict().items()}
        self.batches = list(zip(tokens.to(device), targets.to(device)))
        self.loss = torch.compile(lambda x, y: functional.cross_entropy(self.model(x).flatten(0, 1), y.flatten()))

    def wait(self):
        if self.device == "cuda":
            torch.cuda.synchronize()

    def steps(self):
        self.model.load_state_dict(self.start)
        optimizer = torch.optim.AdamW(self.model.parameters(), fused=self.device == "cuda", **ADAMW)
        losses, seconds = [], []
        for x, y in self.batches:
            self.wait()
            begin = time.perf_counter()
            optimizer.zero_grad(set_to_none=True)
            loss = self.loss(x, y)
            loss.backward()
            optimizer.step()
            losses.append(loss.item())  # waits, as gensyn-run does for its loss
            seconds.append(time.perf_counter() - begin)
        return losses, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    parser.add_argument("--tiny", action="store_true", help="two layers of 32, to try the script")
    given = parser.parse_args()
    on_gpu = given.device == "cuda"
    if on_gpu and not torch.cuda.is_available():
        print("PyTorch sees no GPU: not measured")
        return 0
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    torch.set_float32_matmul_precision("highest")
    torch.manual_seed(0)
    sizes = (64, 16, 2, 32, 2) if given.tiny else (50257, 1024, 12, 768, 12)
    batch, steps, rounds = (2, 6, 2) if given.tiny else (4, 20, 5)
    model = Gpt2(*sizes, block=PermutedBlock)
    text = torch.randint(sizes[0], (steps, batch, sizes[1] + 1))
    tokens, targets = text[..., :-1].contiguous(), text[..., 1:].contiguous()
    with tempfile.TemporaryDirectory() as folder:
        ours = Ours(given.tool, Path(folder), model, tokens, targets, on_gpu)
        theirs = Theirs(model, tokens, targets, given.device)
        times = []
        for number in range(rounds + 1):  # the first one compiles
            a, b = ours.steps(), theirs.steps()
            off = max(abs(x - y) / abs(y) for x, y in zip(a[0], b[0]))
            if not off < 1e-3:
                sys.exit(f"the losses differ by {off:.1e}: this is not the same training")
            if number:
                times.append(tuple(statistics.median(seconds[steps // 2:]) for _, seconds in (a, b)))
    ratio = statistics.median(b / a for a, b in times)
    mine, other = (statistics.median(column) for column in zip(*times))
    name = torch.cuda.get_device_name() if on_gpu else "CPU: tried, not measured"
    print(f"GPT-2, {sum(p.numel() for p in model.parameters()):,} parameters, {batch} x {sizes[1]} tokens, f32, {name}, "
          f"PyTorch {torch.__version__}")
    print(f"ours {mine * 1e3:.1f} ms, PyTorch {other * 1e3:.1f} ms a step: speed / PyTorch {ratio:.3f}, goal >= {GOAL}; "
          f"losses within {off:.0e}")
    return int(on_gpu and not ratio >= GOAL)


if __name__ == "__main__":
    sys.exit(main())
