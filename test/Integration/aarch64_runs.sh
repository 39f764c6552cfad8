#!/usr/bin/env bash
# Everything for AArch64, with each instruction set of Cpu.def, under an emulator.
#
#   test/Integration/aarch64_runs.sh BUILD [PROGRAMS] [STEPS]
#
# The unit tests of code generation and of lib/Machine, PROGRAMS random programs (2000),
# all cases of KnownResults, and STEPS training steps of the examples (50; a tenth of
# them of the small GPT-2), whose parameters must have the digest of this processor.
# Exit status 1 where a bit differs. It takes half an hour, so `make check-aarch64` runs
# it and `make check` runs a small part.
set -euo pipefail
export LC_ALL=C.UTF-8

build=$(realpath "$1")
programs=${2:-2000}
steps=${3:-50}
cd "$(dirname "$0")/../.."
export PATH="$build/bin:$PATH" PYTHONPATH=test/lib/Python
python=$(cmake/dependencies.sh --python)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0

if ! command -v qemu-aarch64-static > "$out/which" || [ ! -e "$build/runtime-aarch64/bin/gensyn-run" ]; then
  echo 'skipped: the cross compiler for AArch64, its libraries or its emulator are absent'
  exit 0
fi
sets=$("$python" -c 'import emulator; print(*emulator.emulated_sets())')

# there SET WORD...: runs gensyn-run for that instruction set.
there() {
  local words
  mapfile -t words < <("$python" -c 'import emulator, sys; print(*emulator.emulated_tool("gensyn-run", sys.argv[1]), sep="\n")' "$1")
  shift
  "${words[@]}" "$@"
}

# part NAME COMMAND...: runs it and prints its time, and its output where it fails.
part() {
  local name=$1 start=$SECONDS word=passed
  shift
  if ! "$@" > "$out/log" 2>&1; then
    cat "$out/log"
    failed=1 word=FAILED
  fi
  printf '%-48s %s  %4d s\n' "$name" "$word" $((SECONDS - start))
}

# digest: reads the records of a training run and prints the digest of its parameters.
digest() {
  sed -n 's/.*"event": *"end".*"parameters": *"\([0-9a-f]*\)".*/\1/p'
}

# example NAME STEPS MODEL RECIPE DATA BATCHES [SEQUENCE]: the same digest here and with each instruction set. BATCHES
# are the recipe's, and what the samples of an epoch leave for the last one.
example() {
  local name=$1 count=$2 model=$3 recipe=$4 data=$5 batches=$6 wanted found set
  local dims=(${7:+--dim "sequence=$7"}) windows=(${7:+--sequence-length "$7"})
  wanted=$(gensyn-run train "$model" --recipe "$recipe" --data "$data" "${windows[@]}" --steps "$count" -o "$out/run" \
    --overwrite --json | digest)
  for set in $sets; do
    local start=$SECONDS
    gensyn-run compile "$model" --recipe "$recipe" --target "cpu:$set" --kind train \
      --batch-size "$batches" "${dims[@]}" -o "$out/model.gxe" --quiet
    found=$(there "$set" train "$out/model.gxe" --data "$data" "${windows[@]}" --steps "$count" -o "$out/run" \
      --overwrite --json | digest)
    printf '%-8s %3d steps  %-16s %s  %4d s\n' "$name" "$count" "$set" "$found" $((SECONDS - start))
    [ "$found" = "$wanted" ] || failed=1
  done
}

for set in $sets; do
  part "unit tests, $set" env "GENSYN_TEST_TARGETS=$set" "$build/test/unit/GensynCodegenCpuTests" \
    --gtest_brief=1
done
targets=$(printf ',cpu:%s' $sets)
part "$programs random programs" gensyn-random-programs --seed 1 --count "$programs" --inputs 5 --jobs "$(nproc)" \
  --target "${targets:1}"
ways=$(printf -- '--emulate=%s\n' $sets)
mapfile -t ways <<< "$ways"
for case in test/Inputs/cases/*/case.json; do
  name=$(basename "$(dirname "$case")")
  part "$name" "$python" test/Integration/KnownResults/run_cases.py gensyn-run test/Inputs/cases "$name" \
    --backend=cpu "${ways[@]}"
done
example digits "$steps" examples/digits/lenet.onnx examples/digits/recipe.json examples/digits/train.safetensors 30
example keras "$steps" examples/keras/convnet.onnx examples/keras/recipe.json examples/digits/train.safetensors 32,28
example text $((steps / 10)) examples/text/gpt2.onnx examples/text/recipe.json examples/text/train.safetensors 16,14 64
example finetune $((steps / 10)) examples/text/gpt2.onnx examples/finetune/recipe.json \
  examples/finetune/train.safetensors 8,7 64
[ $failed = 0 ] && echo equal
exit $failed
