"""ONNX's own test models, which together use every operator, through the dialect and
back. A model that ONNX's checker accepted must be accepted after the round trip.

    round_trip_nodes.py TRANSLATE WORK
"""

import subprocess
import sys
import warnings
from pathlib import Path

import onnx
from onnx.backend.test import loader

import onnx_cases


def models(work):
    """Paths of the test models: the node tests, which ONNX makes on demand, and the
    stored ones."""
    made = []
    for case in onnx_cases.load()[0]:
        if case.model is not None:
            made.append(work / f"{case.name}.model.onnx")
            made[-1].write_bytes(case.model.SerializeToString())
    data = Path(loader.__file__).parent.parent / "data"
    return made + sorted(data.glob("*/*/model.onnx"))


def shown(path):
    return path.parent.name if path.name == "model.onnx" else path.name.split(".")[0]


def accepted(path):
    try:
        onnx.checker.check_model(str(path), full_check=True)
        return True
    except Exception:
        return False


def schemas(path, found):
    """Adds (domain, operator, since) of each node of a model."""
    model = onnx.load(str(path), load_external_data=False)
    opsets = {o.domain: o.version for o in model.opset_import}

    def visit(nodes, versions):
        for n in nodes:
            try:
                schema = onnx.defs.get_schema(n.op_type, versions.get(n.domain, 0), n.domain)
                found.add((schema.domain, schema.name, schema.since_version))
            except onnx.defs.SchemaError:
                pass
            for attribute in n.attribute:
                visit(attribute.g.node, versions)

    visit(model.graph.node, opsets)
    for function in model.functions:
        visit(function.node, {o.domain: o.version for o in function.opset_import})


def main():
    warnings.simplefilter("ignore")  # the generators divide by zero on purpose
    translate, work = sys.argv[1], Path(sys.argv[2])
    work.mkdir(parents=True, exist_ok=True)
    pairs = [(p, work / f"{i}.onnx") for i, p in enumerate(models(work))]
    listing = work / "list"
    listing.write_text("".join(f"{a}\t{b}\n" for a, b in pairs))
    done = subprocess.run([translate, "--onnx-round-trip", str(listing)], capture_output=True, text=True)
    states = dict(line.split("\t", 1) for line in done.stdout.splitlines())
    found, passed, refused, failures = set(), 0, 0, 0
    for before, after in pairs:
        state = states.get(str(before), "no answer")
        if state == "ok" and (accepted(after) or not accepted(before)):
            passed += 1
            schemas(before, found)
        elif state.startswith("import") and not accepted(before):
            refused += 1  # ONNX's own checker refuses it too
        else:
            failures += 1
            print(f"{shown(before)}: {state if state != 'ok' else 'the checker refuses what came back'}")
    print(f"{passed} models come back, {refused} are refused as by the checker, {failures} fail")
    print(f"they use {len({f[:2] for f in found})} operators in {len(found)} versions")
    return failures


if __name__ == "__main__":
    sys.exit(bool(main()))
