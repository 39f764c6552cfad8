"""lit: the GoogleTest binaries, in shards."""

import os
import sys

import lit.formats

config.name = "gensyn-unit"
config.test_format = lit.formats.GoogleTest(".", "Tests")
config.test_source_root = os.path.join(config.gensyn_build, "test", "unit")
config.test_exec_root = config.test_source_root
for name in ("HOME", "XDG_CACHE_HOME", "GENSYN_TEST_ALL", "ASAN_OPTIONS", "TSAN_OPTIONS", "UBSAN_OPTIONS"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
sys.path.insert(0, os.path.join(config.gensyn_source, "test", "lib", "Python"))
from limits import most_seconds  # noqa: E402

lit_config.maxIndividualTestTime = most_seconds(config.sanitized)
