"""How long a command of a test may take."""

import os


def seconds(usual):
    """The limit, in seconds, of a command that hangs if it takes longer than
    `usual` without sanitizers; lit says how many times slower it may be with."""
    return usual * int(os.environ.get("GENSYN_TEST_SLOWNESS", "1"))
