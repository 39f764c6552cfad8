#!/usr/bin/env python3
"""Reads and compiles models of many nodes, values, initializers, inputs, outputs and operands.

  large_graphs.py TOOL [--memory 0]

For each family below `TOOL info` and `TOOL compile` have to end with exit code 0 within
SECONDS of processor time each, a stack of 8 MiB and, but for --memory 0, memory that
grows no faster than the model. Models of too many nodes have to be refused with exit
code 6. Exit 1 otherwise.
"""

import argparse
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from limits import seconds

LARGE = 16_000
# Seconds of processor time, which the kernel counts for each process, whatever else runs on the machine. It is a limit,
# not a measurement: the slowest family takes 4 s on two busy cores, which leaves a factor of seven for machines that
# are slower or busier. A walk over all nodes for each node takes LARGE^2 = 2.6e8 steps; at 0.1 microseconds each, the
# time of a look-up or an allocation, that exceeds the limit.
SECONDS = seconds(30)
# The factor by which the memory may grow from LARGE / 4 to LARGE: linear is 4, quadratic is 16.
GROWTH = 8
# Memory that does not depend on the model's size: below this, in MiB, differences are those of the allocator's arenas.
GRAIN = 8
STACK = 8 << 20


def tensor(name, *shape):
    return helper.make_tensor_value_info(name, TensorProto.FLOAT, shape or [4])


def tensor_of(name, element):
    return helper.make_tensor_value_info(name, element, [])


def model(nodes, inputs, outputs, constants=(), functions=()):
    tensors = [numpy_helper.from_array(np.full(4, i, np.float32), name) for i, name in enumerate(constants)]
    graph = helper.make_graph(nodes, "g", inputs, outputs, tensors)
    opsets = [helper.make_opsetid("", 21)] + [helper.make_opsetid("own", 1)] * bool(functions)
    return helper.make_model(graph, opset_imports=opsets, functions=functions, ir_version=10)


def names(prefix, count):
    return [f"{prefix}{i}" for i in range(count)]


def function(name, nodes, output):
    return helper.make_function("own", name, ["a"], [output], nodes,
                                [helper.make_opsetid("", 21), helper.make_opsetid("own", 1)])


def empty(_):
    return model([helper.make_node("Neg", ["x"], ["y"])], [tensor("x")], [tensor("y")])


def chain(n):
    nodes = [helper.make_node(("Relu", "Neg")[i % 2], [f"v{i}"], [f"v{i + 1}"]) for i in range(n)]
    return model(nodes, [tensor("v0")], [tensor(f"v{n}")])


def added(terms):
    return [helper.make_node("Add", [f"v{i}", term], [f"v{i + 1}"]) for i, term in enumerate(terms)]


def initializers(n):
    terms = names("w", n)
    return model(added(terms), [tensor("v0")], [tensor(f"v{n}")], terms)


def inputs(n):
    terms = names("x", n)
    return model(added(terms), [tensor(name) for name in ["v0", *terms]], [tensor(f"v{n}")])


def outputs(n):
    nodes = [helper.make_node("Neg", [f"v{i}"], [f"v{i + 1}"]) for i in range(n)]
    return model(nodes, [tensor("v0")], [tensor(f"v{i + 1}") for i in range(n)])


def operands(n):
    """A concat of as many different values."""
    parts = names("p", n)
    nodes = [helper.make_node(("Relu", "Neg")[i % 2], ["x"], [part]) for i, part in enumerate(parts)]
    return model([*nodes, helper.make_node("Concat", parts, ["y"], axis=0)], [tensor("x")], [tensor("y", 4 * n)])


def calls(n):
    """Calls of a function of eight nodes."""
    body = [helper.make_node("Neg", [f"b{i}" if i else "a"], [f"b{i + 1}"]) for i in range(8)]
    nodes = [helper.make_node("Eight", [f"v{i}"], [f"v{i + 1}"], domain="own") for i in range(n // 8)]
    return model(nodes, [tensor("v0")], [tensor(f"v{n // 8}")], functions=[function("Eight", body, "b8")])


def listed(n):
    """A list to which a loop adds one element at a time, joined."""
    sequence = helper.make_tensor_sequence_value_info
    body = helper.make_graph(
        [helper.make_node("SequenceInsert", ["list", "x"], ["longer"]), helper.make_node("Identity", ["go"], ["on"])], "body",
        [tensor_of("i", TensorProto.INT64), tensor_of("go", TensorProto.BOOL), sequence("list", TensorProto.FLOAT, [4])],
        [tensor_of("on", TensorProto.BOOL), sequence("longer", TensorProto.FLOAT, [4])])
    trips = numpy_helper.from_array(np.array(n))
    nodes = [helper.make_node("Constant", [], ["trips"], value=trips), helper.make_node("SequenceEmpty", [], ["none"]),
             helper.make_node("Loop", ["trips", "", "none"], ["all"], body=body),
             helper.make_node("ConcatFromSequence", ["all"], ["y"], axis=0)]
    return model(nodes, [tensor("x")], [tensor("y", 4 * n)])


FAMILIES = [chain, initializers, inputs, outputs, operands, calls, listed]


def doubled(times):
    """A call that stands for 2 to the power of `times` nodes: each function has two calls of the one before."""
    made = [function("F1", [helper.make_node("Neg", ["a"], ["b"]), helper.make_node("Relu", ["b"], ["c"])], "c")]
    for i in range(2, times + 1):
        inner = [helper.make_node(f"F{i - 1}", [a], [b], domain="own") for a, b in ("ab", "bc")]
        made.append(function(f"F{i}", inner, "c"))
    call = helper.make_node(f"F{times}", ["x"], ["y"], domain="own", name="call")
    return model([call], [tensor("x")], [tensor("y")], functions=made)


def limit():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS + 1))
    resource.setrlimit(resource.RLIMIT_STACK, (STACK, STACK))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run(command, scratch):
    """Exit code, the most memory in MiB that a process of the command took, and what it said."""
    said = scratch / "said"
    with said.open("wb") as file:
        process = subprocess.Popen([str(part) for part in command], stdout=file, stderr=file, preexec_fn=limit)
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, usage.ru_maxrss >> 10, said.read_text()


def commands(tool, path, scratch):
    yield [tool, "info", path]
    yield [tool, "compile", path, "--target", "reference", "--no-cache", "-o", scratch / "out"]


def complaints(options, scratch):
    path = scratch / "model.onnx"
    memory = {}
    for family, size in [(empty, 1)] + [(family, size) for family in FAMILIES for size in (LARGE // 4, LARGE)]:
        onnx.save(family(size), path)
        for command in commands(options.tool, path, scratch):
            code, most, said = run(command, scratch)
            memory[family, size, command[1]] = most
            if code:
                yield f"{family.__name__}: {command[1]} of {size}: exit code {code}: {said[-200:]}"
    for family in FAMILIES if options.memory else []:
        for command in ("info", "compile"):
            least = memory[empty, 1, command]
            few, many = (memory[family, size, command] - least for size in (LARGE // 4, LARGE))
            if many > GROWTH * max(few, GRAIN):
                # The same model took 8 MiB less once, by which arenas its threads found: the larger of two counts.
                onnx.save(family(LARGE // 4), path)
                again = {called[1]: run(called, scratch)[1] for called in commands(options.tool, path, scratch)}
                few = max(few, again[command] - least)
            if many > GROWTH * max(few, GRAIN):
                yield f"{family.__name__}: {command}: {few} MiB for {LARGE // 4}, {many} MiB for {LARGE}"

    # The call itself is a node too.
    onnx.save(doubled(20), path)
    for command in commands(options.tool, path, scratch):
        code, _, said = run(command, scratch)
        if code != 6 or "node 'call': the model has more than 1048576 nodes with the bodies of its functions" not in said:
            yield f"doubled: {command[1]}: exit code {code}: {said[-200:]}"

    # As nodes of the graph they are counted before any work.
    onnx.save(chain(2**20 + 1), path)
    for command in commands(options.tool, path, scratch):
        code, _, said = run(command, scratch)
        if code != 6 or "the model has 1048577 nodes, at most 1048576" not in said:
            yield f"chain: {command[1]}: exit code {code}: {said[-200:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tool", type=Path)
    parser.add_argument("--memory", type=int, default=1, help="0: do not look at it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        wrong = list(complaints(options, Path(name)))
    print("\n".join(wrong) or f"{len(FAMILIES)} families of {LARGE} are read and compiled")
    return bool(wrong)


sys.exit(main())
