"""Network devices: their drivers' support for XDP, and settings that lose packets or prevent programs from being attached."""

import os
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from clickbpf.crossings import AUTO, RING
from clickbpf.doctor.finding import NOTE, PROBLEM, Finding
from clickbpf.load.devices import veth
from clickbpf.load.devices.devices import Device, all_devices, with_default_route
from clickbpf.load.devices.diagnose import on_xdp
from clickbpf.load.devices.frags import WHOLE_MTU, cure, takes_frags
from clickbpf.load.devices.frames import RXVLAN
from clickbpf.load.devices.l3 import has_header
from clickbpf.load.devices.links import attached_tc
from clickbpf.load.devices.settings import SHORT, features_of, out_of_reach
from clickbpf.load.kernel.features import BASIC, ZERO_COPY, redirects_parts, takes_no_frames, xdp_features
from clickbpf.load.kernel.libxdp import shared
from clickbpf.load.path.crossing import is_for_ring
from clickbpf.nearest import did_you_mean

#: The offload that joins frames into larger ones (LRO), by ethtool's long name: with it drivers refuse XDP, or lose forwarded frames.
JOINING = "large-receive-offload"
STRICT = "1"
LOOPBACK = "lo"
CONF = Path("/proc/sys/net/ipv4/conf")


def examine(names: Iterable[str] = ()) -> Iterator[Finding]:
    """Findings on these devices; without names on all that are up."""
    present = {device.name: device for device in all_devices()}
    for name in names or [name for name, device in present.items() if device.up]:
        if name in present:
            yield from _examine(present[name])
        else:
            yield Finding(name, *_missing(name, present))


def _missing(name: str, present: Iterable[str]) -> tuple[str, str, str | None]:
    if name == LOOPBACK:
        return "the loopback: routers take it in generic mode, and all that programs of this machine send each other", NOTE, None
    return "there is no such network device", PROBLEM, did_you_mean(name, present)


def _examine(device: Device) -> Iterator[Finding]:
    if not device.up:
        yield Finding(device.name, "down: a router can't be loaded on it", PROBLEM, f"ip link set {device.name} up")
    if device.l3 and has_header(device):
        what = "packets begin with the tunnel's header: routers can't use a GRE device without a single remote address"
        yield Finding(device.name, what, PROBLEM, f"create it with one: ip link add {device.name} type {device.kind} remote ADDRESS ...")
    elif device.l3:
        yield Finding(device.name, "packets without Ethernet header: routers take it on TC only", NOTE, "--hook tc")
    else:
        yield from _addresses(device)
        yield from _size(device)
        yield from _driver(device)
    yield from _queues(device)
    yield from _offloads(device)
    yield from _other_end(device)
    yield from _programs(device)
    yield from _role(device)


def _addresses(device: Device) -> Iterator[Finding]:
    if len(device.mac) != 6:
        yield Finding(device.name, "no Ethernet addresses: XDP programs can't be attached to it, or see frames without header", PROBLEM)


def _size(device: Device) -> Iterator[Finding]:
    if device.mtu > WHOLE_MTU and not redirects_parts():
        yield Finding(device.name, f"MTU {device.mtu}: XDP sends only frames in one page before Linux 6.3", PROBLEM, cure(device.name))
    elif device.mtu > WHOLE_MTU:
        sent = "" if takes_frags(device) else "; the driver sends none of them, so the runtime does, which is slower"
        yield Finding(device.name, f"MTU {device.mtu}: XDP frames in several buffers, by programs compiled with --frags{sent}", NOTE)


def _driver(device: Device) -> Iterator[Finding]:
    features = xdp_features(device.ifindex)
    if features is None:
        yield Finding(device.name, "the kernel doesn't report which XDP features its driver has", NOTE)
    elif not features & BASIC:
        yield Finding(device.name, "its driver has no native XDP: generic mode, which is slower", NOTE)
    elif device.kind != "veth" and takes_no_frames(device.ifindex):
        what = "it takes no frames from native XDP without a program; if it takes none with one, 'clickbpf load' uses generic mode"
        yield Finding(device.name, what, NOTE, "then --hook tc may be faster")
    else:
        sockets = "without a copy" if features & ZERO_COPY else "with a copy of each packet"
        possible = "; --crossing ring possible" if is_for_ring(device, RING) else ""
        frames = "; routers send by a ring of XDP frames" if is_for_ring(device, AUTO) else possible
        yield Finding(device.name, f"native XDP; AF_XDP {sockets}{frames}")


def _queues(device: Device) -> Iterator[Finding]:
    cpus = len(os.sched_getaffinity(0))
    if device.queues == 1 and cpus > 1 and not device.kind:
        cure = f"ethtool -L {device.name} combined {cpus}, if the device has more"
        yield Finding(device.name, f"one receive queue: one of {cpus} CPUs does all the work", NOTE, cure)
    else:
        yield Finding(device.name, f"receive queues: {device.queues}")


def _offloads(device: Device) -> Iterator[Finding]:
    with suppress(*out_of_reach()):
        now = features_of(device.name)
        if now[JOINING]:
            yield Finding(device.name, "joins received frames, which XDP doesn't accept", PROBLEM, f"ethtool -K {device.name} lro off")
        if now[RXVLAN]:
            what = "removes VLAN tags from frames, so XDP doesn't see them; 'clickbpf load' switches that off"
            yield Finding(device.name, what, NOTE, f"ethtool -K {device.name} {SHORT[RXVLAN]} off")


def _other_end(device: Device) -> Iterator[Finding]:
    """A note if a veth device's peer lacks settings; that is no problem, since the loader changes them if it can reach the peer."""
    if device.kind != "veth":
        return
    peer, lacking = veth.lacking(device, "native")
    if peer is None:
        what = "its other end is out of reach; without these settings there TCP and redirects fail"
        yield Finding(device.name, what, NOTE, veth.advice(None, lacking))
    elif lacking:
        what = f"its other end, {peer}, has settings with which TCP and redirects fail; 'clickbpf load' changes them"
        yield Finding(device.name, what, NOTE, veth.advice(peer, lacking))


def _programs(device: Device) -> Iterator[Finding]:
    program, holder = on_xdp(device.ifindex)
    if holder:
        yield Finding(device.name, f"used by the router {holder}")
    elif program and shared(device.ifindex):
        what = f"runs XDP programs that libxdp's dispatcher calls (id {program}); 'clickbpf load --multi' loads a router beside them"
        yield Finding(device.name, what, NOTE, "'xdp-loader status' shows them, and 'xdp-loader unload' removes them")
    elif program:
        cure = f"'bpftool net' shows which; 'ip link set dev {device.name} xdp off' detaches it unless it is attached by a link"
        yield Finding(device.name, f"runs another XDP program (id {program})", PROBLEM, cure)
    for direction, meaning in (("ingress", "see what XDP passes to Linux"), ("egress", "don't see what XDP sends")):
        number = attached_tc(device.ifindex, direction)
        if number and not holder:
            yield Finding(device.name, f"programs or filters at TC {direction}: {number}; they {meaning}", NOTE)


def _role(device: Device) -> Iterator[Finding]:
    if with_default_route([device]):
        what = "carries the default route: a router takes all its packets"
        yield Finding(device.name, what, NOTE, "'clickbpf load --confirm SECONDS' puts everything back unless it is confirmed")
    modes = [path.read_text().strip() for path in (CONF / "all/rp_filter", CONF / device.name / "rp_filter") if path.exists()]
    if modes and max(modes) == STRICT:
        what = "Linux drops packets whose way back is another device, including those that ToHost passes to it"
        yield Finding(device.name, what, NOTE, f"sysctl net.ipv4.conf.all.rp_filter=2 net.ipv4.conf.{device.name}.rp_filter=2")
