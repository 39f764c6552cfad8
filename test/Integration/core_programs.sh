#!/usr/bin/env bash
# core_programs.sh BUILD: programs of all cores that LeNet, small transformers and small networks of convolutions use, in QEMU, one core at
# a time; some minutes. FOLDER of the environment keeps programs and records; PYTHON (python3) has numpy and onnx.
set -euo pipefail
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
PATH="$(cd "$1" && pwd)/bin:$PATH"
folder=${FOLDER:-$(mktemp -d)}
[ -n "${FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT
python=${PYTHON:-python3}
failed=0
# run NAME MODEL INPUTS OPTION...
run() {
  echo "$1"
  "$python" "$source/test/Integration/core_programs.py" "$folder/$1" "${@:2}" --jobs "$(nproc)" || failed=1
}
cases="$source/test/Inputs/cases"
run lenet "$source/examples/digits/lenet.onnx" "$source/examples/digits/test.safetensors" --batch-size 297
for name in llama-tiny bert-tiny resnet-tiny-infer mobilenet-tiny; do
  run "$name" "$cases/$name/model.onnx" "$cases/$name/inputs.safetensors"
done
run lenet-weights "$source/examples/digits/lenet.onnx" "$source/examples/digits/test.safetensors" --batch-size 297 --weights automatic
run llama-tiny-weights "$cases/llama-tiny/model.onnx" "$cases/llama-tiny/inputs.safetensors" --weights automatic
# Blocks that repeat, with weights of the next one fetched ahead, or in the cores.
"$python" "$source/test/Integration/core_models.py" "$folder/models"
for weights in streamed resident; do
  run "layers-$weights" "$folder/models/layers.onnx" "$folder/models/layers.safetensors" --weights "$weights"
done
exit "$failed"
