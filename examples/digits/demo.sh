#!/usr/bin/env bash
# Trains LeNet on handwritten digits and shows that every bit is the recorded one.
#
#   examples/digits/demo.sh [BUILD]            the demonstration (`make demo`)
#   examples/digits/demo.sh BUILD --record     write this machine's digests to expected.json
#
# BUILD is the build folder, build/release unless said. Results go to out/digits.
# Exit status 1 where a digest differs or the accuracy is below 94 %.
set -euo pipefail
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
cd "$root"
build=${1:-build/release}
here=${here#"$root"/}
out=out/digits
bin=$build/bin
model=$here/lenet.onnx
recipe=$here/recipe.json
data=$here/train.safetensors
expected=$here/expected.json
mkdir -p "$out"

bold='' green='' red='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
  bold=$'\e[1m' green=$'\e[32m' red=$'\e[31m' plain=$'\e[0m'
fi
title() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }
good() { printf '%s%s%s\n' "$green" "$*" "$plain"; }
fail() { printf '%sFAILED: %s%s\n' "$red" "$*" "$plain" >&2; exit 1; }
# 64 hexadecimal digits: the program, the parameters at the start, then a line per epoch.
digests() { grep -oE '\b[0-9a-f]{64}\b' "$1"; }
train() { "$bin/gensyn-run" train "$model" --recipe "$recipe" --data "$data" --overwrite "$@"; }

title "1. The model"
"$bin/gensyn-run" info "$model"

title "2. Training, and the digest of all parameters after each epoch"
train --eval-data "$here/test.safetensors" -o "$out/run" | tee "$out/training.txt"
digests "$out/training.txt" > "$out/digests.txt"
accuracy=$(grep -oE 'accuracy [0-9.]+' "$out/training.txt" | tail -1 | cut -d' ' -f2)
# "AMD EPYC, family 26 model 2"; the machine's kind where /proc/cpuinfo has other words.
processor=$(awk -F': *' '/^model name/ {n = $2} /^cpu family/ {f = $2} /^model[ \t]*:/ {m = $2}
  /^$/ {exit} END {if (n) printf "%s, family %s model %s", n, f, m}' /proc/cpuinfo)
processor=${processor:-$(uname -m)}

if [ "${2:-}" = --record ]; then
  {
    printf '{\n  "processor": "%s",\n' "$processor"
    sed -n 's/.*"numerics_version": *"\([^"]*\)".*/  "numerics_version": "\1",/p' "$out/run/program.json" | head -1
    printf '  "program": "%s",\n' "$(sed -n 1p "$out/digests.txt")"
    printf '  "parameters_at_start": "%s",\n' "$(sed -n 2p "$out/digests.txt")"
    printf '  "parameters_after_epoch": [\n'
    sed -n '3,$s/.*/    "&"/p' "$out/digests.txt" | sed '$!s/$/,/'
    printf '  ]\n}\n'
  } > "$expected"
  echo "written: $expected"
  exit 0
fi

title "3. Are these the recorded bits?"
recorded_on=$(sed -n 's/.*"processor": "\(.*\)",/\1/p' "$expected")
if ! diff <(digests "$expected") "$out/digests.txt" > "$out/difference.txt"; then
  cat "$out/difference.txt" >&2
  fail "the digests differ from $expected, recorded on $recorded_on"
fi
good "all $(wc -l < "$out/digests.txt") digests equal those in $expected"
echo "recorded on $recorded_on, this is $processor"
awk -v a="$accuracy" 'BEGIN { exit !(a >= 94) }' || fail "accuracy $accuracy % is below 94 %"
good "accuracy on the 297 digits of other writers: $accuracy %"

title "4. The same bits in other ways"
# same NAME STEPS WANTED OPTION...: the digest after STEPS steps must be WANTED.
same() {
  local name=$1 steps=$2 wanted=$3 start=$SECONDS found
  shift 3
  train --steps "$steps" -o "$out/again" "$@" > "$out/again.txt"
  found=$(digests "$out/again.txt" | tail -1)
  printf '%-34s %s  %2d s\n' "$name" "$found" $((SECONDS - start))
  [ "$found" = "$wanted" ] || fail "$name: expected $wanted"
}
per_epoch=$(grep -m1 -oE '^epoch 1/[0-9]+ +step [0-9]+' "$out/training.txt" | grep -oE '[0-9]+$')
epoch1=$(sed -n 3p "$out/digests.txt")
same "first epoch, one thread" "$per_epoch" "$epoch1" --threads 1
same "first epoch, plain x86-64" "$per_epoch" "$epoch1" --instruction-set x86-64
same "first epoch, reference" "$per_epoch" "$epoch1" --backend reference
train --steps 3 -o "$out/again" > "$out/again.txt"
step3=$(digests "$out/again.txt" | tail -1)
printf '%-34s %s\n' "3 steps, cpu" "$step3"
same "3 steps, PTX on the simulator" 3 "$step3" --backend ptx-sim
good "equal"

title "5. The training step as PTX"
batch=$(sed -n 's/.*"batch_size": *\([0-9]*\).*/\1/p' "$recipe")
ptxas=$(command -v ptxas || ls /usr/local/cuda/bin/ptxas 2> /dev/null || true)
for sm in 80 90; do
  ptx=$out/step.sm_$sm.ptx
  "$bin/gensyn-translate" --onnx-to-ptx --kind=train --recipe="$recipe" --batch-size="$batch" --sm=$sm \
    --plan="$out/step.sm_$sm.plan.json" "$model" -o "$ptx"
  "$bin/gensyn-ptx" audit "$ptx"
  words="$(grep -c '\.entry' "$ptx") kernels, $(wc -l < "$ptx") lines, accepted by the auditor"
  if [ -n "$ptxas" ]; then
    "$ptxas" -arch=sm_$sm "$ptx" -o "$out/step.sm_$sm.cubin"
    words="$words, assembled by ptxas"
  else
    words="$words; ptxas absent, not assembled"
  fi
  echo "$ptx: $words"
done

title "Left in $out"
echo "run/curve.svg            the learning curve"
echo "run/parameters.safetensors, run/log.jsonl, run/program.json"
echo "step.sm_80.ptx, step.sm_90.ptx with their launch plans"

title "Your own model"
cat <<END
  $bin/gensyn-run info model.onnx
  $bin/gensyn-run train model.onnx --recipe recipe.json --data data.safetensors -o run
  $bin/gensyn-translate --onnx-to-ptx --kind=train --recipe=recipe.json --batch-size=32 model.onnx -o step.ptx
data.safetensors has a tensor per input of the model, by its name, and 'target';
$recipe is a recipe to start from.
END
printf '\n%d s\n' "$SECONDS"
