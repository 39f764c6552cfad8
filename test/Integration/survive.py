#!/usr/bin/env python3
"""Training runs that are killed, cut short and damaged, and go on.

  survive.py TOOL [--scratch FOLDER] [--kills N] [--flips N] [--seed N] [--disk]

Compiles a small model with dropout, and trains it with Adam on shuffled batches, a checkpoint each step. Then

- kill: as often as asked for, a run is killed (SIGKILL) at a random moment and goes on, again and again with the same
  folder until it is done, when a new one begins;
- flip: a random bit of a random file of the newest checkpoint is flipped, or the file is cut off or removed;
- limits: no file may grow beyond a limit (RLIMIT_FSIZE) that each of the larger ones meets;
- disk: a small tmpfs is full, at another place each time (--disk; in a namespace of mounts of its own).

Each time the folder has the bits of a run that nobody disturbed: parameters, checkpoints, curve, and the log but for its
seconds. One line of what was done; exit 1 where something else comes out.
"""

import argparse
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from safetensors import save  # noqa: E402

RECIPE = {"loss": {"kind": "mse"}, "optimizer": {"kind": "Adam", "lr": 0.01}, "epochs": 4, "batch_size": 8,
          "shuffle": True, "seed": 5}


def make_model(path, width):
    """x[n,4] -> Gemm -> Tanh -> Dropout that trains -> Gemm 1."""
    generator = np.random.default_rng(1)
    weights = {"w1": generator.normal(size=(4, width)), "b1": np.zeros(width), "w2": generator.normal(size=(width, 1)),
               "b2": np.zeros(1)}
    tensors = [numpy_helper.from_array(value.astype(np.float32), name) for name, value in weights.items()]
    tensors += [numpy_helper.from_array(np.array(0.25, np.float32), "ratio"),
                numpy_helper.from_array(np.array(True), "training")]
    nodes = [helper.make_node("Gemm", ["x", "w1", "b1"], ["h"], name="first"),
             helper.make_node("Tanh", ["h"], ["t"], name="tanh"),
             helper.make_node("Dropout", ["t", "ratio", "training"], ["d"], name="drop"),
             helper.make_node("Gemm", ["d", "w2", "b2"], ["y"], name="second")]
    graph = helper.make_graph(
        nodes, "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, ["n", 4])],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, ["n", 1])], tensors)
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8), path)


class Test:
    def __init__(self, tool, folder, seed, width=16, steps=None):
        self.tool = tool
        self.random = random.Random(seed)
        self.folder = folder
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        make_model(folder / "model.onnx", width)
        (folder / "recipe.json").write_text(json.dumps({**RECIPE, "frozen": ["b1"]}))
        generator = np.random.default_rng(2)
        x = generator.normal(size=(60, 4)).astype(np.float32)
        save(folder / "data.safetensors", {"x": x, "target": x[:, :1] * x[:, 1:2]})
        subprocess.run([tool, "compile", folder / "model.onnx", "--recipe", folder / "recipe.json", "--target", "cpu",
                        "--kind", "train,eval", "--batch-size", "8,4", "-o", folder / "model.gxe", "--quiet"],
                       check=True)
        self.command = [tool, "train", folder / "model.gxe", "--data", folder / "data.safetensors", "--eval-data",
                        folder / "data.safetensors", "--checkpoint-every", "1", "--threads", "1", "--keep", "3"]
        self.command += ["--steps", str(steps)] if steps else []
        begin = time.monotonic()
        self.run("plain", check=True)
        self.seconds = time.monotonic() - begin
        self.wanted = self.contents("plain")
        self.failures = []

    def start(self, name, *options, **keywords):
        return subprocess.Popen([*self.command, "-o", self.folder / name, *options], stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, text=True, **keywords)

    def run(self, name, *options, check=False, **keywords):
        process = self.start(name, *options, **keywords)
        out = process.communicate()[0]
        if check and process.returncode:
            sys.exit(f"exit {process.returncode}: {out}")
        return process.returncode, out

    def contents(self, name):
        """Everything in a run folder but how long it took, and when."""
        found = {}
        root = self.folder / name
        for path in sorted(root.rglob("*")):
            if path.is_file() and path.parent.name != "tensorboard":
                data = path.read_bytes()
                if path.name == "log.jsonl":
                    data = re.sub(rb',"seconds":[^}]*', b"", data)
                found[str(path.relative_to(root))] = data
        return found

    def check(self, name, what):
        found = self.contents(name)
        wrong = [file for file in {**found, **self.wanted} if found.get(file) != self.wanted.get(file)]
        if wrong:
            self.failures.append(f"{what}: others are {wrong}")

    def kill(self, times):
        """Kills runs, and lets them go on."""
        kills = runs = 0
        while kills < times:
            runs += 1
            shutil.rmtree(self.folder / "killed", ignore_errors=True)
            while True:
                process = self.start("killed", "--resume")
                # A few of the moments are after the end.
                try:
                    out = process.communicate(timeout=self.random.uniform(0, self.seconds * 0.6)
                                              if kills < times else None)[0]
                except subprocess.TimeoutExpired:
                    process.send_signal(signal.SIGKILL)
                    process.communicate()
                    kills += 1
                    continue
                if process.returncode:
                    self.failures.append(f"kill {kills}: exit {process.returncode}: {out}")
                break
            self.check("killed", f"kill {kills}")
        return f"{kills} kills in {runs} runs"

    def flip(self, times):
        """Damages the newest checkpoint of a run that was stopped."""
        shutil.rmtree(self.folder / "part", ignore_errors=True)
        self.run("part", "--steps", "13", check=True)
        refused = 0
        for number in range(times):
            shutil.rmtree(self.folder / "flipped", ignore_errors=True)
            shutil.copytree(self.folder / "part", self.folder / "flipped")
            place = self.folder / "flipped" / "checkpoints" / "step-13"
            path = self.random.choice(sorted(place.iterdir()))
            data = bytearray(path.read_bytes())
            kind = self.random.choice(["flip"] * 8 + ["cut", "remove"])
            if kind == "remove":
                path.unlink()
            elif kind == "cut":
                path.write_bytes(data[:self.random.randrange(len(data))])
            else:
                bit = self.random.randrange(8 * len(data))
                data[bit // 8] ^= 1 << bit % 8
                path.write_bytes(data)
            code, out = self.run("flipped", "--resume")
            what = f"{kind} {number} of {path.name}"
            named = re.search(r"warning: a checkpoint is refused: \S*step-13: .*" + re.escape(path.name), out)
            if code or not named or "step-12, after 12 steps" not in out:
                self.failures.append(f"{what}: exit {code}: {out}")
            refused += bool(named)
            self.check("flipped", what)
        # None is intact any more.
        for place in (self.folder / "part" / "checkpoints").iterdir():
            (place / "state.json").unlink()
        code, out = self.run("part", "--resume")
        if code != 3 or "none of its checkpoints is whole" not in out:
            self.failures.append(f"no checkpoint: exit {code}: {out}")
        return f"{refused} of {times} damaged checkpoints refused"

    def expect_clean_stop(self, name, what, code, out, reason):
        """Exit 5, the file's name, nothing half-written; then the run goes on with what there is."""
        root = self.folder / name
        whole = {"log.jsonl", "program.json", "curve.svg", "parameters.safetensors", "optimizer.safetensors",
                 "state.json", "B3SUMS", "commitments.jsonl"}
        half = [str(path.relative_to(root)) for path in root.rglob("*")
                if path.is_file() and path.parent.name != "tensorboard" and path.name not in whole]
        half += [name for name in ["log.jsonl", "commitments.jsonl"] if (root / name).exists()
                 and not ("\n" + (root / name).read_text()).endswith("\n")]
        if code != 5 or half or not re.search(rf"error: \S*/{name}\S*: cannot be \w+( to)?: {reason}", out):
            self.failures.append(f"{what}: exit {code}, left {half}: {out}")

    def limits(self):
        """Files that cannot grow beyond a limit. Kernels are loaded from one, so the model is a larger one."""
        test = Test(self.tool, self.folder / "wide", 1, width=20000, steps=4)
        stops = 0
        sizes = sorted({len(data) for data in test.wanted.values() if len(data) > 100000})
        for size in sizes:
            shutil.rmtree(test.folder / "full", ignore_errors=True)
            limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size - 1, resource.RLIM_INFINITY))
            code, out = test.run("full", preexec_fn=limit)
            test.expect_clean_stop("full", f"limit {size - 1}", code, out, "File too large")
            test.run("full", "--resume", check=True)
            test.check("full", f"limit {size - 1}")
            stops += 1
        self.failures += test.failures
        return f"{stops} limits of a file's size met"

    def disk(self):
        """A disk of so many pages, until the run fits; with more room each run goes on. In a namespace of mounts."""
        root = self.folder / "disk"
        root.mkdir(exist_ok=True)
        mount = lambda *words: subprocess.run(["mount", "-t", "tmpfs", *words, "none", root], check=True)
        mount("-o", "size=1m")
        stops = pages = 0
        while pages < 200:
            pages += 1
            shutil.rmtree(root / "full", ignore_errors=True)
            mount("-o", f"remount,size={4 * pages}k")
            code, out = self.run("disk/full")
            if code == 0:
                break
            stops += 1
            self.expect_clean_stop("disk/full", f"{pages} pages", code, out, "No space left on device")
            mount("-o", "remount,size=1m")
            self.run("disk/full", "--resume", check=True)
            self.check("disk/full", f"{pages} pages")
        subprocess.run(["umount", root], check=True)
        if stops < 5:
            self.failures.append(f"the disk was full {stops} times")
        return f"{stops} full disks"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("tool")
    parser.add_argument("--scratch", type=Path, help="default: one in memory, since disks that are busy flush slowly")
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--flips", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--disk", action="store_true")
    arguments = parser.parse_args()
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="gensyn-survive.", dir=memory) as scratch:
        test = Test(arguments.tool, (arguments.scratch or Path(scratch)) / "survive", arguments.seed)
        if arguments.disk:
            done = [test.disk()]
        else:
            done = [test.kill(arguments.kills), test.flip(arguments.flips), test.limits()]
    for failure in test.failures[:5]:
        print(failure)
    if test.failures:
        sys.exit(f"{len(test.failures)} failures")
    print(", ".join(done) + ": all as undisturbed")


if __name__ == "__main__":
    main()
