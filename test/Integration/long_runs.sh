#!/usr/bin/env bash
# Long runs on every target: a difference may first show after many steps.
#
#   test/Integration/long_runs.sh BUILD [STEPS] [SIMULATED]
#
# Trains LeNet (examples/digits) and the small GPT-2 (examples/text) for STEPS steps
# (200) on the reference, on the CPU with each instruction set that this processor
# has, with 1 and 2 threads, and on a GPU where there is one; and for SIMULATED
# steps (20) on the PTX simulator. Prints the digest of the parameters after each;
# exit status 1 where one differs. It takes minutes, so `make check-long` runs it
# and `make check` does not.
set -euo pipefail
export LC_ALL=C.UTF-8

run=$(realpath "$1/bin/gensyn-run")
steps=${2:-200}
simulated=${3:-20}
cd "$(dirname "$0")/../.."
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0

# digest MODEL STEPS OPTION...: prints the digest of the parameters after that many steps.
digest() {
  local model=$1 count=$2
  shift 2
  case $model in
  lenet) set -- examples/digits/lenet.onnx --recipe examples/digits/recipe.json --data examples/digits/train.safetensors "$@" ;;
  gpt2) set -- examples/text/gpt2.onnx --recipe examples/text/recipe.json --data examples/text/train.safetensors --sequence-length 64 "$@" ;;
  esac
  "$run" train "$@" --steps "$count" -o "$out/run" --overwrite --json |
    sed -n 's/.*"event": *"end".*"parameters": *"\([0-9a-f]*\)".*/\1/p'
}

# compare MODEL STEPS WANTED NAME OPTION...
compare() {
  local model=$1 count=$2 wanted=$3 name=$4 start=$SECONDS found
  shift 4
  found=$(digest "$model" "$count" "$@")
  printf '%-6s %4d steps  %-24s %s  %3d s\n' "$model" "$count" "$name" "$found" $((SECONDS - start))
  [ "$found" = "$wanted" ] || failed=1
}

for model in lenet gpt2; do
  wanted=$(digest "$model" "$steps" --threads 1)
  compare "$model" "$steps" "$wanted" 'cpu, one thread' --threads 1
  compare "$model" "$steps" "$wanted" 'cpu, two threads' --threads 2
  for set in x86-64-v4 x86-64-v3 x86-64; do
    if "$run" train examples/digits/lenet.onnx --recipe examples/digits/recipe.json --data examples/digits/train.safetensors \
      --steps 1 -o "$out/run" --overwrite --quiet --instruction-set "$set" 2> /dev/null; then
      compare "$model" "$steps" "$wanted" "cpu, $set" --instruction-set "$set"
    fi
  done
  compare "$model" "$steps" "$wanted" reference --backend reference
  if [ -e /dev/nvidiactl ]; then
    compare "$model" "$steps" "$wanted" cuda --backend cuda
  fi
  wanted=$(digest "$model" "$simulated")
  compare "$model" "$simulated" "$wanted" cpu
  compare "$model" "$simulated" "$wanted" 'PTX on the simulator' --backend ptx-sim
done
[ $failed = 0 ] && echo equal
exit $failed
