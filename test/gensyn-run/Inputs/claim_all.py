"""Runs a command while each place of a file is locked, as by processes that make what the command wants to make.

claim_all.py FILE COMMAND...
"""

import fcntl
import struct
import subprocess
import sys

with open(sys.argv[1], "w") as claims:
    # struct flock: type, start of counting, first place, number of places (0: all), process.
    fcntl.fcntl(claims, fcntl.F_OFD_SETLK, struct.pack("hhqqi", fcntl.F_WRLCK, 0, 0, 0, 0))
    sys.exit(subprocess.call(sys.argv[2:]))
