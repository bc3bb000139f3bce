"""Names of pyroute2, imported when one of them is first used: importing it costs more than the rest of most commands.

The modules are imported without their packages, whose own imports would take twice as long.
"""

from __future__ import annotations

import sys
from importlib import import_module, util
from types import ModuleType
from typing import Any

from clickbpf.errors import ClickError

#: Packages of which single modules are imported.
_PACKAGES = ("pyroute2", "pyroute2.ethtool")
_MODULES = {
    "IPRoute": "pyroute2.iproute",
    "NetlinkError": "pyroute2.netlink.exceptions",
    "NLM_F_REQUEST": "pyroute2.netlink",
    "genlmsg": "pyroute2.netlink",
    "GenericNetlinkSocket": "pyroute2.netlink.generic",
    "IoctlEthtool": "pyroute2.ethtool.ioctl",
    "NoSuchDevice": "pyroute2.ethtool.ioctl",
    "NotSupportedError": "pyroute2.ethtool.ioctl",
}


def __getattr__(name: str) -> Any:
    if name not in _MODULES:
        raise AttributeError(name)
    for package in _PACKAGES:
        if package not in sys.modules:
            around, _, own = package.rpartition(".")
            sys.modules[package] = _unread(package)
            if around:
                setattr(sys.modules[around], own, sys.modules[package])
    return getattr(import_module(_MODULES[name]), name)


def _unread(name: str) -> ModuleType:
    """A package with its modules; its own file is read when somebody asks for another of its names."""
    spec = util.find_spec(name)
    if spec is None:
        raise ClickError(f"the Python package {name} is missing", hint=f"pip install {name}")
    package = util.module_from_spec(spec)

    def find(wanted: str) -> Any:
        if wanted.startswith("__"):
            raise AttributeError(wanted)
        if util.find_spec(f"{name}.{wanted}"):
            return import_module(f"{name}.{wanted}")
        del package.__getattr__
        spec.loader.exec_module(package)
        return getattr(package, wanted)

    package.__getattr__ = find
    return package
