"""The sides that peers.py lets take turns: this project's programs, PyTorch's training and its inference on GPUs,
onnxruntime's inference on CPUs."""

import json
import math
import subprocess
import time

import torch
from torch.nn import functional

from gpt2_model import save_tensors

# A small step: after hundreds of steps on one batch neither side computes with numbers of another kind than at first.
ADAMW = {"lr": 1e-5, "betas": (0.9, 0.999), "eps": 1e-8, "weight_decay": 0.01}
WARM_UP = 3


def bench_command(tool, file, folder, kind, model, batch, threads, backend):
    """The command that measures a model on the inputs that the other side gets; `backend` has options of
    gensyn-run, and may be empty."""
    inputs = {"x": model.draw(batch)}
    command = [tool, "bench", file, "--kind", kind, "--batch", str(batch), "--threads", str(threads)]
    if kind == "train":
        inputs["target"] = model.targets(batch)
        recipe = folder / f"{model.name}-recipe.json"
        recipe.write_text(json.dumps(recipe_of(model)))
        command += ["--recipe", recipe]
    data = folder / f"{file.stem}-{kind}-{batch}.safetensors"
    save_tensors(data, inputs)
    return [*command, "--inputs", data, *backend]


class Ours:
    """A process of `gensyn-run bench --wait`."""

    def __init__(self, tool, file, folder, *case):
        self.command = [*bench_command(tool, file, folder, *case), "--warmup", str(WARM_UP), "--cache",
                        folder / "cache"]
        self.inputs = self.command[self.command.index("--inputs") + 1]
        self.process = subprocess.Popen([*self.command, "--wait"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True)
        self.ready = self.read()

    def read(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(self.process.stderr.read().strip().splitlines()[0] or "gensyn-run ended")
        return json.loads(line)

    def seconds(self, runs):
        """The fastest of a number of runs."""
        self.process.stdin.write(f"{runs}\n")
        self.process.stdin.flush()
        return self.read()["minimum"]

    def warm_up(self):
        return self.ready["losses"]

    def outputs(self):
        """The logits of the inputs, by the command that computes them once."""
        from safetensors.torch import load_file
        file = self.inputs.with_suffix(".out")
        command = [str(part) for part in self.command]
        for option in ("--kind", "--batch", "--warmup"):
            at = command.index(option)
            del command[at:at + 2]
        command[1] = "infer"
        done = subprocess.run([*command, "--outputs", file, "--quiet"], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr.strip().splitlines()[0])
        logits = load_file(file)["logits"]
        file.unlink()
        return logits

    def baseline_share(self):
        """The share of a run that kernels of the baseline schedule take, of a few runs that are not measured."""
        done = subprocess.run([*self.command, "--profile", "--json", "--repeat", "2"], capture_output=True, text=True,
                              check=False)
        for line in done.stdout.splitlines():
            row = json.loads(line)
            if row.get("event") == "profile":
                return row["baseline_seconds"] / row["seconds"]
        raise RuntimeError((done.stderr.strip().splitlines() or ["no profile"])[0])

    def end(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()
        self.inputs.unlink()


def recipe_of(model):
    recipe = {"loss": {"kind": "softmax_cross_entropy", "axis": model.axis}, "optimizer": {"kind": "AdamW", **ADAMW}}
    if any("BatchNorm" in type(part).__name__ for part in model.module().modules()):
        recipe["batch_norm"] = "train"
    return recipe


def use(device, threads):
    """Sets PyTorch up: sums in f32, as the other side has them, also where a GPU could take fewer bits."""
    torch.set_num_threads(threads)
    if device == "cuda":
        torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False


class Timed:
    """Runs in this process. Each run begins with inputs in the host's memory and ends with its result there."""

    def seconds(self, runs):
        best = math.inf
        for _ in range(runs):
            start = time.perf_counter()
            self.run()
            best = min(best, time.perf_counter() - start)
        return best

    def warm_up(self):
        return [self.run() for _ in range(WARM_UP)]

    def end(self):
        pass


class Trained(Timed):
    """Training steps of PyTorch, as it is called by default or compiled with a fused AdamW."""

    def __init__(self, model, batch, threads, compiled, device):
        use(device, threads)
        self.module = model.module().train().to(device)
        self.inputs, self.targets, self.axis = model.draw(batch), model.targets(batch), model.axis
        self.device = device
        self.optimizer = torch.optim.AdamW(self.module.parameters(), fused=compiled or None, **ADAMW)
        self.loss = torch.compile(self.eager_loss) if compiled else self.eager_loss

    def eager_loss(self, inputs, targets):
        logits = self.module(inputs)
        if self.axis == -1:
            logits, targets = logits.flatten(0, -2), targets.flatten()
        return functional.cross_entropy(logits, targets)

    def run(self):
        self.optimizer.zero_grad(set_to_none=True)
        loss = self.loss(self.inputs.to(self.device), self.targets.to(self.device))
        loss.backward()
        self.optimizer.step()
        return loss.item()


class Inferred(Timed):
    """Inference of PyTorch, as it is called by default or compiled."""

    def __init__(self, model, batch, threads, compiled, device):
        use(device, threads)
        module = model.module().eval().to(device)
        self.module = torch.compile(module) if compiled else module
        self.inputs, self.device = model.draw(batch), device

    def run(self):
        with torch.inference_mode():
            return self.module(self.inputs.to(self.device)).cpu()

    def outputs(self):
        return self.run()


class OnnxRuntime(Timed):
    def __init__(self, file, model, batch, threads):
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        self.session = onnxruntime.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        self.inputs = {"x": model.draw(batch).numpy()}

    def run(self):
        return self.session.run(None, self.inputs)

    def outputs(self):
        return torch.from_numpy(self.run()[0])
