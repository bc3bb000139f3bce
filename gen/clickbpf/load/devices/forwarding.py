"""Finds what packets would bypass on the fast path of a Linux router: packet filters, address translation, IPsec, bridges and so on."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from socket import AF_UNSPEC

from clickbpf.errors import ClickError
from clickbpf.load.kernel import rtnetlink

#: <linux/netfilter.h>
NF_DROP = 0
#: Families of nftables, and the hooks that forwarded packets meet in them.
FAMILIES = {1: "inet", 2: "ip", 5: "netdev", 10: "ip6"}
HOOKS = {0: "prerouting", 2: "forward", 4: "postrouting"}
#: <linux/xfrm.h>: the directions of packets that are forwarded, out and fwd, at byte 160 of struct xfrm_userpolicy_info.
NETLINK_XFRM, XFRM_MSG_NEWPOLICY, XFRM_MSG_GETPOLICY, FORWARDED = 6, 0x13, 0x15, (1, 2)
#: Root queueing disciplines that Linux chooses itself.
USUAL = ("noqueue", "noop", "mq", "pfifo_fast", "fq_codel", "fq")
_LEGACY = ("ip_tables_names", "ip6_tables_names")


def check_forwarding(devices: Iterable[str]) -> None:
    """ClickError for devices whose packets Linux doesn't forward by its main routes: because it doesn't forward, or the device belongs to
    a bridge or a VRF."""
    if Path("/proc/sys/net/ipv4/ip_forward").read_text().strip() == "0":
        raise ClickError("Linux doesn't forward packets here, so there is nothing to accelerate", hint="sysctl -w net.ipv4.ip_forward=1")
    links = rtnetlink.links()
    names = {link["index"]: name for name, link in links.items()}
    for device in devices:
        if device not in links:
            raise ClickError(f"there is no device {device}", hint="'ip link' lists them")
        if not _forwards("ipv4", device):
            setting = f"sysctl -w net.ipv4.conf.{device}.forwarding=1"
            raise ClickError(f"Linux doesn't forward what comes in by {device}, so there is nothing to accelerate", hint=setting)
        master = links[device].get_attr("IFLA_MASTER")
        kind = master and _kind(links[names[master]])
        if kind and kind != "vrf":
            raise ClickError(
                f"{device} is a port of the {kind} {names[master]}, which forwards its packets",
                hint=f"accelerate other devices, or take it out: ip link set {device} nomaster",
            )
        if kind:
            hint = "give the lookups of a copy of configs/linuxrouter.click VRF, and load it by --config"
            raise ClickError(f"{device} belongs to the VRF {names[master]}, which has routes of its own", hint=hint)


def _forwards(version: str, device: str) -> bool:
    path = Path(f"/proc/sys/net/{version}/conf/{device}/forwarding")
    return path.exists() and path.read_text().strip() != "0"


def forwarding6(devices: Iterable[str]) -> frozenset[str]:
    """The devices whose IPv6 packets Linux forwards."""
    return frozenset(device for device in devices if _forwards("ipv6", device))


def _kind(link) -> str | None:
    info = link.get_attr("IFLA_LINKINFO")
    return info and info.get_attr("IFLA_INFO_KIND")


def notes(devices: Iterable[str]) -> Iterator[str]:
    """Notes for the user about devices that are accelerated."""
    links = rtnetlink.links()
    for device in devices:
        over = [link for link in links.values() if link.get_attr("IFLA_LINK") == links[device]["index"] and _kind(link) == "vlan"]
        upper = [str(link.get_attr("IFLA_IFNAME")) for link in over]
        if upper:
            yield f"{', '.join(upper)}: packets with VLAN tags are left to Linux"
        if (qdisc := links[device].get_attr("IFLA_QDISC")) not in USUAL:
            yield f"{device}: forwarded packets bypass its qdisc {qdisc}"
        if not _forwards("ipv6", device):
            yield f"{device}: IPv6 packets are left to Linux, which doesn't forward them"
        if max(int(Path(f"/proc/sys/net/ipv4/conf/{each}/rp_filter").read_text()) for each in ("all", device)) == 1:
            yield f"{device}: forwarded packets' sources aren't checked, although rp_filter is 1"


def bypassed() -> list[str]:
    """The packet filters and the like that forwarded packets meet in Linux, and would bypass in XDP, by their usual names."""
    found = [f"nft table {family} {table}, chain {chain} ({hook})" for family, table, chain, hook in _chains()]
    for file in _LEGACY:
        with suppress(OSError):
            tables = Path("/proc/net", file).read_text().split()
            found += [f"{'ip6tables' if '6' in file else 'iptables'} (legacy) table {table}" for table in tables]
    if any(direction in FORWARDED for direction in _policies()):
        found.append("IPsec (ip xfrm policy)")
    return found


def _chains() -> Iterator[tuple[str, str, str, str]]:
    """Chains of nftables, iptables-nft's included, that have rules or don't accept everything; none if the kernel has no nftables."""
    try:
        with rtnetlink.NFTables(nfgen_family=AF_UNSPEC) as nftables:
            chains = list(nftables.get_chains())
    except (OSError, rtnetlink.NetlinkError):
        return
    for chain in chains:
        hook, family = chain.get_attr("NFTA_CHAIN_HOOK"), FAMILIES.get(chain["nfgen_family"])
        if hook is None or family is None:
            continue
        where = "ingress" if family == "netdev" else HOOKS.get(hook.get_attr("NFTA_HOOK_HOOKNUM"))
        if where and (chain.get_attr("NFTA_CHAIN_USE") or chain.get_attr("NFTA_CHAIN_POLICY") == NF_DROP):
            yield family, chain.get_attr("NFTA_CHAIN_TABLE"), chain.get_attr("NFTA_CHAIN_NAME"), where


def _policies() -> Iterator[int]:
    """The directions of IPsec's policies; none if the kernel has no IPsec."""

    class Policy(rtnetlink.nlmsg):
        fields = (("before", "160B"), ("direction", "B"))

    try:
        with rtnetlink.NetlinkSocket(family=NETLINK_XFRM) as xfrm:
            xfrm.marshal.msg_map[XFRM_MSG_NEWPOLICY] = Policy
            xfrm.bind()
            flags = rtnetlink.NLM_F_REQUEST | rtnetlink.NLM_F_DUMP
            yield from (policy["direction"] for policy in xfrm.nlm_request(Policy(), XFRM_MSG_GETPOLICY, flags))
    except (OSError, rtnetlink.NetlinkError):
        return
