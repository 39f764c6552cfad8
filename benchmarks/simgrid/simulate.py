#!/usr/bin/env python3
"""Simulates the exchange of sums of a training step on clusters that platforms.py describes, and
prints a table. Finished simulations are kept in a file of JSON lines and not run again.

    simulate.py build/release/benchmarks/gensyn-simulate-ranks --results FILE [--ranks 8 64 256 1024]
        [--models gpt2 llama3-8b] [--clusters ethernet ndr islands] [--limit SECONDS]
        [--options "--bucket 8e6"]
"""

import argparse
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile
import time

import platforms

# A rank computes 40 Tflop/s in f32, 60 % of an H200's 67 (NVIDIA's data sheet), and its memory moves 4.8 TB/s
# (the same). A call of the transport takes 0.6 us: docs/ManyMachines.md has 5.4 us for four messages, each
# with a send and a receive. A question whether a transfer is done takes 30 ns (assumed).
COSTS = ["--rate", "40e12", "--memory", "4.8e12", "--call", "0.6e-6", "--test", "30e-9"]
# Latency and bandwidth as the platform says, without a factor for TCP; times of less than 10 us count.
SIMGRID = ["--cfg=network/model:CM02", "--cfg=network/TCP-gamma:0", "--cfg=surf/precision:1e-9",
           "--log=root.thres:critical"]
# Microbatches of a step for strong scaling.
MICROBATCHES = 1024


def simulate(program, folder, key, limit):
    cluster, model, ranks, options = key
    command = [program, *SIMGRID, "--platform", str(folder / f"{cluster}.xml"), "--model", model, "--ranks", str(ranks),
               *COSTS, *shlex.split(options)]
    start = time.monotonic()
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return {"cluster": cluster, "model": model, "ranks": ranks, "options": options, "limit": limit}
    if done.returncode:
        sys.exit(f"simulate.py: error: {shlex.join(command)}: {done.stderr.strip().splitlines()[:1]}")
    return {"cluster": cluster, "options": options, "host_seconds": round(time.monotonic() - start, 1),
            **json.loads(done.stdout)}


def efficiency(compute, exposed, microbatches=1):
    """The share of a step in which a rank computes. Only the last microbatch's sums travel."""
    return 100 * compute * microbatches / (compute * microbatches + exposed)


def row(own, ring):
    cells = [own["cluster"], own["model"], str(own["ranks"])]
    if "exposed" not in own:
        return cells + [f"not done after {own['limit']} s"] + [""] * 6
    compute, exposed = own["compute"], own["exposed"]
    cells += [f"{1e3 * compute:.0f}", f"{1e3 * exposed:.1f}",
              f"{1e3 * own['gathered']:.1f}" if own.get("gathered") else "",
              f"{efficiency(compute, exposed):.1f}",
              f"{efficiency(compute, exposed, MICROBATCHES / own['ranks']):.1f}",
              f"{own['bytes'] / own['bound']:.4f}"]
    known = ring is not None and "exposed" in ring
    return cells + [f"{1e3 * ring['exposed']:.1f}" if known else ""]


def table(lines, options):
    # Sums are everywhere, or, with --sharded, at the ranks that need them, which then send new parameters.
    print("| cluster | model | ranks | compute, ms | sums, ms after it | then parameters, ms | weak, % | strong, % "
          "| bytes / bound | ring, ms after it |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for line in lines:
        if line["options"] != options:
            continue
        ring = [other for other in lines if all(other[key] == line[key] for key in ("cluster", "model", "ranks")) and
                other["options"] == "--network queues --ring"]
        print("| " + " | ".join(row(line, ring[0] if ring else None)) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--results", type=pathlib.Path, required=True)
    parser.add_argument("--ranks", type=int, nargs="*", default=[8, 64, 256, 1024])
    parser.add_argument("--models", nargs="*", default=["gpt2", "llama3-8b"])
    parser.add_argument("--clusters", nargs="*", default=["ethernet", "ndr", "islands"])
    parser.add_argument("--limit", type=float, default=600, help="seconds of a simulation")
    parser.add_argument("--options", default="--network queues", help="of the program")
    arguments = parser.parse_args()
    lines = []
    if arguments.results.exists():
        lines = [json.loads(line) for line in arguments.results.read_text(encoding="utf-8").splitlines()]
    known = {(line["cluster"], line["model"], line["ranks"], line["options"]) for line in lines}
    with tempfile.TemporaryDirectory() as folder, arguments.results.open("a", encoding="utf-8") as file:
        platforms.write(pathlib.Path(folder))
        for model in arguments.models:
            for ranks in arguments.ranks:
                for cluster in arguments.clusters:
                    key = (cluster, model, ranks, arguments.options)
                    if key in known:
                        continue
                    lines.append(simulate(arguments.program, pathlib.Path(folder), key, arguments.limit))
                    file.write(json.dumps(lines[-1]) + "\n")
                    file.flush()
    table(lines, arguments.options)


if __name__ == "__main__":
    main()
