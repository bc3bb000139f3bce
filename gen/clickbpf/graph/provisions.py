"""The features that `require(package NAME)` can ask for, by Click's names."""

import os

from clickbpf.errors import Diagnostic, Diagnostics
from clickbpf.graph.router import Router
from clickbpf.nearest import did_you_mean

#: Click's user-level driver, and its optional parts.
FEATURES = frozenset({"userlevel", "linux", "umultithread", "int64", "ip6", "analysis", "pcap"})


def features() -> frozenset[str]:
    return FEATURES | {os.uname().machine}


def check_requirements(router: Router, found: Diagnostics) -> None:
    """Report packages that aren't provided. Click's own are compiled for its drivers, and can't be loaded here."""
    for kind, name in router.requirements:
        if kind == "package" and name not in features():
            hint = did_you_mean(name, features()) or "'clickbpf provides -q' lists all packages; element classes need no 'require'"
            in_click = (Diagnostic(None, f"requirement '{name}' not available"),)
            found.error(router.required_at.get(name), f"nothing provides the package '{name}'", hint, in_click)
