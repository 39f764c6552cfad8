"""ONNX's own tests of operators, which its package computes with numpy on each request (10 s).

They are kept as a file in the folder that the environment variable GENSYN_TEST_SHARED names, so that the tests of one
suite compute them once. Without it they are computed.
"""

import contextlib
import os
import pickle
import sys
import tempfile
import warnings
from pathlib import Path

import onnx


def _compute():
    with warnings.catch_warnings(), contextlib.redirect_stdout(sys.stderr):  # some cases print
        warnings.simplefilter("ignore")
        from onnx.backend.test.case.model import collect_testcases as collect_models
        from onnx.backend.test.case.node import collect_testcases

        return collect_testcases(None), collect_models()


def _keep(cases, path):
    """Under its name only when it is whole: other tests may read it meanwhile."""
    with tempfile.NamedTemporaryFile(dir=path.parent, delete=False) as file:
        pickle.dump(cases, file, protocol=pickle.HIGHEST_PROTOCOL)
    os.replace(file.name, path)


def load():
    """Returns (cases of nodes, cases of models), each a list of ONNX's `TestCase`."""
    if not (folder := os.environ.get("GENSYN_TEST_SHARED")):
        return _compute()
    path = Path(folder) / f"onnx-{onnx.__version__}-cases.pickle"
    if path.exists():
        with open(path, "rb") as file:
            return pickle.load(file)
    cases = _compute()
    path.parent.mkdir(parents=True, exist_ok=True)
    _keep(cases, path)
    return cases
