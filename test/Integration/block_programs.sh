#!/usr/bin/env bash
# block_programs.sh BUILD: streams of gensyn-block for the four networks of MLPerf Tiny and LeNet in int8, in its RTL; a few minutes. FOLDER of
# the environment keeps streams and records, PYTHON has numpy, onnx and onnxruntime.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
PATH="$(cd "$1" && pwd)/bin:$PATH"
python=${PYTHON:-python3}
folder=${FOLDER:-$(mktemp -d)}
[ -n "${FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT
if ! command -v verilator >/dev/null; then
  echo 'skipped: verilator is not installed'
  exit 0
fi
"$python" "$source/benchmarks/tiny_networks.py" "$folder/models" --inputs
"$python" "$source/test/Integration/block_models.py" "$folder/models" --lenet
failed=0
for name in ad ic kws vww lenet; do
  echo "$name"
  batch=()
  [ "$name" != lenet ] || batch=(--batch-size 1)
  "$python" "$source/test/Integration/block_programs.py" "$folder/$name" "$folder/models/$name.onnx" "$folder/models/$name.safetensors" \
    --integer-sums --estimate --rtl "$folder/rtl" "${batch[@]}" || failed=1
done
exit "$failed"
