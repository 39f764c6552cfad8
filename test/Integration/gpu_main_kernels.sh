#!/usr/bin/env bash
# gpu_main_kernels.sh FOLDER TARGETS REPORT PTXAS: the models of a folder as PTX for each target,
# audited, assembled, and refused where a kernel spills registers. If nvdisasm is found, 0.91 of the
# product's loop must be multiply-adds on the targets with the large tile.
set -euo pipefail
folder=$1 targets=$2 report=$3 ptxas=$4
for model in "$folder"/*.onnx; do
  name=$(basename "$model" .onnx)
  files=()
  for sm in $targets; do
    ptx=$folder/$name.sm_$sm.ptx
    gensyn-translate --onnx-to-ptx --kind=infer --sm="$sm" "$model" -o "$ptx"
    files+=("$ptx")
  done
  gensyn-ptx audit "${files[@]}"
  python3 "$report" --ptxas "$ptxas" --nvdisasm none --no-spills . "${files[@]}" > /dev/null
  echo "$name: nothing spilled"
done
if [ -f "$folder/matmul-4096.sm_80.ptx" ] && python3 -c "
import sys; sys.path.insert(0, '$(dirname "$report")')
import gpu_static_report; sys.exit(0 if gpu_static_report.find_nvdisasm() else 1)"; then
  python3 "$report" --ptxas "$ptxas" --share 0.91 "$folder"/matmul-4096.sm_{80,90}.ptx
fi
