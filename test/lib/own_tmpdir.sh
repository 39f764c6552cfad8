#!/bin/sh
# Runs a command with a folder of its own for temporary files. Of several mpirun of Open MPI that begin at once one fails
# when it finds that another one has just made the folder that all of them have there.
TMPDIR=$(mktemp -d) && export TMPDIR && exec "$@"
