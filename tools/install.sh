#!/bin/bash
# install.sh PYTHON PREFIX [DESTDIR]: install clickbpf in PREFIX/lib/clickbpf (a Python environment of its own), PREFIX/bin and
# PREFIX/share/man.  With DESTDIR the files go to that folder, as packagers want it, and still name PREFIX.
set -eu
python=$1 prefix=$2 root=${3:-}
home=$prefix/lib/clickbpf
builder=.venv/bin/python

die() {
	printf 'install: %s\n' "$@" >&2
	exit 1
}

[[ $prefix == /* ]] || die "PREFIX has to be an absolute path, not '$prefix'"
mkdir -p "$root$home" "$root$prefix/bin" "$root$prefix/share/man/man1" && [ -w "$root$home" ] ||
	die "can't write to $root$prefix" "install as root (sudo make install), or to a place of yours: make install PREFIX=\$HOME/.local"

rm -rf "${root}${home:?}"
"$python" -m venv --without-pip "$root$home"
"$builder" -m pip --python "$root$home/bin/python" install --quiet --disable-pip-version-check --no-compile .
# Scripts name the interpreter by the place where it will be.
sed -i "1s|^#!.*|#!$home/bin/python|" "$root$home/bin/clickbpf"
"$root$home/bin/python" -m compileall -q ${root:+-s "$root"} "$root$home/lib"

ln -sf ../lib/clickbpf/bin/clickbpf "$root$prefix/bin/clickbpf"
"$builder" tools/man.py >"$root$prefix/share/man/man1/clickbpf.1"
