#!/bin/bash
# venv.sh PYTHON FOLDER: make a Python environment there, with this project (editable) and what its tests and `make install` take.
set -eu
python=$1 folder=$2

die() {
	printf 'venv: %s\n' "$@" >&2
	exit 1
}

command -v "$python" >/dev/null || die "no $python here" "make deps installs it (as root, on Debian)"
"$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' ||
	die "$("$python" --version) is too old: 3.11 or newer is needed" "say which one: make PYTHON=/path/to/python3"
"$python" -c 'import ensurepip, venv' 2>/dev/null ||
	die "$python can't make environments" "make deps installs python3-venv (as root, on Debian)"

[ -x "$folder/bin/python" ] || "$python" -m venv "$folder"
"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --editable '.[test,install]'
"$folder/bin/python" -m compileall -q gen elements
