"""Pages about models: those of gensyn-run, in a notebook and in a file."""

import json
import os
import subprocess
from pathlib import Path

import gensyn
import pytest

DIGITS = Path(os.environ["GENSYN_EXAMPLES"]) / "digits"
LENET, RECIPE = DIGITS / "lenet.onnx", DIGITS / "recipe.json"


def test_the_page_is_that_of_gensyn_run(tmp_path):
    command = ["gensyn-run", "report", LENET, "--recipe", RECIPE, "--target", "cpu:x86-64", "-o", tmp_path / "a.html"]
    subprocess.run([*command, "--quiet"], check=True)
    report = gensyn.report(LENET, RECIPE, target="cpu:x86-64")
    report.save(tmp_path / "b.html")
    assert (tmp_path / "a.html").read_text() == (tmp_path / "b.html").read_text() == report.html
    assert report.trace == "" and repr(report).startswith("<gensyn.Report of ")
    frame = report._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and frame.count("<") == 2, "the page is escaped"


def test_runs_and_times(tmp_path):
    trainer = gensyn.Trainer(LENET, RECIPE, folder=tmp_path / "run")
    trainer.fit(DIGITS / "train.safetensors", epochs=1, progress=False)
    report = gensyn.report(LENET, json.loads(RECIPE.read_text()), runs=[tmp_path / "run"], profile=True)
    assert trainer.digest in report.html
    assert json.loads(report.trace)["traceEvents"]


def test_what_cannot_be_reported(tmp_path):
    for error, options, message in (
        (gensyn.UsageError, {"target": "z80"}, "target 'z80' is not known"),
        (gensyn.FileError, {"model": "absent.onnx"}, "absent.onnx: cannot be opened"),
        (gensyn.FileError, {"runs": [tmp_path / "absent"]}, "absent"),
        (gensyn.BadInputError, {"recipe": {"los": 3}}, "the recipe: .*'los'"),
        (gensyn.UsageError, {"example_inputs": 3}, "the model is a file"),
    ):
        with pytest.raises(error, match=message):
            gensyn.report(**{"model": LENET, **options})
    with pytest.raises(gensyn.FileError, match="cannot be written"):
        gensyn.report(LENET).save(tmp_path / "absent" / "a.html")
