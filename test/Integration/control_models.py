#!/usr/bin/env python3
"""Models with branches, loops, recurrent nodes and faults, by onnx.helper.

  control_models.py TOOL SCRATCH

Each runs on the reference interpreter, on the CPU with one and with two threads and
on the PTX simulator, and on a GPU or what LD_LIBRARY_PATH has for one. Outputs must be near those of onnx.reference, or of numpy
where it lacks a form, and bit-equal to each other; a fault must be the same line everywhere, exit 3, and leave no output.
Of loops that are counted the derivatives of a sum of the outputs' squares are compared in the same way, with those of a
formula in numpy. Exit 1 where they are not.
"""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

from limits import seconds

sys.path.insert(0, str(Path(__file__).parent / "KnownResults"))
from safetensors import load, save  # noqa: E402

WAYS = ["--backend=reference", "--backend=cpu --threads=1", "--backend=cpu --threads=2", "--backend=ptx-sim",
        "--backend=cuda"]
F, I, B, I32 = TensorProto.FLOAT, TensorProto.INT64, TensorProto.BOOL, TensorProto.INT32
TYPES = {np.dtype(np.float32): F, np.dtype(np.int64): I, np.dtype(np.bool_): B, np.dtype(np.int32): I32}


def value(name, kind, *shape):
    return helper.make_tensor_value_info(name, kind, shape)


def node(op, inputs, outputs, **attributes):
    return helper.make_node(op, inputs.split(), outputs.split(), name=op.lower(), **attributes)


def optional(op, inputs, outputs, **attributes):
    """With '-' for an absent name."""
    words = lambda text: ["" if word == "-" else word for word in text.split()]
    return helper.make_node(op, words(inputs), words(outputs), name=op.lower(), **attributes)


def graph(nodes, inputs, outputs, **constants):
    tensors = [numpy_helper.from_array(np.asarray(a), name) for name, a in constants.items()]
    return helper.make_graph(nodes, "g", inputs, outputs, tensors)


def model(made, opset=21):
    return helper.make_model(made, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def ramp(*shape):
    return np.linspace(-1, 1.5, int(np.prod(shape)), dtype=np.float32).reshape(shape)


def branches():
    then = graph([node("Neg", "x", "a"), node("Mul", "a s", "b")], [], [value("b", F, 3)])
    other = graph([node("Sin", "x", "c")], [], [value("c", F, 3)])
    made = model(graph([node("Exp", "x", "s"), node("If", "p", "y", then_branch=then, else_branch=other)],
                       [value("p", B), value("x", F, 3)], [value("y", F, 3)]))
    for taken in (False, True):
        yield f"If of {taken}", made, {"p": np.array(taken), "x": ramp(3)}
    known = graph([node("If", "p", "y", then_branch=then, else_branch=other)], [value("x", F, 3), value("s", F, 3)],
                  [value("y", F, 3)], p=np.array(True))
    yield "If of a constant", model(known), {"x": ramp(3), "s": ramp(3)}


def scan(h, x):
    rows = []
    for part in x.T:
        rows.append((h + part) * h)
        h = h + part
    return {"y": h, "rows": np.stack(rows, 1)}


def loops():
    body = graph([node("Add", "a w", "b"), node("Cast", "i", "f", to=F), node("Mul", "b f", "row"),
                  node("Identity", "go", "next")],
                 [value("i", I), value("go", B), value("a", F, 2)],
                 [value("next", B), value("b", F, 2), value("row", F, 2)])
    yield "Loop with rows", model(graph(
        [node("Loop", "n yes x", "y rows", body=body)], [value("x", F, 2), value("w", F, 2)],
        [value("y", F, 2), value("rows", F, 4, 2)], n=np.array(4), yes=np.array(True))), {"x": ramp(2), "w": ramp(2)}
    body = graph([node("Add", "a a", "b"), node("Less", "b bound", "next")],
                 [value("i", I), value("go", B), value("a", F)], [value("next", B), value("b", F)])
    for bound in (0.1, 7, 1e9):
        yield f"Loop until {bound}", model(graph(
            [node("Loop", "n yes x", "y", body=body)], [value("x", F), value("bound", F)], [value("y", F)],
            n=np.array(10), yes=np.array(True))), {"x": np.float32(0.5), "bound": np.float32(bound)}
    body = graph([node("Add", "h x", "next"), node("Mul", "next h", "row")], [value("h", F, 3), value("x", F, 3)],
                 [value("next", F, 3), value("row", F, 3)])
    for directions in ([0], [1]):
        yield f"Scan in direction {directions}", model(graph(
            [node("Scan", "h x", "y rows", body=body, num_scan_inputs=1, scan_input_axes=[1],
                  scan_input_directions=directions, scan_output_axes=[1])],
            [value("h", F, 3), value("x", F, 3, 5)], [value("y", F, 3), value("rows", F, 3, 5)])), {
                "h": ramp(3), "x": ramp(3, 5)}, scan(ramp(3), ramp(3, 5)[:, ::-1 if directions[0] else 1])


def counted():
    """Loops whose number of iterations follows from constants."""
    # As Keras writes a layer that is not unrolled: counters in floats end it.
    counters = [node("Add", "n one", "m"), node("Cast", "m", "f", to=F), node("Less", "f bound", "first"),
                node("Cast", "i", "g", to=F), node("Less", "g bound", "second"), node("And", "first second", "next"),
                node("Gather", "x n", "part")]
    body = graph([*counters, node("Add", "a part", "b"), node("Mul", "b b", "row")],
                 [value("i", I), value("go", B), value("n", I32), value("a", F, 2)],
                 [value("next", B), value("m", I32), value("b", F, 2), value("row", F, 2)],
                 one=np.int32(1), bound=np.float32(3))
    yield "Loop that counts in floats", model(graph(
        [node("Less", "low high", "starts"), node("Loop", "most starts zero h", "n y rows", body=body)],
        [value("x", F, 3, 2), value("h", F, 2)], [value("y", F, 2), value("rows", F, 3, 2)], most=np.array(9),
        zero=np.int32(0), low=np.float32(0), high=np.float32(3))), {"x": ramp(3, 2), "h": ramp(2)}
    body = graph([*counters, node("MatMul", "part k", "ak"), node("MatMul", "a r", "ar"),
                  node("Split", "ak", "k0 k1 k2", axis=1, num_outputs=3),
                  node("Split", "ar", "r0 r1 r2", axis=1, num_outputs=3), node("Add", "k0 r0", "z0"), node("Sigmoid", "z0", "z"),
                  node("Add", "k1 r1", "s0"), node("Sigmoid", "s0", "s"), node("Mul", "s r2", "s2"), node("Add", "k2 s2", "n0"),
                  node("Tanh", "n0", "new"), node("Sub", "a new", "d"), node("Mul", "z d", "zd"), node("Add", "new zd", "b"),
                  node("Identity", "b", "row")],
                 [value("i", I), value("go", B), value("n", I32), value("a", F, 1, 2)],
                 [value("next", B), value("m", I32), value("b", F, 1, 2), value("row", F, 1, 2)],
                 one=np.int32(1), bound=np.float32(3))
    feeds = {"x": ramp(3, 1, 2), "h": ramp(1, 2), "k": ramp(2, 6), "r": ramp(2, 6)[::-1].copy()}
    yield "Loop of a GRU", model(graph(
        [node("Less", "low high", "starts"), node("Loop", "most starts zero h", "n y rows", body=body)],
        [value("x", F, 3, 1, 2), value("h", F, 1, 2), value("k", F, 2, 6), value("r", F, 2, 6)],
        [value("y", F, 1, 2), value("rows", F, 3, 1, 2)], most=np.array(9),
        zero=np.int32(0), low=np.float32(0), high=np.float32(3))), feeds, gru(
            **{name: each.astype(np.float64) for name, each in feeds.items()})
    # As torch.jit.script writes a growing list: one iteration for each row.
    a_list = lambda name: helper.make_tensor_sequence_value_info(name, F, None)
    body = graph([node("SequenceAt", "parts i", "part"), node("Add", "a part", "b"), node("Identity", "go", "next"),
                  node("SequenceInsert", "list b", "longer")],
                 [value("i", I), value("go", B), a_list("list"), value("a", F, 2)],
                 [value("next", B), a_list("longer"), value("b", F, 2)])
    yield "List in a Loop", model(graph(
        [node("SplitToSequence", "x", "parts", axis=0, keepdims=0), node("SequenceLength", "parts", "count"),
         node("SequenceEmpty", "", "none", dtype=F), node("Loop", "count yes none h", "all y", body=body),
         node("ConcatFromSequence", "all", "rows", axis=1, new_axis=1)],
        [value("x", F, 3, 2), value("h", F, 2)], [value("y", F, 2), value("rows", F, 2, 3)], yes=np.array(True))), {
            "x": ramp(3, 2), "h": ramp(2)}


def added(x, h):
    return h + np.cumsum(x, 0)


def gru(x, h, k, r):
    rows = []
    for part in x:
        (k0, k1, k2), (r0, r1, r2) = np.split(part @ k, 3, 1), np.split(h @ r, 3, 1)
        sigmoid = lambda v: 1 / (1 + np.exp(-v))
        z, new = sigmoid(k0 + r0), np.tanh(k2 + sigmoid(k1 + r1) * r2)
        h = new + z * (h - new)
        rows.append(h)
    return {"y": h, "rows": np.stack(rows)}


# The outputs of the counted loops, of real and of complex numbers.
FORMULAS = {"Loop that counts in floats": lambda x, h: {"y": added(x, h)[-1], "rows": added(x, h)**2},
            "Loop of a GRU": gru,
            "List in a Loop": lambda x, h: {"y": added(x, h)[-1], "rows": added(x, h).T}}


CURVES = {"Tanh": np.tanh, "Sigmoid": lambda v: 1 / (1 + np.exp(-v)), "Softsign": lambda v: v / (1 + abs(v)),
          "HardSigmoid": lambda v: np.clip(0.2 * v + 0.5, 0, 1), "Elu": lambda v: np.where(v > 0, v, np.expm1(v))}


def recur(op, x, w, r, b, lengths, curves, clip=np.inf, linear_before_reset=0, input_forget=0, p=None, h=None, c=None):
    """One direction in float64, time first: what is shown of each time, and the last state."""
    steps, batch, size = len(x), len(x[0]), r.shape[-1]
    h = np.zeros((batch, size)) if h is None else h.astype(np.float64)
    c = np.zeros((batch, size)) if c is None else c.astype(np.float64)
    wb, rb = np.split(b, 2)
    f, g, k = ([lambda v, name=name: CURVES[name](np.clip(v, -clip, clip)) for name in curves] * 3)[:3]
    part = lambda v, i: v[..., i * size:(i + 1) * size]
    shown = []
    for t in range(steps):
        a, ha, q = x[t] @ w.T + wb, h @ r.T + rb, np.zeros_like(c)
        if op == "RNN":
            n = f(a + ha)
        elif op == "GRU":
            z, s = f(part(a, 0) + part(ha, 0)), f(part(a, 1) + part(ha, 1))
            inner = s * part(ha, 2) if linear_before_reset else (s * h) @ r[2 * size:].T + part(rb, 2)
            n = (1 - z) * g(part(a, 2) + inner) + z * h
        else:
            v, peep = a + ha, (lambda i, cell: 0 if p is None else part(p, i) * cell)
            i = f(part(v, 0) + peep(0, c))
            forget = 1 - i if input_forget else f(part(v, 2) + peep(2, c))
            q = forget * c + i * g(part(v, 3))
            n = f(part(v, 1) + peep(1, q)) * k(q)
        live = (t < lengths)[:, None]
        shown.append(np.where(live, n, 0))
        h, c = np.where(live, n, h), np.where(live, q, c)
    return np.stack(shown), h, c


def recurrent():
    steps, batch, inputs, hidden = 4, 3, 2, 5
    for op, gates in (("RNN", 1), ("GRU", 3), ("LSTM", 4)):
        usual = {"RNN": ["Tanh"], "GRU": ["Sigmoid", "Tanh"], "LSTM": ["Sigmoid", "Tanh", "Tanh"]}[op]
        other = {"RNN": ["HardSigmoid"], "GRU": ["HardSigmoid", "Softsign"], "LSTM": ["HardSigmoid", "Elu", "Softsign"]}[op]
        for label, more in {
                "forward": {}, "reverse": {"direction": "reverse"}, "bidirectional": {"direction": "bidirectional"},
                "other activations": {"activations": other}, "clipped": {"clip": 0.25}, "batch first": {"layout": 1},
                "lengths": {"direction": "bidirectional"}, "initial states": {},
                **({"linear before reset": {"linear_before_reset": 1}} if op == "GRU" else {}),
                **({"coupled": {"input_forget": 1}, "peepholes": {}} if op == "LSTM" else {})}.items():
            ways = {"reverse": [-1], "bidirectional": [1, -1]}.get(more.get("direction"), [1])
            first = label == "batch first"
            feeds = {"x": ramp(steps, batch, inputs), "w": ramp(len(ways), gates * hidden, inputs),
                     "r": ramp(len(ways), gates * hidden, hidden) / 4, "b": ramp(len(ways), 2 * gates * hidden)}
            lengths = np.array([4, 2, 3] if label == "lengths" else [4, 4, 4], np.int32)
            extra = {name: ramp(len(ways), batch, hidden) for name in ("h0", "c0")[:1 + (op == "LSTM")]
                     if label == "initial states"}
            if label == "peepholes":
                extra["p"] = ramp(len(ways), 3 * hidden)
            if label == "lengths":
                extra["lengths"] = lengths
            settings = {k: v for k, v in more.items() if k in ("clip", "linear_before_reset", "input_forget")}
            parts = []
            for d, way in enumerate(ways):
                # Backwards, each sequence starts at its own end.
                x = feeds["x"].astype(np.float64)
                turn = lambda v: np.stack([np.concatenate([v[:n, j][::way], v[n:, j]]) for j, n in enumerate(lengths)], 1)
                states = [extra[name][d] if name in extra else None for name in ("p", "h0", "c0")]
                y, h, c = recur(op, turn(x), feeds["w"][d], feeds["r"][d], feeds["b"][d], lengths,
                                more.get("activations", usual), **settings,
                                **dict(zip("phc", states)))
                parts.append((turn(y), h, c))
            y, h, c = (np.stack(v, axis) for v, axis in zip(zip(*parts), (1, 0, 0)))
            if first:
                y, h, c = y.transpose(2, 0, 1, 3), h.transpose(1, 0, 2), c.transpose(1, 0, 2)
                feeds["x"] = feeds["x"].transpose(1, 0, 2).copy()
            names = [n if n in extra else "-" for n in ("lengths", "h0", "c0", "p")[:2 + 2 * (op == "LSTM")]]
            results = {"y": y, "h": h, **({"c": c} if op == "LSTM" else {})}
            feeds |= extra
            made = model(graph([optional(op, " ".join(["x w r b", *names]), " ".join(results), hidden_size=hidden, **more)],
                               [value(n, TYPES[a.dtype], *a.shape) for n, a in feeds.items()],
                               [value(n, F, *a.shape) for n, a in results.items()]))
            yield f"{op}, {label}", made, feeds, results


def faults():
    """Name, model, inputs and what is said."""
    lookup = model(graph([node("Gather", "table ids", "y"), node("Gather", "table more", "z")],
                         [value("table", F, 4, 2), value("ids", I, 3), value("more", I, 2)],
                         [value("y", F, 3, 2), value("z", F, 2, 2)]))
    feeds = {"table": ramp(4, 2), "ids": np.array([0, 9, 4]), "more": np.array([-5, 1])}
    yield "the first of two nodes", lookup, feeds, "model.onnx: node 'gather' (Gather): element 2: "
    feeds = dict(feeds, ids=np.array([0, 1, 2]))
    yield "the second of two nodes", lookup, feeds, "model.onnx: node 'gather' (Gather): element 0: "
    body = graph([node("Gather", "table i", "row"), node("Add", "a row", "b"), node("Identity", "go", "next")],
                 [value("i", I), value("go", B), value("a", F, 2)], [value("next", B), value("b", F, 2)])
    yield "in a loop", model(graph(
        [node("Loop", "n yes x", "y", body=body)], [value("x", F, 2), value("table", F, 4, 2)], [value("y", F, 2)],
        n=np.array(6), yes=np.array(True))), {"x": ramp(2), "table": ramp(4, 2)}, " in iteration 4"


def run(tool, folder, way, command="infer", *words):
    out = folder / "out.safetensors"
    out.unlink(missing_ok=True)
    done = subprocess.run([tool, command, folder / "model.onnx", "--inputs", folder / "in.safetensors", "--outputs", out,
                           "--quiet", *way.split(), *words], capture_output=True, text=True, timeout=seconds(300))
    return done.returncode, done.stderr.strip(), load(out) if out.exists() else None


def compare(tool, folder, made, feeds, expected=None):
    if expected is None:
        expected = dict(zip([o.name for o in made.graph.output], ReferenceEvaluator(made).run(None, feeds)))
    first = None
    for way in WAYS:
        code, text, found = run(tool, folder, way)
        if code or found is None:
            return f"{way}: exit {code}: {text}"
        if first is None:
            first = found
            for name, want in expected.items():
                # A few roundings of f32 for values of about 1.
                if found[name].shape != want.shape or not np.allclose(found[name], want, rtol=1e-5, atol=1e-6):
                    return f"{way}: '{name}' is {found[name]}, expected {want}"
        elif any(first[name].tobytes() != found[name].tobytes() for name in expected):
            return f"{way}: other bits than {WAYS[0]}"
    return None


def factors(shape):
    """Of the outputs' squares; no two are equal, so that it is seen which is whose."""
    return np.linspace(0.5, 1.5, int(np.prod(shape)), dtype=np.float32).reshape(shape)


def summed(made, outputs):
    """The model with a further output, 'loss'."""
    made = onnx.ModelProto.FromString(made.SerializeToString())
    for name, found in outputs.items():
        made.graph.initializer.append(numpy_helper.from_array(factors(found.shape), f"{name}_factors"))
        made.graph.node.extend([node("Mul", f"{name} {name}", f"{name}_square"),
                                node("Mul", f"{name}_square {name}_factors", f"{name}_terms"),
                                node("ReduceSum", f"{name}_terms", f"{name}_sum", keepdims=0)])
    made.graph.node.append(node("Sum", " ".join(f"{name}_sum" for name in outputs), "loss"))
    made.graph.output.append(value("loss", F))
    return made


def derivatives(formula, feeds):
    """In f64 by a complex step: of an analytic f the imaginary part of f(v + ih) / h is the derivative, and what it
    leaves out is of the order of h^2, nothing."""
    found = {}
    for name, feed in feeds.items():
        found[name] = np.zeros(feed.shape)
        for place in np.ndindex(feed.shape):
            moved = {key: each.astype(np.complex128) for key, each in feeds.items()}
            moved[name][place] += 2.0**-100 * 1j
            loss = sum((factors(each.shape) * each**2).sum() for each in formula(**moved).values())
            found[name][place] = loss.imag * 2.0**100
    return found


def compare_derivatives(tool, folder, made, feeds, formula):
    onnx.save(summed(made, formula(**feeds)), folder / "model.onnx")
    (folder / "recipe.json").write_text(json.dumps({"loss": {"kind": "graph_output", "output": "loss"}}))
    wanted, first = derivatives(formula, feeds), None
    for way in WAYS:
        code, text, found = run(tool, folder, way, "grad", "--recipe", folder / "recipe.json")
        if code or found is None:
            return f"{way}: exit {code}: {text}"
        if first is None:
            first = found
            for name, want in wanted.items():
                # A derivative is a sum of terms of at most three steps, each a product behind fewer than 64 roundings
                # of 2^-24 that reach it with factors of at most about the largest derivative.
                bound = 3 * 64 * 2.0**-24 * max(np.abs(each).max() for each in wanted.values())
                if found[name].shape != want.shape or not np.abs(found[name] - want).max() <= bound:
                    return f"{way}: the derivative of '{name}' is {found[name]}, expected {want}"
        elif first.keys() != found.keys() or any(first[name].tobytes() != found[name].tobytes() for name in first):
            return f"{way}: other bits of derivatives than {WAYS[0]}"
    return None


def complain(tool, folder, wanted):
    first = None
    for way in WAYS:
        code, text, found = run(tool, folder, way)
        if code != 3 or found is not None or wanted not in text or "\n" in text:
            return f"{way}: exit {code}: {text}"
        if first is not None and first != text:
            return f"{way}: {text}, expected {first}"
        first = text
    return None


def main():
    tool, scratch = sys.argv[1], Path(sys.argv[2])
    number = good = derived = 0
    for name, made, feeds, *wanted in [*branches(), *loops(), *counted(), *recurrent(), *faults()]:
        folder = scratch / str(number)
        folder.mkdir(parents=True, exist_ok=True)
        onnx.save(made, folder / "model.onnx")
        save(folder / "in.safetensors", {k: np.asarray(v) for k, v in feeds.items()})
        check = (lambda: complain(tool, folder, *wanted)) if wanted and isinstance(wanted[0], str) else (
            lambda: compare(tool, folder, made, feeds, *wanted))
        wrong = check()
        if not wrong and name in FORMULAS:
            wrong = compare_derivatives(tool, folder, made, feeds, FORMULAS[name])
            derived += not wrong
        if wrong:
            print(f"{name}: {wrong}")
        good += not wrong
        number += 1
    print(f"{good} of {number} models do what they should")
    print(f"{derived} of {len(FORMULAS)} loops have the derivatives of their formulas")
    return good != number or derived != len(FORMULAS)


if __name__ == "__main__":
    sys.exit(main())
