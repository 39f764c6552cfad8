#!/bin/bash
# Runs the fuzzers of a build folder, those with a corpus of binary files first:
# run.sh BUILD [option of a fuzzer]... Files that are findings stay beside it.
set -eu
build=$(cd "$1" && pwd)
shift
here=$(cd "$(dirname "$0")" && pwd)
out=$build/../fuzz
mkdir -p "$out"
"$here/corpus.sh" "$build" "$out/corpus"
status=0
fuzz() {
  local name=$1
  shift
  echo "$name:"
  "$build/bin/gensyn-fuzz-$name" --crashes "$out" "$@" || status=1
}
fuzz ptx "$@" $(find "$here/../Ptx" -name '*.ptx') "$out/corpus/mix.ptx"
GENSYN_COMPILER="$build/lib/libgensyn-compiler.so" fuzz package "$@" "$out"/corpus/*.gxe
fuzz cache "$@" "$out"/corpus/cache/kernels/*.o
fuzz case "$@"
python=$("$here/../../cmake/dependencies.sh" --python)
echo mlir:
PATH=$build/bin:$PATH "$python" "$here/mlir_fuzz.py" --crashes "$out" "$@" || status=1
echo onnx:
"$python" -W ignore "$here/onnx_fuzz.py" --library "$build/lib/libgensyn-compiler.so" --crashes "$out" "$@" || status=1
exit $status
