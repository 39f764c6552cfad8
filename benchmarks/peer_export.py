"""Exports the models of peer_models.py, each once, into a cache folder.

NAME.onnx is the training form (optimize=False keeps all parameters), NAME-infer.onnx what the exporter makes by
default, with normalizations folded. Both have a symbolic batch where the exporter allows it; otherwise there is a file
for each batch, NAME-bN.onnx. A file is complete once it has its name.
"""

import os
import tempfile
from pathlib import Path

import torch


def export(name, model, folder, batch, form):
    """The file of a model for a batch; `form` is "train" or "infer"."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    stem = name if form == "train" else f"{name}-infer"
    of_batch = folder / f"{stem}-b{batch}.onnx"
    for file in (folder / f"{stem}.onnx", of_batch):
        if file.exists():
            return file
    module = model.module().eval()
    try:
        # With an example of one sample the exporter would take the batch for a constant.
        return write(module, model.draw(2), folder / f"{stem}.onnx", form, {0: torch.export.Dim.DYNAMIC})
    except Exception as error:  # of any kind, from the model's own code or the exporter's
        print(f"{name}: no symbolic batch: {str(error).splitlines()[0]}")
        return write(module, model.draw(batch), of_batch, form, None)


def write(module, example, file, form, dynamic):
    """Exports beside the file and renames: weights first, since the other file refers to them."""
    with tempfile.TemporaryDirectory(dir=file.parent) as beside:
        made = Path(beside) / file.name
        torch.onnx.export(module, (example,), str(made), input_names=["x"], output_names=["logits"], dynamo=True,
                          external_data=True, verbose=False, optimize=form == "infer",
                          dynamic_shapes=(dynamic,) if dynamic else None)
        for part in sorted(Path(beside).iterdir(), key=lambda path: path == made):
            os.replace(part, file.parent / part.name)
    return file
