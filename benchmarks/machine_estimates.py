#!/usr/bin/env python3
"""The estimate of mappings against their simulation, over pairs of a program and a machine.

  machine_estimates.py GENSYN_RUN GENSYN_COMPARE_ESTIMATES [--models FOLDER] [--machines a100,...] [--keep FOLDER]
                       [--least 300] [--seconds 120] [--markdown FILE]

Programs are inference and gradients of the models in test/Inputs/cases, and inference of exported models of real size
in a folder (NAME-infer.onnx, as peers.py leaves them in its cache). Each is mapped to each machine; equal mappings to a
machine are one pair, whatever their models are called. A program that is not mapped, since the model is not there or
does not fit the machine, is a line that says why. Nothing in the estimate is fitted, so no pair is left out.

Ends with 1 if there are fewer pairs than --least, bytes of a memory or a launch differ, or errors of time are above
their bounds: the median 5 %, 95 % of them 15 %, the worst 25 %.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

CASES = Path(__file__).resolve().parent.parent / "test/Inputs/cases"
MACHINES = ["spinnaker2-chip", "spinnaker2-board", "xr-soc", "gap9", "ethos-u55-128", "ethos-u55-256", "stm32l4",
            "gensyn-block", "a100", "h100"]
MODELS = ["lenet", "resnet18", "squeezenet", "mobilenet-v3-large", "shufflenet", "unet", "lstm", "gru", "gpt2-small",
          "gpt2-124m", "bert-base", "vit-b-16"]
BATCHES = [1, 32]
BOUNDS = {"median": 0.05, "95 %": 0.15, "worst": 0.25}


class Program:
    """A model, a kind of program and sizes of dimensions, as gensyn-run takes them."""

    def __init__(self, name, model, kind, words):
        self.name, self.model, self.kind, self.words = name, model, kind, words

    def map(self, tool, machine, folder, seconds):
        """Returns the file with the mapping, or a string that says why there is none."""
        output = folder / f"{self.name}.{self.kind}.{machine}.gmap"
        if output.exists():
            return output
        command = [tool, "map", self.model, "--machine", machine, "--kind", self.kind, *self.words, "--quiet", "-o", output]
        try:
            done = subprocess.run(list(map(str, command)), capture_output=True, text=True, timeout=seconds)
        except subprocess.TimeoutExpired:
            return f"takes more than {seconds} s"
        lines = done.stderr.strip().splitlines()
        return output if done.returncode == 0 else lines[0] if lines else f"exits {done.returncode}"


def list_cases(folder):
    for facts_file in sorted(CASES.glob("*/case.json")):
        facts = json.loads(facts_file.read_text())
        case = facts_file.parent
        dims = facts.get("dims", {})
        sizes = [dims] if "batch" not in dims else [dims | {"batch": n} for n in sorted({dims["batch"], *BATCHES})]
        recipe = folder / f"{case.name}.json"
        if facts.get("loss"):
            recipe.write_text(json.dumps({key: facts[key] for key in ("loss", "frozen") if facts.get(key)}))
        for given in sizes:
            words = [f"--dim={name}={size}" for name, size in given.items()]
            name = "-".join([case.name, *(str(given[key]) for key in given if key == "batch")])
            yield Program(name, case / "model.onnx", "infer", words)
            if facts.get("loss"):
                yield Program(name, case / "model.onnx", "grad", [*words, "--recipe", recipe])


def list_models(folder):
    for name in MODELS:
        model = folder / f"{name}-infer.onnx"
        if model.exists():
            yield Program(name, model, "infer", ["--batch-size", "1"])
        else:
            print(f"skipped  {name}: no {model}")


def compare(tool, files):
    done = subprocess.run([tool, *map(str, files)], capture_output=True, text=True)
    for line in done.stderr.strip().splitlines():
        print(f"failed   {line}")
    return [json.loads(line) for line in done.stdout.splitlines()], done.returncode == 0


def error(row, key):
    found, expected = key(row["estimated"]), key(row["simulated"])
    return found / expected - 1 if expected else float(found != expected)


def quantiles(errors):
    """Of errors with names: median, 95th percentile, and worst with its name."""
    ordered = sorted((abs(value), value, name) for value, name in errors)
    at = [ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95, 1)]
    return {"median": at[0][0], "95 %": at[1][0], "worst": at[2][0]}, f"{at[2][1]:+.1%}, {at[2][2]}"


def same_bytes(row):
    def of(side):
        return side["bytes"], [launch[1:] for launch in side["launches"]]
    return of(row["simulated"]) == of(row["estimated"])


def table(rows):
    """Lines of Markdown: errors of time and of energy, of all pairs and by machine."""
    yield "| machine | pairs | time: median | 95 % | worst | energy: median | 95 % | worst |"
    yield "| --- | ---: | ---: | ---: | --- | ---: | ---: | --- |"
    for machine in ["all", *sorted({row["machine"] for row in rows})]:
        own = [row for row in rows if machine in ("all", row["machine"])]
        cells = []
        for key in (lambda side: side["picoseconds"], lambda side: side["energy"]["total"]):
            found, worst = quantiles([(error(row, key), Path(row["file"]).stem) for row in own])
            cells += [f"{found['median']:.2%}", f"{found['95 %']:.2%}", worst]
        yield f"| {machine} | {len(own)} | " + " | ".join(cells) + " |"


def speeds(rows):
    """A line for the slowest simulations."""
    for row in sorted(rows, key=lambda row: -row["events"])[:10]:
        ratio = row["simulation_seconds"] / row["estimate_seconds"]
        yield (f"speed    {Path(row['file']).stem}: {row['events']:,} events, simulation {row['simulation_seconds']:.2f} s, "
               f"estimate {row['estimate_seconds']:.3f} s, {ratio:.1f} times")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tool")
    parser.add_argument("compare")
    parser.add_argument("--models", type=Path)
    parser.add_argument("--machines", type=lambda text: text.split(","), default=MACHINES)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--least", type=int, default=300)
    parser.add_argument("--seconds", type=int, default=120)
    parser.add_argument("--markdown", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = given.keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        files = []
        for program in [*list_cases(folder), *(list_models(given.models) if given.models else [])]:
            for machine in given.machines:
                found = program.map(given.tool, machine, folder, given.seconds)
                if isinstance(found, Path):
                    files.append(found)
                else:
                    print(f"skipped  {program.name} {program.kind} on {machine}: {found}", flush=True)
        found, complete = compare(given.compare, files) if files else ([], True)
    rows = list({(row["machine"], row["digest"]): row for row in reversed(found)}.values())
    if not rows:
        sys.exit("0 pairs")
    lines = list(table(rows))
    print("\n".join([*speeds(rows), "", *lines, ""]))
    if given.markdown:
        given.markdown.write_text("\n".join(lines) + "\n")
    times, _ = quantiles([(error(row, lambda side: side["picoseconds"]), row["file"]) for row in rows])
    missed = [f"{name}: {times[name]:.2%}, the bound is {bound:.0%}" for name, bound in BOUNDS.items() if times[name] > bound]
    missed += [f"other bytes: {row['file']}" for row in rows if not same_bytes(row)]
    missed += [] if complete else ["a mapping failed"]
    missed += [f"{len(rows)} pairs, at least {given.least} are asked for"] if len(rows) < given.least else []
    print("\n".join(f"missed   {line}" for line in missed) or f"{len(rows)} pairs, all bounds are kept, bytes are equal")
    sys.exit(bool(missed))


if __name__ == "__main__":
    main()
