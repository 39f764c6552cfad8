#!/usr/bin/env bash
# Trains a small GPT-2 on the text of the GPL and lets it write, before and after.
#
#   examples/text/demo.sh [BUILD]            BUILD: the build folder, build/release unless said
#   examples/text/demo.sh BUILD --record     write this machine's digests to expected.txt
#
# Results go to out/text. Exit status 1 where a digest differs from the recorded one.
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"
build=${1:-build/release}
here=${here#"$root"/}
out=out/text
bin=$build/bin
mkdir -p "$out"

# write OPTION...: 160 characters after "You may ", and their digest.
write() {
  "$bin/gensyn-run" generate "$here/gpt2.onnx" --sequence-length 64 --vocabulary "$here/vocabulary.json" \
    --prompt "You may " --tokens 160 "$@" | tee -a "$out/written.txt"
}

: > "$out/written.txt"
printf '1. Before training\n'
write --temperature 0.8 --seed 1
printf '\n2. Training\n'
"$bin/gensyn-run" train "$here/gpt2.onnx" --recipe "$here/recipe.json" --data "$here/train.safetensors" \
  --eval-data "$here/test.safetensors" --sequence-length 64 -o "$out/run" --overwrite | tee "$out/training.txt"
printf '\n3. After training: the likeliest character each time\n'
write --parameters "$out/run"
printf '\n4. After training: drawn\n'
write --parameters "$out/run" --temperature 0.8 --seed 1

# The program, the parameters after the last epoch, the three texts.
{
  grep -oE '\b[0-9a-f]{64}\b' "$out/training.txt" | sed -n '1p;$p'
  grep -oE '\b[0-9a-f]{64}\b' "$out/written.txt"
} > "$out/digests.txt"
if [ "${2:-}" = --record ]; then
  cp "$out/digests.txt" "$here/expected.txt"
  printf '\nwritten: %s\n' "$here/expected.txt"
elif cmp -s "$out/digests.txt" "$here/expected.txt"; then
  printf '\nall %s digests equal those in %s\n' "$(wc -l < "$out/digests.txt")" "$here/expected.txt"
else
  diff "$here/expected.txt" "$out/digests.txt" >&2 || true
  echo "FAILED: the digests differ from $here/expected.txt" >&2
  exit 1
fi
