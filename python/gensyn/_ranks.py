"""Processes that train together: the ranks that mpirun or srun starts."""

from __future__ import annotations

import atexit
import sys
import weakref
from typing import TYPE_CHECKING

from gensyn import _core

if TYPE_CHECKING:
    from gensyn._trainer import Trainer


def rank() -> int:
    """Returns the number of this process among those that a launcher started, from 0; 0 if it is alone."""
    return _core.rank()


def ranks() -> int:
    """Returns how many processes the launcher started; 1 if this one is alone.

    Launchers with PMIx alone tell it with the first trainer.
    """
    return _core.ranks()


_trainers: weakref.WeakSet[Trainer] = weakref.WeakSet()


def remember(trainer: Trainer) -> None:
    """Lets a trainer end before its ranks do."""
    if not _trainers:
        atexit.unregister(_finish)
        atexit.register(_finish)
    _trainers.add(trainer)


def _finish() -> None:
    """At the end of the script: the other ranks wait for this one, unless they learn that it failed."""
    for trainer in list(_trainers):
        trainer._run = None
    error = getattr(sys, "last_value", None)
    _core.finish_ranks("" if error is None else f"its script ended with {type(error).__name__}: {error}")
