#!/usr/bin/env bash
# ptx_steps.sh MODEL RECIPE BATCH FOLDER [PTXAS]: the training step as PTX for every
# GPU generation, audited, and assembled where PTXAS is given.
set -euo pipefail
model=$1 recipe=$2 batch=$3 folder=$4 ptxas=${5:-}
mkdir -p "$folder"
for sm in 75 80 86 89 90 100 103 110 120 121; do
  ptx=$folder/step.sm_$sm.ptx
  gensyn-translate --onnx-to-ptx --kind=train --recipe="$recipe" --batch-size="$batch" --sm=$sm "$model" -o "$ptx"
  grep -q "^\.target sm_$sm" "$ptx"
  gensyn-ptx audit "$ptx"
  if [ -n "$ptxas" ]; then
    "$ptxas" -arch=sm_$sm "$ptx" -o "$folder/step.sm_$sm.cubin"
    echo "sm_$sm assembled"
  else
    echo "sm_$sm accepted"
  fi
done
