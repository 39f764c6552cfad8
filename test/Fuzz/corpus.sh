#!/bin/bash
# Creates the fuzzers' corpus: corpus.sh BUILD FOLDER. Packages with a program for each kind of
# target, PTX of a training step, and a cache of kernels.
set -eu
build=$1 folder=$2
cases=$(cd "$(dirname "$0")/../Inputs/cases" && pwd)
mkdir -p "$folder"
recipe=$folder/recipe.json
echo '{"loss": {"kind": "mse", "target": "target"}, "optimizer": {"kind": "Adam", "lr": 0.1}, "batch_size": 4}' > "$recipe"
compile() { "$build/bin/gensyn-run" compile "$@" --cache "$folder/cache" --quiet; }
for target in cpu:x86-64 sm_90 reference; do
  compile "$cases/opset-mix-17/model.onnx" --target $target -o "$folder/mix-$target.gxe"
  compile "$cases/mlp-mse/model.onnx" --recipe "$recipe" --target $target --kind train --batch-size 4 \
    -o "$folder/train-$target.gxe"
done
compile "$cases/mlp-mse/model.onnx" --recipe "$recipe" --target machine:spinnaker2-chip,machine:xr-soc --bodies --kind train,infer \
  --batch-size 4 -o "$folder/mapped.gxe"
"$build/bin/gensyn-translate" --onnx-to-ptx "$cases/opset-mix-17/model.onnx" --kind=infer --sm=90 -o "$folder/mix.ptx"
