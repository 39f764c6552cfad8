"""Loads the extension module, which every other module of the package imports."""

from __future__ import annotations

import os
import sys

_flags = sys.getdlopenflags()
# TensorFlow puts a protobuf of another version into the global scope, and the extension must not call that.
if "tensorflow" in sys.modules:
    sys.setdlopenflags(_flags | getattr(os, "RTLD_DEEPBIND", 0))
try:
    from gensyn import _core
finally:
    sys.setdlopenflags(_flags)

__all__ = ["_core"]
