"""What an installation provides beside element classes, by Click's names: `require(package NAME)` asks for it."""

import os

from clickbpf.errors import Diagnostic, Diagnostics
from clickbpf.graph.router import Router
from clickbpf.nearest import did_you_mean

#: The driver, and optional parts.
FEATURES = frozenset({"userlevel", "linux", "umultithread", "int64", "ip6", "analysis", "pcap"})


def features() -> frozenset[str]:
    return FEATURES | {os.uname().machine}


def check_requirements(router: Router, found: Diagnostics) -> None:
    """Report requirements that aren't provided: Click's own packages, compiled for its drivers, can't be loaded."""
    for kind, name in router.requirements:
        if kind == "package" and name not in features():
            hint = did_you_mean(name, features()) or "'clickbpf provides -q' lists what is; element classes need no 'require'"
            in_click = (Diagnostic(None, f"requirement '{name}' not available"),)
            found.error(router.required_at.get(name), f"nothing provides the package '{name}'", hint, in_click)
