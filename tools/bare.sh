#!/bin/bash
# bare.sh COMMAND...: run COMMAND in a copy of this checkout on a bare Debian 12, where of all that clickbpf needs only make is
# installed.  A machine that has been worked on hides what a new one lacks.
#
# Needs root, Linux, git and, on a machine without debootstrap, apt-get.  COMMAND has mounts, processes, BPF file system and
# temporary files of its own; it shares the network, which apt and pip need.  How this machine reaches its package archives
# (apt's configuration, proxies, certificates) is carried over.  Exit status is that of COMMAND; nothing else is left.
#
# BARE_CACHE    where the archive of the bare system is kept, which takes a minute or two to make
# BARE_MIRROR   Debian archive to make it from, by default the one that this machine uses
set -euo pipefail

suite=bookworm
checkout=$(cd "$(dirname "$0")/.." && pwd)
cache=${BARE_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/clickbpf-bare}
archive=$cache/$suite.tar

die() {
	printf 'bare: %s\n' "$@" >&2
	exit 1
}

install_debootstrap() {
	command -v debootstrap >/dev/null && return
	command -v apt-get >/dev/null || die "no debootstrap here" "install it"
	export DEBIAN_FRONTEND=noninteractive
	apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 debootstrap && return
	apt-get update -qq -o DPkg::Lock::Timeout=300
	apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=300 debootstrap
} </dev/null >&2

# The archive that this machine gets the suite from; nothing if it is another system.
own_mirror() {
	local format="\$(SITE) \$(CODENAME)"
	command -v apt-get >/dev/null || return 0
	apt-get indextargets --format "$format" 'Created-By: Packages' 2>/dev/null |
		awk -v suite="$suite" '$2 == suite && !found { found = 1; print $1 }'
}

# Only a whole archive gets the archive's name.
make_archive() {
	local fresh mirror
	[ ! -s "$archive" ] || return 0
	install_debootstrap
	mirror=${BARE_MIRROR:-$(own_mirror)}
	mkdir -p "$cache"
	fresh=$(mktemp -d "$cache/new.XXXXXX")
	chmod 755 "$fresh"
	# The package of certificates would overwrite those of this machine if it came later.
	# shellcheck disable=SC2086  # without a mirror, debootstrap's own
	debootstrap --variant=minbase --include=make,ca-certificates "$suite" "$fresh" $mirror >&2 || {
		rm -rf --one-file-system "$fresh"
		die "debootstrap failed"
	}
	rm -f "$fresh"/var/cache/apt/archives/*.deb
	tar -C "$fresh" -cf "$fresh.tar" .
	mv "$fresh.tar" "$archive"
	rm -rf --one-file-system "$fresh"
}

# carry PATH...: the same files in the new system, links followed, instead of its own, whose links lead out of it; those that aren't
# here don't matter.
carry() {
	local path
	for path; do
		[ -e "$path" ] || continue
		mkdir -p "$root$(dirname "$path")"
		cp -rL --remove-destination --no-target-directory "$path" "$root$path" || true
	done
}

# The ways to package archives, and the environment in which pip uses them.
carry_access() {
	local setting word
	rm -f "$root/etc/apt/sources.list"
	carry /etc/apt/sources.list /etc/apt/sources.list.d /etc/apt/apt.conf /etc/apt/apt.conf.d /etc/apt/preferences.d \
		/etc/apt/trusted.gpg.d /etc/apt/keyrings /usr/share/keyrings \
		/etc/resolv.conf /etc/hosts /etc/pip.conf /etc/ssl/certs /usr/local/share/ca-certificates
	rm -f "$root"/etc/apt/apt.conf.d/docker-clean
	while IFS= read -r setting; do
		environment+=("$setting")
		for word in ${setting#*=}; do
			case $word in /*) carry "$word" ;; esac
		done
	done < <(env | grep -E '^(PIP_[A-Z_]+|(http|https|no)_proxy|(HTTP|HTTPS|NO)_PROXY|SSL_CERT_(FILE|DIR)|REQUESTS_CA_BUNDLE)=')
}

# What is committed, and what is changed or new but not ignored.
copy_checkout() {
	mkdir -p "$root/src"
	git -c safe.directory='*' -C "$checkout" ls-files -z --cached --others --exclude-standard |
		tar -C "$checkout" --null --files-from=- --ignore-failed-read -cf - | tar -C "$root/src" --no-same-owner -xf -
}

# Runs as process 1 of namespaces of its own, so that with it all ends that COMMAND has started.
enter='
set -e
root=$1; shift
mount --make-rprivate /
mount --bind "$root" "$root"		# `ip netns exec` wants the root to be a mount
mount -t proc proc "$root/proc"
mount --rbind /sys "$root/sys"
mount --rbind /dev "$root/dev"
mount -t bpf bpf "$root/sys/fs/bpf"
mount -t tmpfs -o mode=755 tmpfs "$root/run"
cd "$root"
mkdir .host
pivot_root . .host
umount -l /.host
rmdir /.host
cd /src
env -i "$@"
'

[ $# -gt 0 ] || die "usage: bare.sh COMMAND..."
[ "$(id -u)" -eq 0 ] || die "needs root: it makes a system of its own"

environment=(HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "TERM=${TERM:-dumb}")
[ -z "${CI+set}" ] || environment+=("CI=$CI")
make_archive
root=$(mktemp -d "${TMPDIR:-/tmp}/bare.XXXXXX")
trap 'rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root"
tar -C "$root" -xf "$archive"
# A system that lives for minutes need not wait for the disk.
echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/unsafe-io"
carry_access
copy_checkout
status=0
unshare --mount --pid --fork --kill-child bash -c "$enter" bare "$root" "${environment[@]}" "$@" || status=$?
exit "$status"
