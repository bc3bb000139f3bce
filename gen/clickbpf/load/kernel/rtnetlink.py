"""Names of pyroute2, imported when one of them is first used: importing it costs more than the rest of most commands."""

from importlib import import_module
from typing import Any

from clickbpf.errors import ClickError

_MODULES = {
    "IPRoute": "pyroute2",
    "NetlinkError": "pyroute2",
    "NLM_F_DUMP": "pyroute2.netlink",
    "NLM_F_REQUEST": "pyroute2.netlink",
    "genlmsg": "pyroute2.netlink",
    "nlmsg": "pyroute2.netlink",
    "NetlinkSocket": "pyroute2.netlink.nlsocket",
    "NFTables": "pyroute2.nftables.main",
    "GenericNetlinkSocket": "pyroute2.netlink.generic",
    "IoctlEthtool": "pyroute2.ethtool.ioctl",
    "NoSuchDevice": "pyroute2.ethtool.ioctl",
    "NotSupportedError": "pyroute2.ethtool.ioctl",
}

#: IN6_ADDR_GEN_MODE_NONE of <linux/if_link.h>
_NO_ADDRESSES = 1


def without_addresses() -> dict[str, Any]:
    """Settings with which IPv6 generates no address for a device, and so sends nothing by it."""
    return {"IFLA_AF_SPEC": {"attrs": [["AF_INET6", {"attrs": [["IFLA_INET6_ADDR_GEN_MODE", _NO_ADDRESSES]]}]]}}


def links() -> dict[str, Any]:
    """The devices of this namespace, by name."""
    with __getattr__("IPRoute")() as netlink:
        return {link.get_attr("IFLA_IFNAME"): link for link in netlink.get_links()}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(name)
    try:
        return getattr(import_module(_MODULES[name]), name)
    except ModuleNotFoundError as error:
        raise ClickError(f"the Python package {error.name} is missing", hint=f"pip install {error.name}") from None
