#!/bin/bash
# mpirun of Open MPI 4.1 without three of its mistakes.
# Of several that begin at once one fails when it finds that another has just made the folder that all of them have for
# temporary files: so it gets a folder of its own.
TMPDIR=$(mktemp -d) && export TMPDIR || exit
# Where ranks abort, it sometimes crashes or waits forever once all of them have ended (in PMIx_server_finalize of PMIx
# 4.2), and their exit code is lost. What it wrote before tells the code.
watch() {
  idle=0
  while kill -0 "$1"; do
    sleep 1
    # Ranks that have ended and were not waited for do not count.
    if pgrep -P "$1" -r D,R,S,T >"$TMPDIR/ranks"; then idle=0; else idle=$((idle + 1)); fi
    if [ "$idle" -ge 20 ]; then kill -KILL "$1" && echo "PMIx_server_finalize waits" >>"$TMPDIR/stderr"; fi
  done
}
{
  {
    mpirun.openmpi --oversubscribe "$@" 2>&1 1>&3 3>&- &
    watch $! >"$TMPDIR/watch" 2>&1 3>&- &
    wait %1
    echo $? >"$TMPDIR/code"
  } | tee -a "$TMPDIR/stderr" >&2
} 3>&1
trap 'rm -rf "$TMPDIR"' EXIT
code=$(cat "$TMPDIR/code")
if grep -q PMIx_server_finalize "$TMPDIR/stderr"; then
  told=$(sed -n 's/^with errorcode \([0-9]*\)\.$/\1/p' "$TMPDIR/stderr" | head -n 1)
fi
exit "${told:-$code}"
