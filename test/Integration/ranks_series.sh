#!/usr/bin/env bash
# What ranks.test, rank-faults.test and random-tensors.test do in small, in full.
#
#   test/Integration/ranks_series.sh BUILD [PROGRAMS] [FAULTS]
#
# Training by ranks in every combination, FAULTS ranks that are lost at random times (100), and 4 PROGRAMS random
# programs (2500 each) cut into the pieces of 2, 3, 4 and 7 ranks, and as many cut op by op. Exit status 1 where
# something differs. It takes a quarter of an hour on two cores, so `make check-ranks` runs it and `make check` does not.
set -euo pipefail
export LC_ALL=C.UTF-8 OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1

build=$(realpath "$1")
programs=${2:-2500}
faults=${3:-100}
cd "$(dirname "$0")/../.."
python=$(cmake/dependencies.sh --python)
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
failed=0

launchers=() options=()
if command -v mpirun.openmpi > "$out/which"; then
  launchers+=('mpirun.openmpi --oversubscribe -n')
fi
if command -v mpirun.mpich > "$out/which"; then
  launchers+=('mpirun.mpich -n')
fi
for launcher in "${launchers[@]}"; do
  options+=(--launcher "$launcher")
done
[ ${#launchers[@]} -gt 0 ] || echo 'skipped: no mpirun.openmpi or mpirun.mpich, so ranks are threads and none is lost'

"$python" test/Integration/ranks_series.py "$build" test/Inputs/cases "$out/series" "${options[@]}" || failed=1
if [ ${#launchers[@]} -gt 0 ]; then
  can=() disk=()
  # A full disk needs a namespace of mounts.
  if unshare -rm true 2> "$out/which"; then
    can=(unshare -rm) disk=(--disk)
  fi
  "${can[@]}" "$python" test/Integration/rank_faults.py "$build/bin/gensyn-run" test/Inputs/cases "$out/faults" "${launchers[@]}" \
    --count "$faults" "${disk[@]}" || failed=1
fi
random() {
  "$build/bin/gensyn-random-programs" --jobs "$(nproc)" --inputs 2 --target reference "$@" || failed=1
}
for ranks in 2 3 4 7; do
  random --count "$programs" --passes "test-join-tensors{seed=$ranks ranks=$ranks}"
done
random --count $((4 * programs)) --passes test-split-ops
[ $failed = 0 ] && echo equal
exit $failed
