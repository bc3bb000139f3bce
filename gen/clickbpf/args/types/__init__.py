"""Types of configuration arguments."""

from clickbpf.args.types.address import EtherAddress, IPAddress, IPPrefix, IPPrefixNonContiguous, OwnEtherAddress
from clickbpf.args.types.address6 import IP6Address, IP6Prefix, ip6_prefix_text, ip6_text
from clickbpf.args.types.base import Bulk, Type
from clickbpf.args.types.compound import ListOf, OneOf
from clickbpf.args.types.number import (
    DSCP,
    Anno,
    Bool,
    Decimal,
    ICMPCode,
    ICMPType,
    Integer,
    IPPort,
    IPProtocol,
    Named,
    Rate,
    Real,
    written_integer,
)
from clickbpf.args.types.quantity import Bandwidth, Seconds, Time
from clickbpf.args.types.reference import ElementRef, HandlerCall, HandlerRef
from clickbpf.args.types.text import Bytes, DeviceName, Enum, Filename, Raw, String, Word

__all__ = [
    "DSCP", "Anno", "Bandwidth", "Bool", "Bulk", "Bytes", "Decimal", "DeviceName", "ElementRef", "Enum", "EtherAddress", "Filename",
    "HandlerCall", "HandlerRef", "ICMPCode", "ICMPType", "IP6Address", "IP6Prefix", "IPAddress", "IPPort", "IPPrefix",
    "IPPrefixNonContiguous", "IPProtocol",
    "Integer", "ListOf", "Named", "OneOf", "OwnEtherAddress", "Rate", "Raw", "Real", "Seconds", "String", "Time", "Type", "Word",
    "ip6_prefix_text", "ip6_text", "written_integer",
]  # fmt: skip
