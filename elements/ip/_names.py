"""C functions for the names of numbers in IP packets, as configurations spell them."""

from collections.abc import Mapping

from clickbpf.args.wellknown import ICMP_CODES, ICMP_TYPES, PROTOCOLS
from clickbpf.declare import c_string


def protocol_names() -> str:
    """SELF(protocol_name)(number): the name of an IP protocol, or NULL."""
    return _function("protocol_name", _by_number(PROTOCOLS))


def icmp_names() -> str:
    """SELF(icmp_type_name)(type) and SELF(icmp_code_name)(type << 8 | code): a name, or NULL."""
    codes = {
        ICMP_TYPES[kind] << 8 | code: name
        for kind, names in ICMP_CODES.items()
        for name, code in names.items()
    }  # fmt: skip
    return _function("icmp_type_name", _by_number(ICMP_TYPES)) + _function("icmp_code_name", codes)


def _by_number(names: Mapping[str, int]) -> dict[int, str]:
    return {number: name for name, number in names.items()}


def _function(name: str, texts: Mapping[int, str]) -> str:
    cases = "".join(f'\tcase {number}:\n\t\treturn {c_string(text)};\n' for number, text in texts.items())
    return f"static const char *SELF({name})(__u32 number)\n{{\n\tswitch (number) {{\n{cases}\t}}\n\treturn NULL;\n}}\n"
