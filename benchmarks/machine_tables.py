#!/usr/bin/env python3
"""Machine files against what others published: predicted, published, their ratio and the largest error.

  machine_tables.py gap9 GENSYN_RUN NETWORKS [--fit]
  machine_tables.py vela GENSYN_RUN GENSYN_COMPARE_ESTIMATES NETWORKS TINY [--vela COMMAND]
  machine_tables.py a100 GENSYN_COMPARE_ESTIMATES [--fit]

NETWORKS is a folder that benchmarks/tiny_networks.py has written; TINY is a checkout of github.com/mlcommons/tiny,
whose int8 TFLite models Vela takes. Tables are in Markdown. Ends with 1 if a bound is not kept.

  gap9  time and energy of the four networks of MLPerf Tiny v1.0. Two numbers of benchmarks/machines/gap9-ne16.json are
        fitted on ic at 0.8 V alone, the issue of a task and the power of a core; --fit searches for them again. The other
        seven rows are predicted. Weights have as few bits as in the submission. At 0.65 V everything runs by the slower
        clock, energies are those at 0.8 V times (0.65 / 0.8)^2, and leakage times 0.65 / 0.8.
  vela  cycles of contractions of the same networks on Ethos-U55 with 128 and 256 multipliers, as Vela 5.2.0 estimates
        them, in configuration Ethos_U55_High_End_Embedded with Shared_Sram: `pip install ethos-u-vela==5.2.0`. On the
        unit are the array's cycles of all tiles, and those in which Vela's first blocks are read and its last ones
        written, which here are copies. With accesses, as Vela counts them, each launch takes the longest of the array's
        cycles, of the bytes that it moves from and to SRAM, and of its weights, compressed as Vela compresses those of
        the model, from flash; as simulated, copies also wait for each other. Nothing is fitted.
  a100  20 products of f16 that LLMCompass' authors measured. Three numbers of benchmarks/machines/a100-f16.json are
        fitted on five of them; --fit searches for these numbers again.
"""

import argparse
import csv
import json
import math
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NETWORKS = ["ad", "ic", "kws", "vww"]


class Table:
    """Rows of one quantity; those that something was fitted on do not count."""

    def __init__(self, title, unit):
        self.title, self.unit, self.rows = title, unit, []

    def add(self, name, predicted, published, fitted=False):
        self.rows.append((name, predicted, published, fitted))

    def errors(self):
        return [abs(predicted / published - 1) for _, predicted, published, fitted in self.rows if not fitted]

    def show(self, greatest=None, mean=None):
        """Prints the rows and what the errors are; returns whether they are within the bounds."""
        print(f"\n| {self.title} | predicted, {self.unit} | published, {self.unit} | ratio |\n| --- | --- | --- | --- |")
        for name, predicted, published, fitted in self.rows:
            mark = " (fitted)" if fitted else ""
            print(f"| {name}{mark} | {predicted:.5g} | {published:.5g} | {predicted / published:.3f} |")
        errors = self.errors()
        middle = sum(errors) / len(errors)
        kept = (greatest is None or max(errors) <= greatest) and (mean is None or middle <= mean)
        bounds = [f"{word} at most {bound:.0%}" for word, bound in (("largest", greatest), ("mean", mean)) if bound is not None]
        print(f"\n{self.title}: largest error {max(errors):.1%}, mean {middle:.1%} of {len(errors)} rows; "
              f"wanted: {', '.join(bounds) + (': kept' if kept else ': NOT KEPT') if bounds else 'nothing'}")
        return kept


def run(*words):
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, words))}: {(done.stderr or done.stdout).strip()}")
    return done.stdout


def simulate(tool, network, machine):
    """Picoseconds and femtojoules of a run."""
    lines = run(tool, "simulate", network, "--machine", machine, "--integer-sums", "--json").splitlines()
    found = next(json.loads(line) for line in lines if '"event":"simulation"' in line)
    return found["picoseconds"], found["femtojoules"][0]


def numbers(value, key=""):
    """All numbers of a machine file with their keys, by their objects."""
    if isinstance(value, dict) and "unit" in value and "source" in value:
        yield key, value
    elif isinstance(value, dict):
        for name, member in value.items():
            yield from numbers(member, name)
    elif isinstance(value, list):
        for member in value:
            yield from numbers(member, key)


# inferences a second and microjoules: github.com/mlcommons/tiny_results_v1.0, GreenWaves' closed submission, medians.
GAP9 = {0.8: (370, {"ad": (5691.6, 7.294), "ic": (1622.8, 40.356), "kws": (2103.2, 26.659), "vww": (889.0, 58.356)}),
        0.65: (240, {"ad": (3689.7, 5.252), "ic": (1053.4, 27.711), "kws": (1365.8, 18.561), "vww": (577.0, 40.801)})}
# W_BITS of the submission's Makefiles: to so many bits its weights are quantized.
WEIGHT_BITS = {"ad": 6, "ic": 7, "kws": 5, "vww": 5}


def with_weight_bits(machine, bits):
    """The machine with weights of fewer than 8 bits: NE16 takes a bit of them a cycle for each channel of a result, but
    under a single tap, all at once (DORY's model)."""
    machine = json.loads(json.dumps(machine))
    rate = next(unit for unit in machine["units"] if unit["name"] == "ne16")["rates"][0]
    for own in rate["arrangements"]:
        _, columns, _, taps, products = own["step"]
        if taps > 1:
            own["cycles"] = dict(own.get("cycles", rate["cycles"]))
            own["cycles"]["value"] -= (8 - bits) * columns * products
    return machine


def at_point(machine, megahertz, volts):
    """The machine at another clock and voltage."""
    slower, lower = megahertz / 370, (volts / 0.8) ** 2
    scales = {"MHz": slower, "GB/s": slower, "MB/s": slower, "ns": 1 / slower, "us": 1 / slower, "fJ": lower, "pJ": lower,
              "pJ/B": lower}
    keys = {"idle": slower * lower, "standby": volts / 0.8}
    machine = json.loads(json.dumps(machine))
    for name, number in numbers(machine):
        scale = keys.get(name, scales.get(number["unit"], 1))
        for key in ("value", "low", "high"):
            if key in number and scale != 1:
                number[key] = round(number[key] * scale, 0 if number["unit"] == "fJ" else 3)
    return machine


def fit_gap9(tool, networks, machine):
    """Searches for the issue, and then for the power, with which ic at 0.8 V has its time and energy."""
    kind = machine["core_kinds"][0]
    _, rows = GAP9[0.8]
    rate, microjoules = rows["ic"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "gap9.json"

        def measure(number, value):
            number["value"] = value
            file.write_text(json.dumps(with_weight_bits(machine, WEIGHT_BITS["ic"])))
            return simulate(tool, networks / "ic.onnx", file)

        def search(number, low, high, grain, is_less):
            while high - low > grain:
                middle = round((low + high) / 2, 3)
                low, high = (middle, high) if is_less(*measure(number, middle)) else (low, middle)
            number["value"] = low

        search(kind["issue"], 50, 4000, 10, lambda time, energy: time < 1e12 / rate)
        search(kind["idle"], 0.1, 100, 0.1, lambda time, energy: energy < microjoules * 1e9)
        print(f"fitted: issue {kind['issue']['value']:.0f} cycles, idle {kind['idle']['value']:.1f} mW")


def gap9(arguments):
    machine = json.loads((ROOT / "benchmarks/machines/gap9-ne16.json").read_text())
    if arguments.fit:
        fit_gap9(arguments.gensyn_run, arguments.networks, json.loads(json.dumps(machine)))
    times, energies = Table("GAP9, time", "us"), Table("GAP9, energy", "uJ")
    cycles, ratios = Table("GAP9, cycles at 0.65 V by those at 0.8 V", "1"), Table("GAP9, energy at 0.65 V by that at 0.8 V", "1")
    at_high = {}
    with tempfile.TemporaryDirectory() as folder:
        for volts, (megahertz, rows) in GAP9.items():
            file = Path(folder) / f"gap9-{megahertz}.json"
            for network, (rate, microjoules) in rows.items():
                file.write_text(json.dumps(at_point(with_weight_bits(machine, WEIGHT_BITS[network]), megahertz, volts)))
                time, energy = simulate(arguments.gensyn_run, arguments.networks / f"{network}.onnx", file)
                time, energy = time / 1e6, energy / 1e9
                name, fitted = f"{network}, {volts} V", network == "ic" and volts == 0.8
                times.add(name, time, 1e6 / rate, fitted)
                energies.add(name, energy, microjoules, fitted)
                own = (time * megahertz, energy, megahertz * 1e6 / rate, microjoules)
                high = at_high.setdefault(network, own)
                if high is not own:
                    cycles.add(network, own[0] / high[0], own[2] / high[2])
                    ratios.add(network, own[1] / high[1], own[3] / high[3])
    return [times.show(greatest=0.25), energies.show(greatest=0.20), cycles.show(greatest=0.01), ratios.show(greatest=0.10)]


CONTRACTIONS = {"Conv2D", "DepthwiseConv2D", "FullyConnected"}
TFLITE = {"ad": "anomaly_detection/trained_models/ad01_int8.tflite",
          "ic": "image_classification/trained_models/pretrainedResnet_quant.tflite",
          "kws": "keyword_spotting/trained_models/kws_ref_model.tflite",
          "vww": "visual_wake_words/trained_models/vww_96_int8.tflite"}


def count_ends(schedule):
    """Cycles in which each contraction of a printed schedule reads its first block and writes its last one, from and to
    SRAM: 32 of latency each, and 8 bytes a cycle (Arm/vela.ini)."""
    cycles = []
    for operation in schedule[schedule.rindex("\nSchedule: "):].split(": Operation ")[1:]:
        if operation.split()[0] not in CONTRACTIONS:
            continue
        (results, result), (images, image) = (
            [[int(word) for word in re.search(pattern + r"\[?([\d, ]+)", operation)[1].strip(" ,").split(",")]
             for pattern in patterns]
            for patterns in ((r"- OFM ", r"OFM Block="), (r"IFM Stripe\s+= ", r"IFM Block=")))
        cycles.append(sum(32 + math.prod(map(min, whole, block)) / 8 for whole, block in ((results, result), (images, image))))
    return cycles


def ask_vela(command, model, multipliers, folder):
    """Cycles of contractions on the unit, with accesses, and of what count_ends() counts of them; and how many bytes are
    left of a byte of weights."""
    config = "Ethos_U55_High_End_Embedded"
    printed = run(command, model, "--accelerator-config", f"ethos-u55-{multipliers}", "--config", "Arm/vela.ini",
                  "--system-config", config, "--memory-mode", "Shared_Sram", "--output-dir", folder, "--verbose-performance",
                  "--verbose-schedule")
    with open(Path(folder) / f"{model.stem}_per-layer.csv") as file:
        layers = [row for row in csv.DictReader(file) if row["NNG Operator"] in CONTRACTIONS]
    with open(Path(folder) / f"{model.stem}_summary_{config}.csv") as file:
        summary = next(csv.DictReader(file))
    ends = count_ends(printed)
    if len(ends) != len(layers):
        raise SystemExit(f"{model}: {command} estimates {len(layers)} contractions and has blocks of {len(ends)}")
    return (sum(int(row["NPU"]) for row in layers), sum(int(row["Op Cycles"]) for row in layers), sum(ends),
            int(summary["total_npu_encoded_weights"]) / int(summary["total_original_weights"]))


def with_requantization(machine):
    """The machine whose array also does what is computed with the sums, in no time of its own: Vela's unit does, behind
    the array and to other bits than ours, and programs here would leave the array for it. Contractions of 8 bits are the
    array's alone, as there."""
    units = {unit["name"]: unit["rates"] for unit in machine["units"]}
    for operation in "float", "integer", "load", "store":
        units["macs"].append({"operation": operation, "cycles": {"value": 0, "unit": "cycles", "source": "vela"},
                              "energy": {"value": 0, "unit": "pJ", "source": "vela"}})
    units["m55"][:] = [rate for rate in units["m55"] if "i8" not in rate.get("types", [])]
    return machine


def vela(arguments):
    units, totals = Table("Ethos-U55, contractions on the unit", "cycles"), Table("Ethos-U55, contractions and accesses", "cycles")
    simulated = Table("Ethos-U55, contractions as simulated, with weights in SRAM", "cycles")
    with tempfile.TemporaryDirectory() as folder:
        for multipliers in (128, 256):
            machine = Path(folder) / f"ethos-u55-{multipliers}.json"
            shipped = json.loads((ROOT / "share/machines" / machine.name).read_text())
            machine.write_text(json.dumps(with_requantization(shipped)))
            for network in NETWORKS:
                file = Path(folder) / f"{network}-{multipliers}.gmap"
                run(arguments.gensyn_run, "map", arguments.networks / f"{network}.onnx", "--machine", machine, "--integer-sums",
                    "--quiet", "-o", file)
                products = json.loads(run(arguments.compare_estimates, file).splitlines()[0])["products"]
                unit, total, ends, left = ask_vela(
                    arguments.vela, arguments.tiny / "benchmark/training" / TFLITE[network], multipliers, folder)
                name = f"{network}, {multipliers} multipliers"
                # 2000 ps at 500 MHz, in which flash gives a byte.
                units.add(name, sum(computing for computing, *_ in products) / 2000 + ends, unit)
                totals.add(name, sum(max(computing / 2000, moving / 2000, left * weights)
                                     for computing, moving, weights, _ in products) + ends, total)
                simulated.add(name, sum(span for *_, span in products) / 2000, total)
    return [units.show(greatest=0.10), totals.show(greatest=0.20), simulated.show()]


# [rows, depth] by [depth, columns], as rows, columns, depth, and milliseconds: ae/figure5/ab/real_hardware/matmul_A100.csv
# of github.com/PrincetonUniversity/LLMCompass at 2e015fd.
A100 = [(64, 12288, 12288, 0.1900), (128, 12288, 12288, 0.2003), (256, 12288, 12288, 0.3185), (512, 12288, 12288, 0.6118),
        (1024, 12288, 12288, 1.1990), (2048, 12288, 12288, 2.3586), (4096, 12288, 12288, 4.4576), (8192, 12288, 12288, 8.6216),
        (16384, 12288, 12288, 17.0307), (32768, 12288, 12288, 35.4407), (8192, 64, 64, 0.0296), (8192, 128, 128, 0.0310),
        (8192, 256, 256, 0.0356), (8192, 512, 512, 0.0471), (8192, 1024, 1024, 0.0927), (8192, 2048, 2048, 0.2818),
        (8192, 4096, 4096, 1.0210), (8192, 8192, 8192, 3.9614), (8192, 16384, 16384, 15.0087), (8192, 32768, 32768, 61.1346)]
FITTED_ON = range(0, len(A100), 4)


def estimate_products(tool, machine, rows):
    words = ["x".join(map(str, row[:3])) for row in rows]
    return [int(line) / 1e9 for line in run(tool, "--products", machine, "f16", *words).split()]


def fit_a100(tool, machine):
    """Searches for the issue, the cycles of a step and the bandwidth that fit the rows of FITTED_ON best, one number after
    the other, from those of data sheets."""
    units = {unit["name"]: unit for unit in machine["units"]}
    rate = next(rate for rate in units["tensor"]["rates"] if rate.get("types") == ["f16"])
    bandwidth = next(memory for memory in machine["memories"] if memory["name"] == "hbm")["bandwidth"]
    steps = [(machine["core_kinds"][0]["issue"], 500, [5000 + 1410 * i for i in range(31)]),
             (rate["cycles"], 8, [round(8 / (1 - 0.01 * i), 2) for i in range(20)]),
             (bandwidth, 2.039, [round(2.039 * (1 - 0.01 * i), 3) for i in range(26)])]
    rows = [A100[i] for i in FITTED_ON]
    for number, first, _ in steps:
        number.update(value=first, low=round(first / 100, 3), high=round(first * 100, 3))
    with tempfile.NamedTemporaryFile("w+", suffix=".json") as file:
        def error():
            file.seek(0)
            file.truncate()
            file.write(json.dumps(machine))
            file.flush()
            return sum(abs(own / row[3] - 1) for own, row in zip(estimate_products(tool, file.name, rows), rows)) / len(rows)

        before = None
        while before != (before := [number["value"] for number, _, _ in steps]):
            for number, _, choices in steps:
                def of(value):
                    number["value"] = value
                    return error()
                number["value"] = min([number["value"], *choices], key=of)
        print(f"fitted: issue {steps[0][0]['value']} cycles, a step {steps[1][0]['value']} cycles, bandwidth "
              f"{steps[2][0]['value']} TB/s; mean error {error():.1%} of {len(rows)} rows")


def a100(arguments):
    file = ROOT / "benchmarks/machines/a100-f16.json"
    if arguments.fit:
        fit_a100(arguments.compare_estimates, json.loads(file.read_text()))
    table = Table("A100, products of f16", "ms")
    for i, (row, own) in enumerate(zip(A100, estimate_products(arguments.compare_estimates, file, A100))):
        table.add("{} x {} x {}".format(*row), own, row[3], i in FITTED_ON)
    return [table.show(mean=0.08)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    tables = parser.add_subparsers(required=True)
    for function, words in (gap9, ["gensyn_run", "networks"]), (vela, ["gensyn_run", "compare_estimates", "networks", "tiny"]), \
            (a100, ["compare_estimates"]):
        table = tables.add_parser(function.__name__)
        for word in words:
            table.add_argument(word, type=Path)
        table.set_defaults(function=function)
        if function is vela:
            table.add_argument("--vela", default="vela")
        if function is not vela:
            table.add_argument("--fit", action="store_true")
    arguments = parser.parse_args()
    sys.exit(0 if all(arguments.function(arguments)) else 1)


if __name__ == "__main__":
    main()
