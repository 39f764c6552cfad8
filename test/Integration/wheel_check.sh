#!/usr/bin/env bash
# wheel_check.sh WHEEL PYTHON...: checks a wheel in an empty environment of each Python and, for root with debootstrap,
# in Debian roots of nothing but Python: bookworm (Python 3.11) and trixie (3.13), as far as the wheel is for them.
# numpy comes from pip. FOLDER of the environment keeps the roots, which take a minute or two each.
set -euo pipefail
if (($# < 2)); then
  echo 'usage: wheel_check.sh WHEEL PYTHON...' >&2
  exit 2
fi
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
wheel=$(realpath "$1")
shift
most_bytes=200000000
folder=${FOLDER:-$(mktemp -d)}
mkdir -p "$folder"
[ -n "${FOLDER:-}" ] || trap 'rm -rf --one-file-system "$folder"' EXIT

bytes=$(stat -c %s "$wheel")
echo "$(basename "$wheel"): $((bytes / 1000000)) MB"
((bytes <= most_bytes)) || { echo "  FAILED: at most $((most_bytes / 1000000)) MB"; exit 1; }

for python in "$@"; do
  echo "an empty environment of $python"
  rm -rf "$folder/venv"
  "$python" -m venv "$folder/venv"
  "$folder/venv/bin/pip" install --quiet --disable-pip-version-check "$wheel"
  # No variable of this machine leads to anything.
  (cd "$folder" && env -i HOME="$folder/home" "$folder/venv/bin/python" "$source/test/Integration/wheel_check.py" "$source")
done

# check_root SUITE MINOR: in a root of Debian with Python 3.MINOR and what it needs.
check_root() {
  local root="$folder/$1"
  echo "a bare root of Debian $1"
  if [ ! -e "$root/complete" ]; then
    rm -rf --one-file-system "$root"
    debootstrap --variant=minbase --include=python3,python3-venv "$1" "$root" >"$folder/debootstrap.log" ||
      { tail -5 "$folder/debootstrap.log"; return 1; }
    touch "$root/complete"
  fi
  rm -rf "$root/wheels" "$root/clone" "$root/venv"
  mkdir "$root/wheels" "$root/clone"
  cp "$wheel" "$root/wheels"
  "$folder/venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --only-binary :all: \
    --python-version "3.$2" --dest "$root/wheels" numpy
  (cd "$source" && cp --parents README.md examples/digits/{lenet.onnx,recipe.json,train.safetensors} test/Inputs/bad/shape-mismatch.onnx \
    test/Ptx/audit/float-atomic.ptx test/Integration/wheel_check.py "$root/clone")
  unshare --mount bash -euc '
    mount -t proc proc "$0/proc"
    chroot "$0" env -i PATH=/usr/bin:/bin HOME=/root python3 -m venv /venv
    chroot "$0" env -i PATH=/usr/bin:/bin HOME=/root /venv/bin/pip install --quiet --no-index --find-links /wheels gensyn
    chroot "$0" env -i PATH=/usr/bin:/bin HOME=/root /venv/bin/python /clone/test/Integration/wheel_check.py /clone
  ' "$root"
}
if ((EUID)) || ! command -v debootstrap >/dev/null; then
  echo 'skipped: bare roots need root and debootstrap'
else
  case "$wheel" in *cp311*) check_root bookworm 11 ;; esac
  case "$wheel" in *abi3*) check_root trixie 13 ;; esac
fi
