"""How long a test and its commands may take."""

import os


def slowness(sanitized):
    """How many times longer than without: with sanitizers ("ON" or "OFF")."""
    return 10 if sanitized == "ON" else 1


def most_seconds(sanitized):
    """Of a whole test; what takes longer hangs."""
    return 900 * slowness(sanitized)


def seconds(usual):
    """The limit, in seconds, of a command that hangs if it takes longer than
    `usual` without sanitizers; lit says how many times slower it may be with."""
    return usual * int(os.environ.get("GENSYN_TEST_SLOWNESS", "1"))
