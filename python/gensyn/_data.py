"""Forms of data for training: arrays, files, datasets, and anything that yields batches."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from gensyn import _convert, _core
from gensyn._errors import BadInputError, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gensyn._program import TensorSpec

    Tensors = list[tuple[str, str, Any]]


class Form(NamedTuple):
    """What a batch consists of, and how many samples a step has.

    Attributes:
        inputs: the inputs of the model, and the target last if there is one.
        microbatch: samples of a microbatch; 0 if the recipe does not say.
        accumulate: microbatches of a step.
        shuffle, seed, drop_last: of the recipe.
    """

    inputs: tuple[TensorSpec, ...]
    microbatch: int
    accumulate: int
    shuffle: bool
    seed: int
    drop_last: bool


def is_array(value: Any) -> bool:
    """True for an array of any framework."""
    return isinstance(value, numpy.ndarray) or hasattr(value, "__dlpack__")


def is_files(data: Any) -> bool:
    """True for a path, or a sequence of paths."""
    if isinstance(data, (str, os.PathLike)):
        return True
    return isinstance(data, (list, tuple)) and bool(data) and all(isinstance(each, (str, os.PathLike)) for each in data)


def first_batch(data: Any) -> Any:
    """Returns a batch, or the first samples, of any form of data but files, as the arguments of a module."""
    if isinstance(data, Mapping):
        return {name: value[:2] for name, value in data.items()}
    if is_array(data):
        return data[:2]
    if isinstance(data, tuple):
        return tuple(each[:2] for each in data)
    if tensors := _tensors_of(data):
        return tuple(each[:2] for each in tensors)
    if _is_indexed(data):
        return _collate([data[i] for i in range(min(2, len(data)))])
    if iter(data) is data:
        raise UsageError("example_inputs are needed where the data are an iterator, which has its batches only once")
    return next(iter(data), None)


def make_data(data: Any, form: Form, sequence_length: int, what: str) -> Any:
    """Returns what the runtime takes: arrays and files as a set of samples, batches as a stream."""
    if is_files(data):
        parts = [data] if isinstance(data, (str, os.PathLike)) else data
        return _core.Data.of_files([os.fsdecode(each) for each in parts], sequence_length)
    data = _tensors_of(data) or data
    if sequence_length:
        if not is_array(data):
            raise UsageError(f"{what}: sequence_length is for files, and for an array of tokens")
        tokens = numpy.ascontiguousarray(data)
        return _core.Data.of_arrays(what, [("tokens", tokens.dtype.name, tokens)], sequence_length)
    if isinstance(data, (Mapping, tuple)) or is_array(data):
        return _core.Data.of_arrays(what, make_tensors(data, form, f"{what}: "), 0)
    if _is_indexed(data):
        return _Stream(_Indexed(data, form, what), form, what)
    if isinstance(data, Iterable):
        return _Stream(data, form, what)
    raise UsageError(
        f"{what} is {type(data).__name__}, expected arrays (a tuple or a dict), a path, a dataset, or batches"
    )


def make_tensors(batch: Any, form: Form, where: str) -> Tensors:
    """Returns the tensors of a batch, by name, with the types that the model takes."""
    names = [spec.name for spec in form.inputs]
    if isinstance(batch, Mapping):
        unknown = [str(name) for name in batch if name not in names]
        if unknown:
            raise BadInputError(f"{where}{unknown[0]!r} is not among {names}, which the model and its loss take")
        values = dict(batch)
    else:
        if not isinstance(batch, Iterable):
            raise BadInputError(f"{where}is {type(batch).__name__}, expected arrays, in a tuple or by name")
        given = _flatten([batch] if is_array(batch) else list(batch))
        if len(given) != len(names):
            raise BadInputError(f"{where}got {len(given)} arrays, expected {len(names)}: {names}")
        values = dict(zip(names, given))
    missing = [name for name in names if name not in values]
    if missing:
        raise BadInputError(f"{where}there is no {missing[0]!r}; the model and its loss take {names}")
    return [(spec.name, spec.type, _convert.to_array(values[spec.name], spec.name, spec.type)) for spec in form.inputs]


def _flatten(values: list[Any]) -> list[Any]:
    """Batches of the form ((x1, x2), y) have one level more."""
    flat: list[Any] = []
    for value in values:
        flat += list(value) if isinstance(value, (tuple, list)) and value and is_array(value[0]) else [value]
    return flat


def _tensors_of(data: Any) -> tuple[Any, ...] | None:
    """The arrays of a TensorDataset of PyTorch."""
    tensors = getattr(data, "tensors", None)
    is_set = type(data).__name__ == "TensorDataset" and isinstance(tensors, tuple)
    return tensors if is_set else None


def _is_indexed(data: Any) -> bool:
    """True for a dataset whose samples have numbers; lists are batches."""
    has_both = hasattr(data, "__getitem__") and hasattr(data, "__len__")
    return has_both and not isinstance(data, (Sequence, Mapping)) and not is_array(data)


def _collate(samples: list[Any]) -> Any:
    """Stacks samples to a batch, each part for itself."""
    first = samples[0]
    if isinstance(first, Mapping):
        return {name: _stack([sample[name] for sample in samples]) for name in first}
    if isinstance(first, (tuple, list)):
        return tuple(_stack([sample[i] for sample in samples]) for i in range(len(first)))
    return _stack(samples)


def _stack(values: list[Any]) -> Any:
    arrays = [_convert.read_array(value, "sample") for value in values]
    try:
        return numpy.stack(arrays)
    except ValueError as error:
        raise BadInputError(f"data: samples cannot be stacked to a batch: {error}") from None


def for_evaluation(form: Form) -> Form:
    """Returns the form of batches of an evaluation: all samples, in order, by microbatches."""
    return form._replace(accumulate=1, shuffle=False, drop_last=False)


class _Indexed:
    """The batches of a dataset whose samples have numbers: those of arrays with the same samples."""

    def __init__(self, dataset: Any, form: Form, what: str) -> None:
        self.dataset, self.form = dataset, form
        self.epoch = 1
        count, form = len(dataset), self.form
        micro = form.microbatch or 1
        if not form.microbatch:
            raise UsageError("a dataset needs the recipe's batch_size")
        if form.drop_last and micro * form.accumulate > count:
            raise BadInputError(f"{what}: {count} samples do not fill a batch of {micro * form.accumulate}")
        step = min(micro * form.accumulate, count)
        self.step = step - step % micro if step > micro else step
        left = 0 if form.drop_last else count % max(self.step, 1)
        part = min(micro, self.step)
        self.rests = [each for each in (left - left % max(part, 1), left % max(part, 1)) if each]
        self.whole = count // self.step if self.step else 0

    def __len__(self) -> int:
        return self.whole + len(self.rests)

    def batches(self) -> Iterator[list[int]]:
        count = len(self.dataset)
        order = _core.permutation(count, self.form.seed, self.epoch) if self.form.shuffle else list(range(count))
        begin = 0
        for size in [self.step] * self.whole + self.rests:
            yield order[begin : begin + size]
            begin += size

    def __iter__(self) -> Iterator[Any]:
        for indices in self.batches():
            yield _collate([self.dataset[i] for i in indices])


class _Stream:
    """Batches for the runtime, which calls these methods; see _core."""

    def __init__(self, data: Iterable[Any], form: Form, what: str) -> None:
        self.data, self.form, self.what = data, form, what
        self.iterator: Iterator[Any] = iter(())
        self.count = 0

    def name(self) -> str:
        return self.what

    def length(self) -> int:
        try:
            return len(self.data)  # type: ignore[arg-type]
        except TypeError:
            return 0

    def begin(self, epoch: int) -> None:
        if isinstance(self.data, _Indexed):
            self.data.epoch = epoch
        for sampler in (getattr(self.data, "sampler", None), getattr(self.data, "batch_sampler", None)):
            if sampler is not None and hasattr(sampler, "set_epoch"):
                sampler.set_epoch(epoch - 1)
        self.iterator = iter(self.data)
        self.count = 0

    def next(self) -> Tensors | None:
        batch = next(self.iterator, _END)
        if batch is _END:
            return None
        tensors = make_tensors(batch, self.form, f"{self.what}: batch {self.count}: ")
        self.count += 1
        return tensors

    def skip(self) -> bool:
        self.count += 1
        return next(self.iterator, _END) is not _END


_END = object()
