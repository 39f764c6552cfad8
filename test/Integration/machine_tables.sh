#!/usr/bin/env bash
# machine_tables.sh BUILD: machine files against what others published; a few minutes. PYTHON of the environment has numpy, onnx and
# onnxruntime. VELA is the command of ethos-u-vela 5.2.0, TINY a checkout of github.com/mlcommons/tiny with the models that it takes.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "$1" && pwd)
python=${PYTHON:-python3}
vela=${VELA:-vela}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
tables() {
  "$python" "$source/benchmarks/machine_tables.py" "$@" || failed=1
}
failed=0
estimates=$build/benchmarks/gensyn-compare-estimates
tables a100 "$estimates"
if ! "$python" -c 'import numpy, onnx, onnxruntime' 2>/dev/null; then
  echo "skipped: gap9 and vela: $python has not all of numpy, onnx and onnxruntime"
  exit "$failed"
fi
"$python" "$source/benchmarks/tiny_networks.py" "$folder"
tables gap9 "$build/bin/gensyn-run" "$folder"
if ! command -v "$vela" >/dev/null; then
  echo "skipped: vela: there is no command '$vela' (pip install ethos-u-vela==5.2.0)"
elif [ ! -d "${TINY:-}/benchmark/training" ]; then
  echo 'skipped: vela: TINY is no checkout of github.com/mlcommons/tiny'
else
  tables vela "$build/bin/gensyn-run" "$estimates" "$folder" "$TINY" --vela "$vela"
fi
exit "$failed"
