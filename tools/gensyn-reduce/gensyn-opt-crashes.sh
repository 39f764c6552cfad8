#!/bin/sh
# An interestingness test of gensyn-reduce: gensyn-opt is killed by a signal.
#
#   gensyn-opt-crashes.sh [OPTION OF gensyn-opt]... FILE
#
# Exit code 1 (interesting) if it does, else 0. GENSYN_OPT is another gensyn-opt
# than the one beside this script.
set -u
opt=${GENSYN_OPT:-$(dirname "$0")/gensyn-opt}
"$opt" "$@" >/dev/null 2>&1
[ $? -ge 128 ] && exit 1
exit 0
