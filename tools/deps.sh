#!/bin/bash
# deps.sh [test | whole | bench | docs | check | list]: install the Debian packages that clickbpf needs and that are missing, with those of its
# demo; with `test`, those of its tests as well, with `whole` those of the tests marked so, too; with `bench` what it is measured beside;
# with `docs` those of its manual alone; with `check` only say which they are, with status 1.
# Does nothing, and needs no rights, if all are there.  With `list`, print the names of those that clickbpf itself needs.
set -eu

packages=(
	# the compilers, and what compiled programs are built against
	clang-19 gcc libc6-dev linux-libc-dev make
	libbpf-dev libxdp-dev libelf-dev libmnl-dev libpcap-dev libssl-dev zlib1g-dev libbz2-dev liblzma-dev
	# the generator
	python3 python3-venv
	# looking at and setting up what runs
	bpftool xdp-tools iproute2 ethtool procps
	# laying graphs out; mounting handlers
	graphviz fuse3
)
mode=${1:-install}
[ "$mode" != list ] || { printf '%s\n' "${packages[@]}"; exit; }
# peers of the demo
packages+=(iputils-ping traceroute netcat-openbsd)
# the sanitizers' libraries, what runs routers as services, reads images and edits routers; a packet filter
case $mode in test | whole) packages+=(libclang-rt-19-dev systemd umoci neovim nftables) ;; esac
# what shows pages, with the hundred packages that it needs; daemons of routes and addresses
[ "$mode" != whole ] || packages+=(chromium frr bird2 keepalived dnsmasq-base udhcpc)
# a web server, and what asks it
[ "$mode" != bench ] || packages+=(nginx-light wrk)
# the manual is made without compilers
[ "$mode" != docs ] || packages=(make python3 python3-venv graphviz)

die() {
	printf 'deps: %s\n' "$@" >&2
	exit 1
}

missing_packages() {
	local package
	for package in "${packages[@]}"; do
		dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || echo "$package"
	done
}

install_packages() {
	DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends \
		-o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 "$@" </dev/null
}

# Nobody asked for the daemons that come with the packages of tests: they aren't started, unless the system has a policy of its own.
hold_services() {
	local policy=/usr/sbin/policy-rc.d
	[[ $mode = whole || $mode = bench ]] && [ ! -e "$policy" ] || return 0
	printf '#!/bin/sh\nexit 101\n' >"$policy"
	chmod 755 "$policy"
	trap "rm -f '$policy'" EXIT
}

# On other systems: the commands must be there, whoever installed them.
check_commands() {
	local command missing=()
	local wanted=(clang-19 gcc bpftool ip ethtool ping traceroute)
	[ "$mode" != docs ] || wanted=(dot)
	for command in "${wanted[@]}"; do
		PATH=$PATH:/usr/sbin:/sbin command -v "$command" >/dev/null || missing+=("$command")
	done
	[ ${#missing[@]} -eq 0 ] || die "this is not Debian; please install what provides: ${missing[*]}" \
		"and, but for the manual, the libraries libbpf, libxdp, libmnl, libpcap, libcrypto, zlib, libbz2 and liblzma with their headers"
}

command -v apt-get >/dev/null && command -v dpkg-query >/dev/null || { check_commands; exit; }

mapfile -t missing < <(missing_packages)
[ ${#missing[@]} -gt 0 ] || exit 0
[ "$(id -u)" -eq 0 ] && [ "$mode" != check ] || die "missing packages: ${missing[*]}" "install them as root: sudo make deps"

hold_services
# The lists of packages may be empty (fresh containers) or old; they are fetched only when they don't do.
install_packages "${missing[@]}" || {
	apt-get update -o DPkg::Lock::Timeout=300 </dev/null
	install_packages "${missing[@]}"
} || die "could not install: ${missing[*]}" "clang-19 is in the archive of Debian 12 (bookworm) and newer"
