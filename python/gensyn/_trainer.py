"""Training of ONNX models, and of models of PyTorch and Keras."""

from __future__ import annotations

import os
import tempfile
import weakref
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from gensyn import _convert, _core, _data, _ranks
from gensyn._arguments import path_of, whole
from gensyn._errors import BadInputError, UsageError
from gensyn._module import as_module
from gensyn._program import TensorSpec
from gensyn._progress import Observer
from gensyn._recipe import read_recipe, write_recipe

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gensyn._convert import Array
    from gensyn._progress import Callback


class FitResult(NamedTuple):
    """What `Trainer.fit` did.

    Attributes:
        steps: steps of the whole run so far.
        digest: of parameters and running statistics, as gensyn-run prints it.
        history: a dict for each epoch of this call: epoch, step, loss, eval_loss, ..., digest, seconds.
        stopped_early: why the recipe's early_stopping ended the run, or an empty string.
        best: the file with the parameters of the best epoch, if the recipe has `best` and the run a folder.
        was_finished: True if there was nothing to do.
    """

    steps: int
    digest: str
    history: list[dict[str, Any]]
    stopped_early: str
    best: str
    was_finished: bool


class Trainer:
    """A training run, with the bits of `gensyn-run train`.

    The run goes on from call to call: its parameters, the state of the optimizer, the number of its steps. A module of
    PyTorch is exported when the first data come, a model of Keras at once if it is built. Both have the trained
    parameters and running statistics after each call of `fit`.
    """

    def __init__(
        self,
        model: Any,
        recipe: Any,
        *,
        example_inputs: Any = None,
        folder: str | os.PathLike[str] | None = None,
        resume: bool = False,
        overwrite: bool = False,
        checkpoint_every: str = "1epoch",
        keep: int = 2,
        on_nan: str = "stop",
        parameters: str | os.PathLike[str] | None = None,
        backend: str = "cpu",
        threads: int = 0,
        instruction_set: str = "native",
        device: int | None = None,
        device_memory: int = 0,
        dims: Mapping[str, int] | None = None,
        memory_budget: int = 0,
        cache: str | os.PathLike[str] | None = None,
        join_ranks: bool = True,
        shard: str = "none",
        parallel: Mapping[str, int] | None = None,
        check_every: int = 0,
        rank_timeout: float = 60,
    ) -> None:
        """Reads the recipe, and opens the model if it is a file.

        Args:
            model: an ONNX file, a file of `gensyn-run compile`, a torch.nn.Module, or a keras.Model.
            recipe: a gensyn.Recipe, a dict with the keys of docs/Running.md, or the path of a recipe. Losses,
                optimizers and schedules in it may be objects of PyTorch or Keras.
            example_inputs: for a module: what it is exported with, a tensor, a tuple or a dict of them; None: the first
                batch of the data. For a model of Keras as for `gensyn.from_keras`.
            folder: where the run is written: log, TensorBoard events, checkpoints, parameters; None: nowhere.
            resume: go on with the run in the folder, if there is one.
            overwrite: remove the run in the folder.
            checkpoint_every: "500steps", "2epochs" or "30s".
            keep: number of checkpoints to keep.
            on_nan: "stop": a loss or parameter that is not finite is an error; or "continue".
            parameters: a file of tensors, or the folder of a run, with values to begin with.
            memory_budget: bytes that the tensors of a step may take; values are recomputed to keep it. 0: no limit.
            backend, threads, instruction_set, dims, cache: as of `gensyn.compile`.
            device: the number of the GPU of the back end "cuda"; None: 0, and of several processes of a machine one
                each.
            device_memory: bytes of the GPU's memory that may be taken; 0: all that is free. Where it is too little, the
                optimizer's state stays in the host's memory, with the same bits.
            join_ranks: train together with the other processes that mpirun or srun started; False: alone.
            shard: what these divide: "none", "optimizer", "gradients" or "parameters", each also what is before it.
            parallel: {"data": groups, "pipeline": stages, "interleave": chunks, "tensor": tiles}: a group of `pipeline`
                times `tensor` processes runs a microbatch, and a stage has `interleave` chunks of the model. Those that
                are left out are 1, and "data" as many as there are.
            check_every: processes compare all tensors after each of so many steps; 0: never.
            rank_timeout: seconds after which a process that does not answer is lost.

        Raises:
            UsageError: an argument that has no meaning.
            BadInputError: a malformed model or recipe.
            UnsupportedError: an object of PyTorch or Keras, or a layer, that a recipe cannot express.
            FileError: a file cannot be read, or the folder has a run already.
        """
        if on_nan not in ("stop", "continue"):
            raise UsageError(f"on_nan is {on_nan!r}, expected 'stop' or 'continue'")
        if resume and overwrite:
            raise UsageError("resume and overwrite are given together")
        self._module = as_module(model)
        if self._module is None and example_inputs is not None:
            raise UsageError("example inputs are for a torch.nn.Module or a keras.Model, and the model is a file")
        self._recipe = read_recipe(recipe, self._module)
        if self._module is not None:
            self._module.complete_recipe(self._recipe)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._observer = Observer()
        self._observer.trainer = weakref.ref(self)
        self._observer.speaks = not join_ranks or _ranks.rank() == 0
        groups = dict(parallel or {})
        if not groups.keys() <= {"data", "pipeline", "interleave", "tensor"}:
            raise UsageError(
                f"parallel is {groups!r}, expected a dict with 'data', 'pipeline', 'interleave' and 'tensor'"
            )
        self._options: dict[str, Any] = {
            "library": __file__,
            "recipe_name": os.fsdecode(recipe) if isinstance(recipe, (str, os.PathLike)) else "the recipe",
            "backend": str(backend),
            "instruction_set": str(instruction_set),
            "threads": whole(threads, "threads", 0, 4096),
            "device_memory": whole(device_memory, "device_memory", 0, 2**63 - 1),
            "device": -1 if device is None else whole(device, "device", 0, 2**16),
            "dims": {str(name): whole(size, f"dims[{name!r}]", 1, 2**40) for name, size in (dims or {}).items()},
            "cache": _core.default_cache() if cache is None else path_of(cache, "cache"),
            "memory_budget": whole(memory_budget, "memory_budget", 0, 2**63 - 1),
            "parameters": "" if parameters is None else path_of(parameters, "parameters"),
            "folder": "" if folder is None else path_of(folder, "folder"),
            "start": "resume" if resume else "replace" if overwrite else "new",
            "checkpoint_every": checkpoint_every,
            "keep": whole(keep, "keep", 1, 2**31),
            "stop_on_nan": on_nan == "stop",
            "joins_ranks": bool(join_ranks),
            "rank_timeout": float(rank_timeout),
            "shard": str(shard),
            "parallel": {what: whole(count, f"parallel[{what!r}]", 1, 2**20) for what, count in groups.items()},
            "check_every": whole(check_every, "check_every", 0, 2**62),
        }
        if join_ranks:
            _ranks.remember(self)
        self._run: _Run | None = None
        self._pending: _State | None = None
        if self._module is None:
            self._open(path_of(model, "model"))
        elif example_inputs is not None or not self._module.needs_example:
            self._export(example_inputs)

    def fit(
        self,
        data: Any,
        eval_data: Any = None,
        *,
        epochs: int | None = None,
        max_steps: int | None = None,
        callbacks: Iterable[Callback] = (),
        progress: bool | None = None,
        sequence_length: int = 0,
    ) -> FitResult:
        """Trains until the run has `epochs` epochs, or `max_steps` steps.

        Called again with the same numbers it has nothing to do, and after an interruption it goes on where that was:
        Ctrl-C ends a run after its step, with a checkpoint if it has a folder, and is raised as KeyboardInterrupt.

        Args:
            data: samples: a tuple of arrays in the order of the model's inputs, the target last, a dict of arrays by
                name, a file or a list of files, or a dataset (`__getitem__` and `__len__`), with the recipe's
                batch_size and shuffle. Or batches: a DataLoader, a list of batches, or anything else that can be
                iterated once an epoch; each is a step.
            eval_data: the same, for an evaluation after each epoch.
            epochs: of the whole run; None: those of the recipe.
            max_steps: of the whole run; None: no limit.
            callbacks: objects of gensyn.Callback.
            progress: True or False; None: a bar in a terminal or a notebook.
            sequence_length: cut streams of tokens, in files or an array, into windows of that many.

        Raises:
            BadInputError: data that do not fit the model, or a loss or parameter that is not finite.
            UsageError, UnsupportedError, FileError, OutOfResourcesError: as elsewhere. What an iterator or a callback
                raises leaves this function too, after the step in progress.
        """
        core, form = self._prepare(data)
        length = whole(sequence_length, "sequence_length", 0, 2**40)
        batches = _data.make_data(data, form, length, "data")
        of_evaluation = _data.for_evaluation(form)
        evaluation = None if eval_data is None else _data.make_data(eval_data, of_evaluation, length, "eval_data")
        self._observer.prepare(callbacks, progress)
        before = core.steps()
        try:
            result = core.fit(
                batches,
                evaluation,
                0 if epochs is None else whole(epochs, "epochs", 1, 10**9),
                0 if max_steps is None else whole(max_steps, "max_steps", 1, 2**62),
            )
        finally:
            self._observer.finish()
            if self._module is not None and core.steps() > before and not _core.have_ranks_failed():
                self._module.update(core.model(), core.steps() - before)
        return FitResult(
            result["steps"],
            result["digest"],
            self._observer.history,
            result["stopped_early"],
            result["best"],
            result["was_finished"],
        )

    def step(self, batch: Any) -> float:
        """Runs one step outside of epochs and returns its loss. A module is changed by `update_module` alone.

        A schedule that counts epochs counts those of `fit`.

        Args:
            batch: a tuple of arrays in the order of the model's inputs, the target last, or a dict of arrays by name.
        """
        core, form = self._prepare([batch])
        return float(core.step(_data.make_tensors(batch, form, "the batch: "))["loss"])

    def evaluate(self, data: Any, *, sequence_length: int = 0) -> dict[str, Any]:
        """Returns the loss, and the metrics of the recipe, over data in any form that `fit` takes."""
        core, form = self._prepare(data)
        length = whole(sequence_length, "sequence_length", 0, 2**40)
        return core.evaluate(_data.make_data(data, _data.for_evaluation(form), length, "data"))

    def stop(self) -> None:
        """Ends a call of `fit` after its step; from a callback, or another thread."""
        if self._run is not None:
            self._run.core.stop()

    def state_dict(self) -> dict[str, Any]:
        """Returns copies of all that a run needs to go on.

        Returns:
            "model": parameters and running statistics by name, "optimizer": its state by name ("fc.weight.exp_avg"),
            "position": a text with the step and the epoch.
        """
        model, optimizer, position = self._opened().core.state()
        return {"model": model, "optimizer": optimizer, "position": position}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on from a state of `state_dict`, of a run of the same model and optimizer."""
        try:
            parts = _State(
                _convert.typed_arrays(state["model"]), _convert.typed_arrays(state["optimizer"]), str(state["position"])
            )
        except (KeyError, TypeError, AttributeError):
            raise UsageError("the state is not one of state_dict()") from None
        if self._run is None:
            self._pending = parts
        else:
            self._run.core.set_state(*parts, "the state")

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes a checkpoint, a folder that is replaced as a whole."""
        self._opened().core.save(path_of(path, "path"))

    def load(self, path: str | os.PathLike[str]) -> None:
        """Goes on from a checkpoint of `save`, or of the folder of a run (run/checkpoints/step-100)."""
        self._opened().core.load(path_of(path, "path"))

    def update_module(self) -> None:
        """Copies parameters and running statistics into the module, as `fit` does at its end."""
        if self._module is None:
            raise UsageError("the model is a file, not a torch.nn.Module or a keras.Model")
        self._module.update(self._opened().core.model(), 0)

    @property
    def recipe(self) -> dict[str, Any]:
        """The recipe as it is used, with the keys of docs/Running.md."""
        return dict(self._recipe)

    @property
    def steps(self) -> int:
        """Steps of the run so far."""
        return 0 if self._run is None else self._run.core.steps()

    @property
    def epochs(self) -> int:
        """Epochs that are complete."""
        return 0 if self._run is None else self._run.core.epochs()

    @property
    def inputs(self) -> tuple[TensorSpec, ...]:
        """What a batch consists of: the model's inputs, and the target last if the loss has one."""
        return self._opened().form.inputs

    @property
    def digest(self) -> str:
        """The digest of parameters and running statistics, as gensyn-run prints it."""
        return self._opened().core.digest()

    @property
    def program_digest(self) -> str | None:
        """The digest of the program of the last step or evaluation."""
        return None if self._run is None else self._run.core.program_digest() or None

    def _opened(self) -> _Run:
        if self._run is None:
            raise UsageError("the module is exported with the first data, or with example_inputs: nothing is known yet")
        return self._run

    def _prepare(self, data: Any) -> _Run:
        """Exports the module when the first data are there."""
        if self._run is not None:
            return self._run
        assert self._module is not None  # a file is open from the start
        if _data.is_files(data):
            raise UsageError(f"a {self._module.kind} needs example_inputs where the data are files")
        example = _data.first_batch(data)
        if example is None:
            raise BadInputError("data: there are no batches")
        return self._export(self._module.inputs_of(example, self._recipe))

    def _export(self, example: Any) -> _Run:
        assert self._module is not None
        self._folder = tempfile.TemporaryDirectory(prefix="gensyn-")
        return self._open(self._module.export(example, self._folder.name, training=True))

    def _open(self, model: str) -> _Run:
        core = _core.Training(
            model=model,
            recipe=write_recipe(self._recipe),
            observer=self._observer,
            finish=_convert.with_type,
            **self._options,
        )
        inputs = tuple(TensorSpec(*each) for each in core.inputs())
        for each in inputs:
            _convert.require_known_type(each.name, each.type)
        recipe = self._recipe
        form = _data.Form(
            inputs,
            recipe.get("batch_size") or 0,
            recipe.get("accumulate") or 1,
            bool(recipe.get("shuffle")),
            recipe.get("seed") or 0,
            bool(recipe.get("drop_last")),
        )
        if self._pending is not None:
            core.set_state(*self._pending, "the state")
            self._pending = None
        self._run = _Run(core, form)
        return self._run


class _Run(NamedTuple):
    """The run in the runtime, and what its batches consist of."""

    core: _core.Training
    form: _data.Form


class _State(NamedTuple):
    """A state as the runtime takes it."""

    model: list[tuple[str, str, Array]]
    optimizer: list[tuple[str, str, Array]]
    position: str
