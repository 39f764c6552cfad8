#!/usr/bin/env bash
# Two parties train the same model; one lies about it, and a referee says who.
#
#   examples/dispute/demo.sh [BUILD]
#
# BUILD is the build folder, build/release unless said. Results go to the folder OUT, out/dispute unless said. PYTHON
# is a Python with the package blake3, python3 unless said. Takes some seconds.
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
cd "$here/../.."
build=${1:-build/release}
python=${PYTHON:-python3}
out=${OUT:-out/dispute}
digits=examples/digits
data=$digits/train.safetensors
mkdir -p "$out"

train() {
  "$build/bin/gensyn-run" train "$digits/lenet.onnx" --recipe "$digits/recipe.json" --data "$data" --steps 90 \
    --commit 30 --overwrite --quiet "$@"
}
root() { "$build/bin/gensyn-verify" show "$1" | sed -n 's/^root *//p'; }

echo "1. Both parties train, one of them by one thread for a processor without AVX"
train -o "$out/first"
train -o "$out/second" --threads 1 --instruction-set x86-64
first=$(root "$out/first")
printf 'first   %s\nsecond  %s\n' "$first" "$(root "$out/second")"
"$build/bin/gensyn-verify" dispute "$out/first" "$out/second" --data "$data"

echo
echo "2. The second one claims something else"
"$python" "$here/lie.py" "$out/second" 60
second=$(root "$out/second")

echo
echo "3. A dispute, and what a referee says of its file alone"
"$build/bin/gensyn-verify" dispute "$out/first" "$out/second" --data "$data" --first-root "$first" \
  --second-root "$second" --case "$out/case.pb" --quiet && exit 1
"$build/bin/gensyn-verify" referee "$out/case.pb" --first-root "$first" --second-root "$second" && exit 1
"$build/bin/gensyn-verify" report "$out/case.pb" -o "$out/case.html" --quiet && exit 1
echo "page       $out/case.html"
