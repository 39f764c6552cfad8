"""Measures one model for peers.py, in a process of its own: prints a line of JSON for each row.

The sides are compared before they are measured. The tolerances are those of f32 with rounding unit u = 2^-24. Each
side adds the products of a layer in an order of its own; for n products of independent roundings the relative error
of a sum grows like sqrt(n) u, with n up to 4,608 here 4e-6, and over the 10 to 120 layers one behind another like the
square root of their number, to 4e-5. Norms and exponentials amplify it by a small factor, so outputs may differ by
OUTPUTS of the largest one. A loss is a mean of differences of outputs, so the first losses may differ by LOSSES.
AdamW divides a gradient by its magnitude, so where a gradient is hardly more than its error, the steps of a parameter
may differ in sign. If such parameters make a share p of what a step gains, the losses after it differ by 2 p of their
change since the first one. Gradients through fifty normalizations over few samples lose two or three of seven digits:
PyTorch's own losses of ResNet-50 in f32 differ from those in f64 by 0.3 % to 1 % of the change in the second and third
step, and between two memory layouts by 0.4 %. STEPS is five times as much.
"""

import argparse
import gc
import json
import sys
import time
from pathlib import Path

from peer_catalog import ALL
from peer_export import export
from peer_sides import Inferred, Ours, OnnxRuntime, Trained

OUTPUTS = 1e-4
LOSSES = 1e-4
STEPS = 5e-2
# The idle threads of the side that had the last turn spin for a while.
PAUSE = 0.05


def compare_losses(ours, theirs):
    off = abs(ours[0] - theirs[0]) / abs(theirs[0])
    later = max(abs(a - b) - LOSSES * abs(b) - STEPS * abs(b - theirs[0]) for a, b in zip(ours, theirs))
    if not (off <= LOSSES and later <= 0):
        raise RuntimeError(f"losses {ours} and {theirs}: this is not the same training")
    return off


def compare_outputs(ours, theirs):
    off = float((ours - theirs).abs().max() / theirs.abs().max())
    if not off <= OUTPUTS:
        raise RuntimeError(f"outputs differ by {off:.1e} of the largest: this is not the same model")
    return off


def take_turns(ours, rivals, rounds, seconds):
    """The fastest run of each, and for each rival the ratios of the rounds."""
    slowest = max(side.seconds(1) for side in [ours, *rivals.values()])
    runs = max(1, min(100, int(seconds / slowest)))
    best, ratios = {}, {name: [] for name in rivals}
    for _ in range(rounds):
        time.sleep(PAUSE)
        mine = ours.seconds(runs)
        best["ours"] = min(best.get("ours", mine), mine)
        for name, rival in rivals.items():
            time.sleep(PAUSE)
            other = rival.seconds(runs)
            best[name] = min(best.get(name, other), other)
            ratios[name].append(other / mine)
    return best, ratios


def measure(given, model, batch, threads):
    """Rows of one batch and number of threads."""
    file = export(given.model, model, given.cache, batch, given.kind)
    backend = ["--backend", given.device]
    if given.instruction_set:
        backend += ["--instruction-set", given.instruction_set]
    ours = Ours(given.tool, file, given.cache, given.kind, model, batch, threads, backend)
    try:
        if given.kind == "infer" and given.device == "cpu":
            rivals = {"onnxruntime": OnnxRuntime(file, model, batch, threads)}
        else:
            kind = Trained if given.kind == "train" else Inferred
            rivals = {"eager": kind(model, batch, threads, False, given.device)}
            if given.compiled:
                rivals["compiled"] = kind(model, batch, threads, True, given.device)
        if given.kind == "train":
            off = max(compare_losses(ours.warm_up(), rival.warm_up()) for rival in rivals.values())
        else:
            outputs = ours.outputs()
            off = max(compare_outputs(outputs, rival.outputs()) for rival in rivals.values())
        best, ratios = take_turns(ours, rivals, given.rounds, given.seconds)
        baseline = ours.baseline_share()
    finally:
        ours.end()
    for name, of_rounds in ratios.items():
        yield {"rival": name, "ours": best["ours"], "theirs": best[name], "ratio": best[name] / best["ours"],
               "lowest": min(of_rounds), "highest": max(of_rounds), "baseline": baseline,
               "difference": off}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tool")
    parser.add_argument("model")
    parser.add_argument("kind")
    parser.add_argument("cache", type=Path)
    parser.add_argument("batches")
    parser.add_argument("threads")
    parser.add_argument("--rounds", type=int)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--compiled", action="store_true")
    parser.add_argument("--instruction-set")
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    given = parser.parse_args()
    model = ALL[given.model]
    model.name = given.model
    # The exporter and the libraries print; rows have a descriptor of their own.
    rows, sys.stdout = sys.stdout, sys.stderr
    for threads in map(int, given.threads.split(",")):
        for batch in map(int, given.batches.split(",")) if given.batches else model.batches:
            at = {"model": given.model, "kind": given.kind, "batch": batch, "threads": threads}
            try:
                for row in measure(given, model, batch, threads):
                    print(json.dumps({**at, **row}), file=rows, flush=True)
            except Exception as error:  # of whatever kind: the others are still measured
                print(json.dumps({**at, "error": (str(error) or repr(error)).splitlines()[0]}), file=rows, flush=True)
            gc.collect()


if __name__ == "__main__":
    main()
