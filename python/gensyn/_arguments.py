"""Checks of arguments that several functions take."""

from __future__ import annotations

import os
from typing import Any

from gensyn._errors import UsageError


def path_of(path: Any, name: str) -> str:
    """Returns a path as text."""
    try:
        text = os.fsdecode(path)
        text.encode()
    except (TypeError, UnicodeEncodeError):
        raise UsageError(f"{name} is {path!r}, expected the path of a file") from None
    if "\0" in text:
        raise UsageError(f"{name} is {path!r}, and a path has no null character")
    return text


def whole(number: Any, name: str, low: int, high: int) -> int:
    """Returns a whole number in a range, both ends of which are in it."""
    try:
        value = number.__index__()
    except (AttributeError, TypeError):
        value = None
    if value is None or not low <= value <= high:
        raise UsageError(f"{name} is {number!r}, expected a whole number from {low} to {high}")
    return int(value)
