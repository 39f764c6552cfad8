#!/bin/sh
# An interestingness test of gensyn-reduce: a pass changes a bit of the module.
#
#   check-bits-fails.sh [OPTION OF gensyn-opt]... FILE
#
# Exit code 1 (interesting) if `gensyn-opt --check-bits` names a pass, else 0.
# GENSYN_OPT is another gensyn-opt than the one beside this script.
set -u
opt=${GENSYN_OPT:-$(dirname "$0")/gensyn-opt}
if "$opt" --check-bits=all "$@" 2>&1 >/dev/null | grep -q 'changes a bit\|changes bits'; then
  exit 1
fi
exit 0
