"""Invalid source addresses, for CheckIPHeader and IPInputCombo."""

from ipaddress import IPv4Address
from types import SimpleNamespace

from ._code import membership

#: Sources that are always invalid, besides the broadcast addresses of INTERFACES (RFC 1812, 5.3.7).
NEVER_SOURCES = (IPv4Address("0.0.0.0"), IPv4Address("255.255.255.255"))


def source_tests(cfg: SimpleNamespace) -> str:
    """SELF(bad_source)() and SELF(good_destination)() by the arguments INTERFACES, BADSRC and GOODDST."""
    bad, good = cfg.badsrc, cfg.gooddst
    if cfg.interfaces:
        bad = (*(interface.broadcast for interface in cfg.interfaces), *NEVER_SOURCES)
        good = tuple(interface.address for interface in cfg.interfaces)
    return membership("bad_source", bad) + membership("good_destination", good)
