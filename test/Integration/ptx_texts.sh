#!/usr/bin/env bash
# ptx_texts.sh PTXAS FOLDER: audits and assembles the texts FOLDER/*.sm_NN.ptx.
set -euo pipefail
ptxas=$1 folder=$2 count=0
for text in "$folder"/*.ptx; do
  target=${text%.ptx}
  gensyn-ptx audit "$text"
  "$ptxas" -arch="${target##*.}" -O1 "$text" -o "${text%.ptx}.cubin"
  count=$((count + 1))
done
echo "$count texts assembled"
