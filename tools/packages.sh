#!/bin/bash
# packages.sh PYTHON: install clickbpf by `make install`, by its Debian package and by its wheel; each time run a router, load one, use
# what else there is, and remove all again; nothing may be left.  For a machine that nobody needs (make bare): as root, with nothing of
# clickbpf installed.
set -eu
python=$1
export CLICKBPF_CACHE=/tmp/packages-cache

die() {
	printf 'packages: %s\n' "$@" >&2
	exit 1
}

# Everything that a package may install, or a router leave; what Debian keeps of packages is its own.
files() {
	find /etc /opt /run /sys/fs/bpf /usr -xdev \( -path /run/netns -o -name __pycache__ \) -prune -o -print | sort
}

# try CLICKBPF: what it can do without a device, and with one; the router stays loaded.
try() {
	local count
	count=$("$1" run -e 'InfiniteSource(LIMIT 5, STOP true) -> c :: Counter -> Discard' -h c.count)
	[ "$count" = 5 ] || die "$1 counted '$count' packets instead of 5"
	ip netns add packages
	ip -n packages link add eth0 type veth peer name far
	ip -n packages link set eth0 up
	ip -n packages link set far up
	ip netns exec packages "$1" load -n packages -e 'FromDevice(eth0) -> c :: Counter -> Discard'
	ip netns exec packages ping -q -c 1 -W 1 -I far 10.9.9.9 >/dev/null || true
	[ "$("$1" read -r packages c.count)" -gt 0 ] || die "the router that $1 has loaded sees no packets"
}

# same WHAT: nothing has changed since `before` was written.
same() {
	hash -r  # the command may be elsewhere next time
	ip netns del packages
	files >/tmp/packages-after
	diff /tmp/packages-before /tmp/packages-after >&2 || die "$1 has left something"
}

files >/tmp/packages-before

make --no-print-directory install PYTHON="$python" >/dev/null
try clickbpf
"$python" tools/installed.py /usr/local/bin/clickbpf packages
clickbpf unload packages
make --no-print-directory uninstall >/dev/null
same "make uninstall"

make --no-print-directory deb dist PYTHON="$python" >/dev/null
apt-get install -y -qq --no-install-recommends ./dist/clickbpf_*.deb >/dev/null
grep -q '^ExecStart=/usr/bin/clickbpf load' /usr/lib/systemd/system/clickbpf@.service || die "the Debian package has no unit"
try clickbpf
"$python" tools/installed.py /usr/bin/clickbpf packages
apt-get purge -y -qq clickbpf >/dev/null
same "the Debian package"

"$python" -m venv /tmp/packages-wheel
/tmp/packages-wheel/bin/pip install --quiet --disable-pip-version-check dist/clickbpf-*.whl
try /tmp/packages-wheel/bin/clickbpf
/tmp/packages-wheel/bin/clickbpf unload packages
rm -rf /tmp/packages-wheel
same "the wheel"
echo "make install, the Debian package and the wheel install, run, and leave nothing"
