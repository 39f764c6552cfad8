#!/bin/bash
# Makes the site: build.sh REFERENCE OUT PYTHON. REFERENCE is the folder of `make docs`; OUT/html is the site, OUT/tools
# the environment with Sphinx, which is made again when requirements.txt changes.
set -euo pipefail
reference=$1 out=$2 python=$3
here=$(dirname "$(readlink -f "$0")")
root=$(dirname "$(dirname "$here")")
mkdir -p "$out"
if ! cmp -s "$here/requirements.txt" "$out/tools/requirements.txt"; then
  rm -rf "$out/tools"
  "$python" -m venv "$out/tools"
  "$out/tools/bin/pip" install --quiet --disable-pip-version-check --requirement "$here/requirements.txt"
  cp "$here/requirements.txt" "$out/tools/requirements.txt"
fi
"$out/tools/bin/python" "$here/pages.py" "$root" "$reference" "$out/pages"
rm -rf "$out/html"
GENSYN_ROOT=$root "$out/tools/bin/sphinx-build" -W --keep-going -q -b html -c "$here" "$out/pages" "$out/html"
echo "$out/html/index.html"
