#!/usr/bin/env python3
"""Compares and measures on a machine with a GPU, from an unpacked kit (gpu_kit.py):

  gpu_session.py OUT [--steps cases,examples,...] [--models gpt2-124m,...] [--eager] [--again]
  gpu_session.py OUT --record FILE

Runs the steps that OUT/results.json does not have yet, each within its limit, and writes their results there as they
end; OUT/STEP.txt has what a step printed. Ends with 1 if bits differ or a step fails. Steps whose tools are missing
(PyTorch, compute-sanitizer) say so. --record writes digests of the cases' results on this CPU instead.

  machine    the GPU, its driver and clocks
  cases      outputs, gradients and training runs of all cases, and functions, orders and conversions of special values:
             digests of the machine that packed the kit
  examples   LeNet for 20 epochs, and the small GPT-2 for 930 steps with gradients clipped: the recorded digests
  random     random programs, beside the reference interpreter
  sanitizer  compute-sanitizer on gradients: memory, races
  kernels    gensyn-bench-gpu: beside cuBLAS, copies, libdevice and CUB
  models     peers.py --device cuda: training steps beside PyTorch
  dlpack     gpu_dlpack.py: programs of the Python package on tensors in the GPU's memory
  gpt2       gpu_gpt2.py: a step of GPT-2 124M beside a compiled one, and the times of its kernels
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KIT = Path(__file__).resolve().parents[1]
TOOL = KIT / "bin/gensyn-run"
sys.path[:0] = [str(KIT / "test/Integration/KnownResults"), str(KIT / "test/lib/Python")]
MODELS = "gpt2-124m,resnet50,bert-base"  # of the step models


def environment():
    paths = [str(KIT / "libraries"), "/usr/local/cuda/lib64", os.environ.get("LD_LIBRARY_PATH", "")]
    try:  # cuBLAS of PyTorch's packages
        import nvidia
        paths[1:1] = [str(path) for root in nvidia.__path__ for path in sorted(Path(root).glob("*/lib"))]
    except ImportError:
        pass
    return {**os.environ, "LD_LIBRARY_PATH": ":".join(filter(None, paths)), "PYTHONUNBUFFERED": "1"}


class Step:
    """A step in progress: its log and its end."""

    def __init__(self, out, name, seconds, models, compiled):
        self.log = open(out / f"{name}.txt", "w+", errors="replace")
        self.end, self.failed, self.facts = time.monotonic() + seconds, False, {}
        self.models, self.compiled = models, compiled

    def left(self):
        return max(1.0, self.end - time.monotonic())

    def run(self, *words):
        """The output of a command, which is logged as it comes; what there is of it after the step's time."""
        begin = self.log.seek(0, os.SEEK_END)
        try:
            done = subprocess.run([str(word) for word in words], stdout=self.log, stderr=subprocess.STDOUT,
                                  timeout=self.left(), check=False)
            self.failed |= done.returncode != 0
        except subprocess.TimeoutExpired:
            self.failed = True
        self.log.seek(begin)
        text = self.log.read()
        if self.left() <= 1:
            print("ended by the step's limit", file=self.log)
        return text

    def expect(self, what, found, wanted):
        """Records whether two lists are equal."""
        differ = sum(a != b for a, b in zip(found, wanted)) + abs(len(found) - len(wanted))
        self.facts[what] = f"{len(wanted) - differ} of {len(wanted)} equal"
        self.failed |= differ != 0 or not wanted


def digests_of(case, way):
    """Digest of each result of a case."""
    from run_cases import Case
    with tempfile.TemporaryDirectory() as scratch:
        runs = Case(TOOL, KIT / "cases" / case, Path(scratch))
        found = {}
        for part in runs.facts.get("parts", ("infer", "grad", "train")):
            for name, array in getattr(runs, part)(way).items():
                kind = f"{array.dtype} {array.shape}".encode()
                found[f"{part} {name}"] = hashlib.sha256(kind + array.tobytes()).hexdigest()
        return found


def all_digests(way):
    names = sorted(folder.name for folder in (KIT / "cases").iterdir())
    with ThreadPoolExecutor(max(1, (os.cpu_count() or 2) // 2)) as pool:
        return dict(zip(names, pool.map(lambda name: digests_of(name, way), names)))


def machine(step):
    if not shutil.which("nvidia-smi"):
        step.facts["GPU"] = "no nvidia-smi"
        return
    step.facts["GPU"] = step.run("nvidia-smi", "--format=csv,noheader", "--query-gpu=name,driver_version,"
                                 "clocks.max.sm,clocks.max.mem,power.limit,memory.total").strip()


def cases(step):
    wanted = json.loads((KIT / "digests.json").read_text())
    found = all_digests("--backend=cuda")
    for case, results in wanted.items():
        for name, digest in results.items():
            if found[case].get(name) != digest:
                print(f"differs: {case} {name}", file=step.log)
    pairs = [(found[case].get(name), digest) for case, results in wanted.items() for name, digest in results.items()]
    step.expect("results of cases", *map(list, zip(*pairs)))


def train(step, folder, *options):
    """The digests of an example's training."""
    source = KIT / "examples" / folder
    with tempfile.TemporaryDirectory() as run:
        text = step.run(TOOL, "train", *source.glob("*.onnx"), "--recipe", source / "recipe.json", "--data",
                        source / "train.safetensors", "-o", Path(run) / "run", "--backend", "cuda", "--json", *options)
    rows = [json.loads(line) for line in text.splitlines() if line.startswith("{")]
    begin = [row for row in rows if row["event"] == "begin"]
    epochs = [row["parameters"] for row in rows if row["event"] == "epoch"]
    return [digest for row in begin for digest in (row["program_digest"], row["initial_parameters"])] + epochs


def examples(step):
    recorded = json.loads((KIT / "examples/digits/expected.json").read_text())
    step.expect("LeNet's digests", train(step, "digits"), [recorded["program"], recorded["parameters_at_start"],
                                                           *recorded["parameters_after_epoch"]])
    found = train(step, "text", "--sequence-length", "64")
    recorded = (KIT / "examples/text/expected.txt").read_text().split()
    step.expect("the small GPT-2's digests", [*found[:1], *found[-1:]], recorded[:2])


def random(step):
    tool = KIT / "bin/gensyn-random-programs"
    text = step.run(tool, "--target", "cuda:sm_90", "--count", "100000", "--seconds", str(int(step.left() / 2)),
                    "--jobs", str(max(1, (os.cpu_count() or 2) // 3)))
    step.facts["random programs"] = (text.strip().splitlines() or ["nothing"])[-1]


def sanitizer(step):
    if not shutil.which("compute-sanitizer"):
        step.facts["sanitizer"] = "no compute-sanitizer: not run"
        return
    for case in ("lenet-digits", "gpt2-tiny-dynamo", "resnet-tiny"):
        folder = KIT / "cases" / case
        facts = json.loads((folder / "case.json").read_text())
        with tempfile.TemporaryDirectory() as scratch:
            recipe = Path(scratch) / "recipe.json"
            recipe.write_text(json.dumps({key: facts[key] for key in ("loss", "frozen") if facts.get(key)}))
            dims = [f"--dim={name}={value}" for name, value in facts.get("dims", {}).items()]
            for kind in ("memcheck", "racecheck"):
                step.run("compute-sanitizer", "--tool", kind, "--error-exitcode", "1", TOOL, "grad",
                         folder / "model.onnx", "--recipe", recipe, "--inputs", folder / "inputs.safetensors",
                         "--outputs", Path(scratch) / "y", "--backend", "cuda", "--cache", Path(scratch) / kind, *dims)
    step.facts["sanitizer"] = "findings" if step.failed else "no findings"


def kernels(step):
    text = step.run(KIT / "benchmarks/gensyn-bench-gpu", "--programs", KIT / "benchmarks/gpu")
    step.facts["kernels"] = [line for line in text.splitlines() if line.startswith("| ")]
    step.failed = "DIFFERENT" in text or "FAILED" in text  # a goal that is missed is a figure


def dlpack(step):
    text = step.run(sys.executable, KIT / "benchmarks/gpu_dlpack.py", KIT / "examples/digits/lenet.onnx")
    lines = text.strip().splitlines()
    good = sum(line.startswith("ok") for line in lines)
    checks = good + sum(line.startswith("FAILED") for line in lines)
    step.facts["dlpack"] = f"{good} of {checks} checks"
    step.facts["calls"] = [line for line in lines if not line.startswith("ok")]


def models(step):
    text = step.run(sys.executable, KIT / "benchmarks/peers.py", TOOL, "--device", "cuda", "--kinds", "train",
                    "--models", step.models, "--batches", "8", "--threads", "8", "--rounds", "3", "--seconds", "0.3",
                    *step.compiled)
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    step.facts["models"] = rows or text.strip().splitlines()[-1:]
    step.failed = not rows or "not measured" in text  # a goal that is missed is a figure


def gpt2(step):
    text = step.run(sys.executable, KIT / "benchmarks/gpu_gpt2.py", TOOL)
    step.facts["gpt2"] = text.strip().splitlines()[-2:]
    step.failed = "losses" not in text


# The limit of a step in seconds; together 15 minutes.
STEPS = {machine: 10, cases: 90, examples: 60, random: 60, sanitizer: 60, kernels: 90, dlpack: 30, models: 300, gpt2: 200}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--steps", help="names, with commas; default: all")
    parser.add_argument("--models", default=MODELS, help="of peer_models.py, with commas")
    parser.add_argument("--eager", action="store_true", help="models beside PyTorch as it is, not compiled")
    parser.add_argument("--again", action="store_true", help="also those that have results")
    parser.add_argument("--record", type=Path)
    given = parser.parse_args()
    os.environ.update(environment())
    if given.record:
        given.record.write_text(json.dumps(all_digests("--backend=cpu"), indent=1) + "\n")
        return 0
    given.out.mkdir(parents=True, exist_ok=True)
    file = given.out / "results.json"
    results = json.loads(file.read_text()) if file.exists() else {}
    wanted = given.steps.split(",") if given.steps else [step.__name__ for step in STEPS]
    failed = False
    for function, seconds in STEPS.items():
        name = function.__name__
        if name not in wanted or (name in results and not given.again):
            continue
        step, start = Step(given.out, name, seconds, given.models, [] if given.eager else ["--compiled"]), time.monotonic()
        try:
            function(step)
        except Exception as error:  # of whatever kind: the other steps still run
            step.failed, step.facts["error"] = True, str(error)[:500]
        results[name] = {"ok": not step.failed, "seconds": round(time.monotonic() - start, 1), **step.facts}
        file.write_text(json.dumps(results, indent=1) + "\n")
        print(f"{'ok    ' if not step.failed else 'FAILED'} {name}, {results[name]['seconds']} s: "
              + "; ".join(str(fact) for fact in step.facts.values() if not isinstance(fact, list)), flush=True)
        for fact in step.facts.values():
            if isinstance(fact, list):
                print("\n".join(fact), flush=True)
        failed |= step.failed
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
