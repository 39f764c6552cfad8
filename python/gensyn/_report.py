"""Pages about what the compiler made of a model."""

from __future__ import annotations

import html
import os
from typing import TYPE_CHECKING, Any

from gensyn import _core
from gensyn._arguments import path_of, whole
from gensyn._errors import FileError
from gensyn._module import as_module, open_model
from gensyn._recipe import read_recipe, write_recipe

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


class Report:
    """A page of `gensyn.report`. A notebook shows it; `save` writes it.

    Attributes:
        html: one document that needs no other file.
        trace: the last measured run as JSON, for Perfetto; empty without `profile=True`.
    """

    def __init__(self, page: str, trace: str) -> None:
        self.html = page
        self.trace = trace

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the page.

        Raises:
            FileError: the file cannot be written.
        """
        name = path_of(path, "path")
        try:
            with open(name, "w", encoding="utf-8") as file:
                file.write(self.html)
        except OSError as error:
            raise FileError(f"{name}: cannot be written: {error.strerror}") from None

    def _repr_html_(self) -> str:
        # In a frame of its own: styles and scripts of the page are not those of the notebook.
        return f'<iframe srcdoc="{html.escape(self.html)}" style="width: 100%; height: 40em; border: 0"></iframe>'

    def __repr__(self) -> str:
        return f"<gensyn.Report of {len(self.html)} characters>"


def report(
    model: Any,
    recipe: Any = None,
    *,
    example_inputs: Any = None,
    runs: Sequence[str | os.PathLike[str]] = (),
    target: str = "cpu",
    dims: Mapping[str, int] | None = None,
    memory_budget: int = 0,
    profile: bool = False,
    cache: str | os.PathLike[str] | None = None,
) -> Report:
    """Returns a page about a model: its graph, the memory of a run over time, times of kernels, and training runs.

    Args:
        model: an ONNX file, a torch.nn.Module with `example_inputs`, a keras.Model, or a compiled model (`.gxe`), of
            which the page shows what the file tells: kernels and memory of its programs, and their times.
        recipe: for the step of training, in the forms that `gensyn.Trainer` takes; None: inference.
        example_inputs: for a module: a tensor, or a tuple of them; for a model of Keras as for `gensyn.from_keras`.
        runs: folders of training runs, whose curves are laid over each other.
        target: "cpu", "cpu:x86-64-v3", "sm_90", ...
        dims: sizes of symbolic dimensions; others are assumed, and the page says which.
        memory_budget: bytes of a budget for a second program, to compare the memory; the graph shows its kernels.
        profile: run the program on this processor with random inputs, and show the times.
        cache: as of `gensyn.compile`.

    Raises:
        UsageError: an unknown target.
        UnsupportedError: a compiled model has no program for the target.
        BadInputError: a malformed model, recipe or run.
        FileError: a file cannot be read.
    """
    module = as_module(model)
    text = ""
    if recipe is not None:
        read = read_recipe(recipe, module)
        if module is not None:
            module.complete_recipe(read)
        text = write_recipe(read)
    file = open_model(model if module is None else module, example_inputs, training=recipe is not None)
    page, trace = _core.make_report(
        model=file.path,
        library=__file__,
        recipe=text,
        recipe_name=os.fsdecode(recipe) if isinstance(recipe, (str, os.PathLike)) else "the recipe",
        target=str(target),
        runs=[path_of(each, "runs") for each in runs],
        dims={str(name): whole(size, f"dims[{name!r}]", 1, 2**40) for name, size in (dims or {}).items()},
        memory_budget=whole(memory_budget, "memory_budget", 0, 2**63 - 1),
        profile=bool(profile),
        cache=_core.default_cache() if cache is None else path_of(cache, "cache"),
    )
    return Report(page, trace)
