"""Progress of a run: the bar, the history, and callbacks."""

from __future__ import annotations

import sys
import time
import warnings
import weakref
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gensyn._trainer import Trainer

    Record = dict[str, Any]


class Callback:
    """Is told what happens in `Trainer.fit`; methods that are not overridden do nothing.

    A method may read the trainer's state and call `trainer.stop()`. An exception ends the run after its step, which is
    saved as after Ctrl-C, and leaves `fit`.
    """

    def on_fit_begin(self, trainer: Trainer, info: Record) -> None:
        """Before the first step. `info`: parameters, samples, batch_size, steps (0: not known), epochs, digests."""

    def on_step_end(self, trainer: Trainer, record: Record) -> None:
        """After each step. `record`: step, epoch, samples, loss, lr, other metrics (grad_norm, ...), seconds."""

    def on_epoch_end(self, trainer: Trainer, record: Record) -> None:
        """After an epoch, or the part of one: epoch, step, complete, loss (the mean of the steps'), eval_loss and other
        metrics of the evaluation, digest (of the parameters), seconds."""


class Observer:
    """Receives the events of a run from the runtime."""

    def __init__(self) -> None:
        self.trainer: weakref.ref[Trainer] | None = None
        self.callbacks: list[Callback] = []
        self.history: list[Record] = []
        self.wants_bar: bool | None = None
        self.info: Record = {}
        self.bar: Any = None
        # Of ranks that train together the first one speaks for all.
        self.speaks = True

    def prepare(self, callbacks: Iterable[Callback], progress: bool | None) -> None:
        """Before a call of fit."""
        self.callbacks, self.history = list(callbacks), []
        self.wants_bar = progress if self.speaks else False

    def begin(self, info: Record) -> None:
        self.info = info
        self.bar = make_bar(info, self.wants_bar)
        for callback, trainer in self._listeners():
            callback.on_fit_begin(trainer, info)

    def step(self, record: Record) -> None:
        if self.bar is not None:
            self.bar.set_postfix(
                epoch=f"{record['epoch']}/{self.info['epochs']}", loss=f"{record['loss']:.4g}", refresh=False
            )
            self.bar.update(1)
        for callback, trainer in self._listeners():
            callback.on_step_end(trainer, record)

    def watches_steps(self) -> bool:
        """True if a callback may read the state after each step, or stop the run."""
        return any(
            getattr(callback.on_step_end, "__func__", None) is not Callback.on_step_end for callback in self.callbacks
        )

    def epoch(self, record: Record) -> None:
        self.history.append(record)
        for callback, trainer in self._listeners():
            callback.on_epoch_end(trainer, record)

    def warn(self, text: str) -> None:
        if self.speaks:
            warnings.warn(text, stacklevel=4)

    def finish(self) -> None:
        """After a call of fit, also after one that failed."""
        if self.bar is not None:
            self.bar.close()
        self.bar, self.callbacks = None, []

    def _listeners(self) -> list[tuple[Callback, Any]]:
        trainer = self.trainer() if self.trainer else None
        return [(callback, trainer) for callback in self.callbacks]


def make_bar(info: Record, wanted: bool | None) -> Any:
    """Returns a bar of tqdm, for the terminal or the notebook, or None: without tqdm, and without a terminal."""
    if wanted is False:
        return None
    try:
        from tqdm.auto import tqdm
    except ImportError:
        return _Line(info) if wanted or sys.stderr.isatty() else None
    total = info["steps"] or None
    # With disable=None it shows nothing where stderr is not a terminal; notebooks count as one.
    return tqdm(total=total, initial=info["resumed_step"], unit="step", disable=None if wanted is None else False)


class _Line:
    """A line that is written over and over, where there is no tqdm."""

    def __init__(self, info: Record) -> None:
        self.total, self.done, self.text = info["steps"], info["resumed_step"], ""
        self.written = 0.0

    def set_postfix(self, refresh: bool = True, **values: str) -> None:
        self.text = ", ".join(f"{name}={value}" for name, value in values.items())

    def update(self, count: int) -> None:
        self.done += count
        if time.monotonic() - self.written > 0.1:
            self.write()

    def write(self) -> None:
        self.written = time.monotonic()
        total = f"/{self.total}" if self.total else ""
        sys.stderr.write(f"\r{self.done}{total} {self.text}\x1b[K")
        sys.stderr.flush()

    def close(self) -> None:
        self.write()
        sys.stderr.write("\n")
