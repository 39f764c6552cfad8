"""Runs a command on a terminal and prints what it shows, a line for each redrawing.

terminal.py COLUMNS COMMAND...
"""

import fcntl
import os
import pty
import re
import struct
import sys
import termios

child, terminal = pty.fork()
if child == 0:
    fcntl.ioctl(2, termios.TIOCSWINSZ, struct.pack("HHHH", 40, int(sys.argv[1]), 0, 0))
    os.environ["TERM"] = "xterm"
    os.execvp(sys.argv[2], sys.argv[2:])
shown = b""
while True:
    try:
        piece = os.read(terminal, 4096)
    except OSError:  # The other end is closed.
        break
    if not piece:
        break
    shown += piece
text = re.sub("\x1b\\[[0-9]*[mK]", "", shown.decode())
print("\n".join(line for line in re.split("[\r\n]+", text) if line))
sys.exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
