#!/usr/bin/env bash
# gensyn-opt for AArch64 under an emulator against the one for this processor.
#
#   test/Integration/aarch64_compiler.sh BUILD COMPILER
#
# Both run the RUN lines of the tests of passes that write one text and read one file. The texts must
# be equal to the last byte: digests, schedules and code do not depend on where the compiler runs.
# Exit status 1 where one differs. $GENSYN_AARCH64_LIBRARIES is the folder that
# `cmake/dependencies.sh --aarch64-compiler` prints.
set -euo pipefail
export LC_ALL=C.UTF-8

build=$(realpath "$1")
compiler=$(realpath "$2")
libraries=$GENSYN_AARCH64_LIBRARIES
cd "$(dirname "$0")/../.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
there=(qemu-aarch64-static -L /usr/aarch64-linux-gnu
  -E "LD_LIBRARY_PATH=$libraries/usr/lib/aarch64-linux-gnu:$libraries/lib/aarch64-linux-gnu:$libraries/usr/lib/llvm-22/lib"
  "$compiler/bin/gensyn-opt")

"${there[@]}" --version | sed 1q
compared=0 failed=0
while IFS= read -r file; do
  # Options with quotes, substitutions or several files would need lit.
  options=$(sed -n 's/^\/\/ RUN: gensyn-opt %s \(\(-[^|"%>]*\)\) *| *FileCheck %s *$/\1/p' "$file" | sed -n 1p)
  [[ -n "$options" && "$options" != *[\'\\\$]* ]] || continue
  read -ra words <<< "$options"
  "$build/bin/gensyn-opt" "$file" "${words[@]}" > "$out/here" 2> "$out/errors" || continue
  if ! "${there[@]}" "$file" "${words[@]}" > "$out/there" 2> "$out/errors"; then
    echo "$file: fails on AArch64: $(sed -n 1p "$out/errors")"
    failed=1
  elif ! cmp -s "$out/here" "$out/there"; then
    echo "$file: another text on AArch64"
    failed=1
  fi
  compared=$((compared + 1))
done < <(git ls-files 'test/*.mlir')
[ "$compared" -gt 0 ] || failed=1
echo "$compared texts compared"
exit $failed
