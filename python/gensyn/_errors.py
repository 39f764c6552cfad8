"""The exceptions of the package: a class for each exit code of gensyn-run."""

from __future__ import annotations

import re
import sys


class Error(Exception):
    """An error that gensyn reports: one line, and often advice.

    Attributes:
        note: a line of advice, or an empty string.
        exit_code: with which gensyn-run ends on such an error (docs/Running.md).
    """

    exit_code: int = 1

    def __init__(self, message: str, note: str = "") -> None:
        super().__init__(message)
        self.note = note
        if note and sys.version_info >= (3, 11):
            self.add_note("note: " + note)

    def __reduce__(self) -> tuple[type[Error], tuple[str, str]]:
        return type(self), (str(self), self.note)


class UsageError(Error, ValueError):
    """An argument that has no meaning, such as an unknown back end (exit code 2)."""

    exit_code = 2


class BadInputError(Error, ValueError):
    """A malformed model, or data that do not fit it (exit code 3)."""

    exit_code = 3


class UnsupportedError(Error, NotImplementedError):
    """Something that this version, this build or this machine lacks (exit code 4)."""

    exit_code = 4


class FileError(Error, OSError):
    """A file that cannot be read or written (exit code 5)."""

    exit_code = 5


class OutOfResourcesError(Error, MemoryError):
    """Memory or time ran out, or a device cannot launch as much (exit code 6)."""

    exit_code = 6


class InternalError(Error, RuntimeError):
    """A bug in gensyn (exit code 70)."""

    exit_code = 70


CLASSES = {
    each.exit_code: each
    for each in (UsageError, BadInputError, UnsupportedError, FileError, OutOfResourcesError, InternalError)
}


# Option of gensyn-run -> argument of `gensyn.compile`, `gensyn.Trainer` or `Trainer.fit`.
ARGUMENTS = {
    "--accuracy": "accuracy",
    "--backend": "backend",
    "--cache": "cache",
    "--check-every": "check_every",
    "--dim": "dims",
    "--eval-data": "eval_data",
    "--instruction-set": "instruction_set",
    "--memory-budget": "memory_budget",
    "--on-nan": "on_nan",
    "--overwrite": "overwrite=True",
    "--parallel": "parallel",
    "--parameters": "parameters",
    "--profile": "profile=True",
    "--resume": "resume=True",
    "--seed": "seed",
    "--rank-timeout": "rank_timeout",
    "--sequence-length": "sequence_length",
    "--shard": "shard",
    "--threads": "threads",
}


def in_python(text: str) -> str:
    """Advice of the runtime, which names options of gensyn-run, with the arguments that the package has for them."""
    text = re.sub(r"--dim (\S+?)=(\w+)", r'dims={"\1": \2}', text)
    text = re.sub(r"--on-nan (continue|stop)\b", r'on_nan="\1"', text)
    text = re.sub(r"--(accuracy|backend) (fast|accurate|exact|cpu|cuda|ptx-sim|reference)\b", r'\1="\2"', text)
    return re.sub(
        r"(?<![\w-])--[a-z][a-z-]*\b", lambda found: ARGUMENTS.get(found[0], f"gensyn-run's {found[0]}"), text
    )


def make_error(code: int, message: str, note: str) -> BaseException:
    """Returns the exception for an exit code of the runtime."""
    if code == 130:
        return KeyboardInterrupt(message)
    # Elsewhere in a message two dashes are part of a name.
    first, space, rest = message.partition(" ")
    return CLASSES.get(code, InternalError)(in_python(first) + space + rest, in_python(note))
