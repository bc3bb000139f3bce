"""Names of pyroute2, which is imported when one of them is first used: the import takes longer than a whole command that doesn't
use netlink.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

_MODULES = {
    "IPRoute": "pyroute2",
    "NetlinkError": "pyroute2",
    "IoctlEthtool": "pyroute2.ethtool.ioctl",
    "NoSuchDevice": "pyroute2.ethtool.ioctl",
    "NotSupportedError": "pyroute2.ethtool.ioctl",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(name)
    return getattr(import_module(_MODULES[name]), name)
