#!/bin/bash
# Two Linux hosts in network namespaces, and between them a router made of configs/iprouter.click, in the kernel.
# Shows each command and what it says; ends with status 1 at the first thing that isn't as it should be.
# Needs root.  Removes what it made, however it ends.
set -euo pipefail

here=$(cd "$(dirname "$0")/.." && pwd)
config=configs/iprouter.click
megabytes=100
PATH=$here/.venv/bin:$PATH:/usr/sbin:/sbin
cd "$here"

router=demo$$
left=$router-left middle=$router-router right=$router-right
work=$(mktemp -d)

# ---- telling -------------------------------------------------------------------------------------------------------

if [ -t 1 ]; then bold=$(printf '\033[1m') plain=$(printf '\033[0m'); else bold='' plain=''; fi
step=0

heading() {
	step=$((step + 1))
	printf '\n%s%d. %s%s\n\n' "$bold" $step "$*" "$plain"
}

say() { printf '   %s\n' "$@"; }

fail() {
	printf '\ndemo: %s\n' "$*" >&2
	exit 1
}

# on HOST COMMAND...: run a command in a namespace; shows the command and what it says, which stays in $work/said.
on() {
	local where=$1
	shift
	printf '   %s# %s\n' "${where#"$router"-}" "$*"
	inside "$where" "$@" 2>&1 | tee "$work/said" | sed 's/^/   /'
}

inside() {
	local where=$1
	shift
	nsenter --net="/run/netns/$where" -- "$@"
}

# expect REGEX WRONG / expect_nothing WRONG: what the last command said, and what is wrong if it didn't.
expect() { grep -Eq "$1" "$work/said" || fail "$2"; }
expect_nothing() { [ ! -s "$work/said" ] || fail "$1"; }

# ---- making and removing -------------------------------------------------------------------------------------------

cable() { # NAMESPACE DEVICE MAC NAMESPACE DEVICE MAC
	ip link add "$2" netns "$1" address "$3" type veth peer name "$5" netns "$4" address "$6"
	ip -n "$1" link set "$2" up
	ip -n "$4" link set "$5" up
}

make_network() {
	local ns
	for ns in "$left" "$middle" "$right"; do
		ip netns add "$ns"
		inside "$ns" sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv6.conf.default.disable_ipv6=1
		ip -n "$ns" link set lo up
	done
	cable "$left" eth0 02:00:00:00:00:02 "$middle" eth0 02:00:00:00:00:10
	cable "$right" eth0 02:00:00:00:01:02 "$middle" eth1 02:00:00:00:01:10
	ip -n "$left" address add 10.0.0.2/24 dev eth0
	ip -n "$left" route add default via 10.0.0.1
	ip -n "$right" address add 10.0.1.2/24 dev eth0
	ip -n "$right" route add default via 10.0.1.1
	ip -n "$middle" address add 10.0.0.1/24 dev eth0
	ip -n "$middle" address add 10.0.1.1/24 dev eth1
	inside "$middle" sysctl -qw net.ipv4.ip_forward=0
}

remove() {
	local status=$? ns
	trap - EXIT
	[ ! -d "/run/clickbpf/$router" ] || inside "$middle" clickbpf unload "$router" || status=1
	for ns in "$left" "$middle" "$right"; do
		[ ! -e "/run/netns/$ns" ] || ip netns delete "$ns"
	done
	rm -rf "$work"
	exit $status
}

# ---- measuring -----------------------------------------------------------------------------------------------------

# Packets counted so far, by elements in the kernel and by elements in the runtime.
counted() { .venv/bin/python demo/work.py "$pins"; }

# transfer FROM TO ADDRESS: a file by TCP; what arrived must be what was sent.
transfer() {
	local began ended
	inside "$2" nc -l -N "$3" 5001 </dev/null >"$work/received" &
	local listener=$!
	until inside "$2" ss -Hltn "sport = 5001" | grep -q .; do sleep 0.05; done
	began=$(date +%s%N)
	inside "$1" timeout 30 nc -N "$3" 5001 <"$work/sent" || fail "the transfer to $3 broke off"
	wait $listener
	ended=$(date +%s%N)
	say "$megabytes MB to $3: $((megabytes * 8 * 1048576 / ((ended - began) / 1000))) Mbit/s"
	[ "$(sha256sum <"$work/received")" = "$(sha256sum <"$work/sent")" ] || fail "other bytes arrived than were sent to $3"
	say "sha256 of what was sent and of what arrived: $(sha256sum <"$work/received" | cut -c1-16)..., equal"
}

# ---- the demo ------------------------------------------------------------------------------------------------------

[ "$(id -u)" -eq 0 ] || fail "network namespaces and BPF need root: sudo make demo"
[ -x .venv/bin/clickbpf ] || fail "clickbpf isn't built yet: make"
trap remove EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP
make_network

cat <<END

   left                        router                        right
   10.0.0.2 --------- 10.0.0.1 eth0  eth1 10.0.1.1 --------- 10.0.1.2

   Three network namespaces.  In the middle one Linux's own forwarding is switched off.
END

heading "What will run where, and why"
on "$middle" clickbpf plan "$config"
expect 'DecIPTTL +xdp' "DecIPTTL should run in the kernel"

heading "Compile, load, attach"
on "$middle" clickbpf load -n "$router" "$config" ADVERTISE=false
on "$middle" clickbpf list
expect "^$router +running" "the router should be listed"
pins=/sys/fs/bpf/clickbpf/$router

heading "The hosts know no neighbours yet; their first ping loses nothing"
on "$left" ip neighbour show
expect_nothing "the left host knows neighbours already"
on "$left" ping -n -c3 -i0.2 10.0.1.2
expect ' 0% packet loss' "pings were lost"

heading "The router is a hop like any other"
on "$left" traceroute -n -q1 10.0.1.2
expect '^ *1  10\.0\.0\.1 ' "the router should be the first hop"
expect '^ *2  10\.0\.1\.2 ' "the host should be the second hop"

heading "$megabytes MB by TCP in each direction: all of it in the kernel"
head -c ${megabytes}M /dev/urandom >"$work/sent"
read -r kernel_before runtime_before < <(counted)
transfer "$left" "$right" 10.0.1.2
transfer "$right" "$left" 10.0.0.2
read -r kernel_after runtime_after < <(counted)
say "" "counted by elements in the kernel:     $kernel_before before, $kernel_after after" \
	"counted by elements in the runtime:    $runtime_before before, $runtime_after after"
[ $((kernel_after - kernel_before)) -gt $((2 * megabytes * 1048576 / 1460)) ] || fail "the kernel should have counted more"
[ "$runtime_after" -eq "$runtime_before" ] || fail "the runtime should have had nothing to do"

heading "Handlers, as in Click; their state is an ordinary BPF map"
on "$middle" clickbpf read -r "$router" in0.count
on "$middle" clickbpf read -r "$router" arpq1.table
expect '10\.0\.1\.2 .*02-00-00-00-01-02' "the ARP table should know the right host"
on "$middle" clickbpf read -r "$router" rt.table
on "$middle" sh -c "bpftool map dump pinned $pins/elements/in0/counters | grep -A1 e_in0_counters | head -5"
expect '"count": [1-9]' "the map should show the packets"

heading "Unload; nothing is left"
on "$middle" clickbpf unload "$router"
on "$middle" bpftool net
! grep -q eth "$work/said" || fail "a program is left on a device"
[ -z "$(ip netns pids "$middle")" ] || fail "a process is left in the router's namespace"
[ ! -e "$pins" ] || fail "pins are left: $pins"
[ ! -e "/run/clickbpf/$router" ] || fail "a folder is left: /run/clickbpf/$router"
say "no program, no pin, no process"
