#!/bin/bash
# install.sh install PYTHON PREFIX [DESTDIR]: install clickbpf in PREFIX/lib/clickbpf (a Python environment of its own), PREFIX/bin,
# PREFIX/share (manual page, completion of command lines) and PREFIX/lib/systemd (units for routers and their users).  With DESTDIR
# the files go to that folder, as packagers want it, and still name PREFIX.
# install.sh uninstall PREFIX [DESTDIR]: remove all of it.
set -eu
builder=.venv/bin/python

die() {
	printf 'install: %s\n' "$@" >&2
	exit 1
}

# What else than the environment is installed: a path below PREFIX and the command that prints the file.
made=(
	"share/man/man1/clickbpf.1  tools/man.py"
	"share/bash-completion/completions/clickbpf  tools/completion.py bash"
	"share/zsh/site-functions/_clickbpf  tools/completion.py zsh"
	"share/fish/vendor_completions.d/clickbpf.fish  tools/completion.py fish"
)

units=lib/systemd/system

put() {
	local python=$1 prefix=$2 root=${3:-} path words
	local home=$prefix/lib/clickbpf

	[[ $prefix == /* ]] || die "PREFIX has to be an absolute path, not '$prefix'"
	mkdir -p "$root$home" "$root$prefix/bin" && [ -w "$root$home" ] ||
		die "can't write to $root$prefix" "install as root (sudo make install), or to a place of yours: make install PREFIX=\$HOME/.local"

	rm -rf "${root}${home:?}"
	"$python" -m venv --without-pip "$root$home"
	"$builder" -m pip --python "$root$home/bin/python" install --quiet --disable-pip-version-check --no-compile '.[installed]'
	# Scripts name the interpreter by the place where it will be.
	find "$root$home/bin" -type f -exec sed -i "1s|^#!.*python.*|#!$home/bin/python|" {} +
	"$root$home/bin/python" -m compileall -q ${root:+-s "$root"} "$root$home/lib"

	ln -sf ../lib/clickbpf/bin/clickbpf "$root$prefix/bin/clickbpf"
	for entry in "${made[@]}"; do
		read -r path words <<<"$entry"
		mkdir -p "$root$prefix/$(dirname "$path")"
		# shellcheck disable=SC2086  # a command and its words
		"$builder" $words >"$root$prefix/$path"
	done
	mkdir -p "$root$prefix/$units"
	for entry in tools/*.service; do
		sed "s|@BIN@|$prefix/bin|" "$entry" >"$root$prefix/$units/${entry##*/}"
	done
}

# Folders that nothing is left in go, too, but for those that Debian's /usr/local has from the start.
remove() {
	local root=${2:-}$1 entry path folders=("$units")
	rm -rf "$root/lib/clickbpf"
	rm -f "$root/bin/clickbpf" "$root/$units/"clickbpf{,-grant}@.service
	for entry in "${made[@]}"; do
		read -r path _ <<<"$entry"
		rm -f "$root/$path"
		folders+=("$(dirname "$path")")
	done
	for path in "${folders[@]}" $(dirname "${folders[@]}"); do
		case $path in lib | share | share/man) continue ;; esac
		[ ! -d "$root/$path" ] || rmdir --ignore-fail-on-non-empty "$root/$path"
	done
}

case ${1:-} in
install) put "${@:2}" ;;
uninstall) remove "${@:2}" ;;
*) die "usage: install.sh install PYTHON PREFIX [DESTDIR] | uninstall PREFIX [DESTDIR]" ;;
esac
