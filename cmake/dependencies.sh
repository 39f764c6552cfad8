#!/usr/bin/env bash
# Installs what the build and the tests need on Debian 12, and nothing twice.
#
#   cmake/dependencies.sh            install what is missing
#   cmake/dependencies.sh --prefix   print the folder of the ONNX library and stop
#   cmake/dependencies.sh --python   the same of the tests' Python
#   cmake/dependencies.sh --aarch64  the same of the libraries for AArch64
#   cmake/dependencies.sh --aarch64-compiler
#                                    install what a compiler that runs on AArch64 is linked with, and
#                                    print its folder
#   cmake/dependencies.sh --browser  install what is missing, and the browser in which tests open pages
#
# Silent when nothing is missing. Debian packages need root; without it the
# command to run is printed instead. The ONNX C++ library is built once and kept,
# with a Python environment for the tests and libraries for AArch64, in $GENSYN_CACHE (default
# ${XDG_CACHE_HOME:-~/.cache}/gensyn), so that a second clone builds nothing again.
set -euo pipefail

packages=(
  build-essential cmake ninja-build ccache pkg-config git ca-certificates
  clang-22 clang-format-22 clang-tidy-22 lld-22 liblld-22-dev llvm-22-dev llvm-22-tools
  libmlir-22-dev mlir-22-tools libclang-rt-22-dev
  libprotobuf-dev protobuf-compiler libgrpc++-dev protobuf-compiler-grpc libssl-dev openssl
  libgtest-dev libbenchmark-dev
  nlohmann-json3-dev libcli11-dev libopenblas-dev zlib1g-dev libzstd-dev libxxhash-dev
  locales g++-aarch64-linux-gnu qemu-user-static qemu-system-arm verilator
  libllvmlibc-22-dev libmpfr-dev
  libopenmpi-dev openmpi-bin libmpich-dev mpich
  python3 python3-dev python3-venv python3-pip python3-psutil
)
onnx_version=1.23.2
onnx_sha256=008cb0467b2bbee41448acc7da8b6f4e704624cb0d327a2d5adafc7ce19bc5b8
python_packages=(numpy==2.2.6 onnx==1.23.2 onnxruntime==1.23.2 cmake==3.31.6
  nanobind==3.1.0 pytest==9.2.0 mypy==2.4.1 ruff==0.17.6 blake3==1.0.8)

# The inputs that decide the bits of the library: other flags get another folder.
onnx_flags=(-DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=17
  -DCMAKE_POSITION_INDEPENDENT_CODE=ON -DBUILD_SHARED_LIBS=OFF
  -DONNX_BUILD_PYTHON=OFF -DONNX_USE_PROTOBUF_SHARED_LIBS=ON -DONNX_ML=ON)

cache="${GENSYN_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/gensyn}"
onnx_checks="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)/onnx-checks.h"
key=$({ printf '%s ' "$onnx_version" "${onnx_flags[@]}"; cat "$onnx_checks"; } | sha256sum | cut -c1-12)
onnx_prefix="$cache/onnx-$onnx_version-$key"
# Of Debian for arm64, unpacked beside the system and never installed: what cmake/AArch64.cmake
# links. LLVM's archive has BLAKE3.
aarch64_packages=(libprotobuf-dev zlib1g-dev llvm-22-dev nlohmann-json3-dev libcli11-dev)
aarch64_files=('./usr/include/z*.h' './usr/include/CLI/*' './usr/include/google/*' './usr/include/nlohmann/*'
  './usr/include/llvm-c-22/*' './usr/include/llvm-22/llvm/Config/*' './usr/lib/aarch64-linux-gnu/*' './usr/share/cmake/*'
  ./usr/lib/llvm-22/include './usr/lib/llvm-22/include/*' ./usr/lib/llvm-22/lib/libLLVMSupport.a)
# A compiler is linked with these too, and finds them when it starts.
compiler_packages=("${aarch64_packages[@]}" libprotobuf32 libllvm22 libmlir-22 liblld-22 libzstd-dev zlib1g
  libzstd1 libxml2 libicu72 liblzma5 libffi8 libedit2 libtinfo6 libbsd0 libmd0 libz3-4)
compiler_files=("${aarch64_files[@]}" './usr/include/zstd*.h' './lib/aarch64-linux-gnu/*' './usr/lib/llvm-22/lib/liblld*.a'
  './usr/lib/llvm-22/lib/libMLIR.so*' './usr/lib/llvm-22/lib/libLLVM.so*')
# aarch64_folder NAME PACKAGE... FILES...: where they are unpacked.
aarch64_folder() { echo "$cache/$1-$(printf '%s ' "${@:2}" | sha256sum | cut -c1-12)"; }
aarch64=$(aarch64_folder aarch64 "${aarch64_packages[@]}" "${aarch64_files[@]}")
compiler=$(aarch64_folder aarch64-compiler "$onnx_version" "${compiler_packages[@]}" "${compiler_files[@]}")
venv_key=$(printf '%s ' "${python_packages[@]}" | sha256sum | cut -c1-12)
venv="$cache/python-$venv_key"

case "${1:-}" in
  --prefix) echo "$onnx_prefix"; exit 0 ;;
  --python) echo "$venv/bin/python"; exit 0 ;;
  --aarch64) echo "$aarch64"; exit 0 ;;
  "" | --aarch64-compiler) ;;
  # Without them only these tests are left out: they are larger than all the tests' other needs.
  --browser) packages+=(chromium fonts-dejavu-core) ;;
  *) echo "usage: cmake/dependencies.sh [--prefix | --python | --aarch64 | --aarch64-compiler | --browser]" >&2; exit 2 ;;
esac

say() { printf 'dependencies: %s\n' "$*" >&2; }

# One query for all packages: dpkg-query takes about 20 ms.
missing=()
installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null || true)
for package in "${packages[@]}"; do
  grep -q "^$package installed$" <<<"$installed" || missing+=("$package")
done
if ((${#missing[@]})); then
  if ((EUID)); then
    say "Debian packages are missing; run this as root and start again:"
    echo "  apt-get update && apt-get install -y --no-install-recommends ${missing[*]}"
    exit 1
  fi
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  log=$(mktemp)
  export DEBIAN_FRONTEND=noninteractive
  if ! { apt-get update && apt-get install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -20 "$log" >&2
    say "apt-get failed; its output is in $log"
    exit 1
  fi
  rm -f "$log"
fi

mkdir -p "$cache"
if [ ! -e "$venv/complete" ]; then
  say "making the tests' Python environment in $venv"
  rm -rf "$venv"
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check "${python_packages[@]}"
  touch "$venv/complete"
fi

# unpack_aarch64 FOLDER PACKAGES FILES: unpacks files of Debian's packages for arm64; the last two are
# names of lists.
unpack_aarch64() {
  local folder=$1 work
  [ ! -e "$folder/complete" ] && [ "$(dpkg --print-architecture)" = amd64 ] || return 0
  say "unpacking libraries for AArch64 in $folder"
  work=$(mktemp -d "$cache/aarch64.XXXXXX")
  if (download_aarch64 "$work" "$2" "$3") >"$cache/aarch64.log" 2>&1; then
    rm -rf "$folder"
    mv "$work/root" "$folder"
    touch "$folder/complete"
  else
    say "no libraries for AArch64; the output is in $cache/aarch64.log"
  fi
  rm -rf "$work"
}
download_aarch64() {
  local work=$1 package
  local -n wanted=$2 files=$3
  mkdir -p "$work"/{state/lists/partial,cache/archives/partial,root}
  : >"$work/status"
  printf '%s;\n' 'APT::Architecture "arm64"' 'APT::Architectures { "arm64"; }' 'APT::Sandbox::User "root"' \
    "Dir::State \"$work/state\"" "Dir::State::status \"$work/status\"" "Dir::Cache \"$work/cache\"" >"$work/apt.conf"
  export APT_CONFIG="$work/apt.conf"
  apt-get update && cd "$work" && apt-get download "${wanted[@]}" || return
  for package in *.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x -C root --wildcards "${files[@]}" 2>/dev/null || true
  done
  test -e root/usr/lib/llvm-22/lib/libLLVMSupport.a
}
# Without them only the tests for AArch64 are left out.
unpack_aarch64 "$aarch64" aarch64_packages aarch64_files

# build_onnx PREFIX FLAG...: builds the ONNX library and installs it in PREFIX.
build_onnx() {
  local prefix=$1 archive
  work=$(mktemp -d "$cache/build.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  # The source distribution is downloaded, never installed: pip only reads its metadata.
  "$venv/bin/pip" download --quiet --disable-pip-version-check --no-deps --no-binary onnx \
    --dest "$work" "onnx==$onnx_version"
  archive="$work/onnx-$onnx_version.tar.gz"
  echo "$onnx_sha256  $archive" | sha256sum --check --quiet
  tar -xf "$archive" -C "$work"
  if ! { "$venv/bin/cmake" -S "$work/onnx-$onnx_version" -B "$work/build" -G Ninja "${onnx_flags[@]}" "${@:2}" \
           -DCMAKE_CXX_FLAGS="-include $onnx_checks" -DCMAKE_INSTALL_PREFIX="$work/prefix" &&
         "$venv/bin/cmake" --build "$work/build" --target install; } >"$work/log" 2>&1; then
    tail -20 "$work/log" >&2
    cp "$work/log" "$cache/onnx-build.log"
    say "the ONNX build failed; its output is in $cache/onnx-build.log"
    exit 1
  fi
  rm -rf "$prefix"
  mv "$work/prefix" "$prefix"
  rm -rf "$work"
  touch "$prefix/complete"
}
if [ ! -e "$onnx_prefix/complete" ]; then
  say "building the ONNX $onnx_version C++ library in $onnx_prefix (3 to 6 minutes on two cores)"
  build_onnx "$onnx_prefix" -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22
fi

if [ "${1:-}" = --aarch64-compiler ]; then
  unpack_aarch64 "$compiler" compiler_packages compiler_files
  test -e "$compiler/complete" || exit 1
  if [ ! -e "$compiler/onnx/complete" ]; then
    say "building the ONNX $onnx_version C++ library for AArch64 in $compiler/onnx"
    GENSYN_AARCH64_LIBRARIES="$compiler" build_onnx "$compiler/onnx" \
      -DCMAKE_TOOLCHAIN_FILE="$(dirname "$onnx_checks")/AArch64Compiler.cmake" \
      -DONNX_CUSTOM_PROTOC_EXECUTABLE="$(command -v protoc)"
  fi
  echo "$compiler"
fi
