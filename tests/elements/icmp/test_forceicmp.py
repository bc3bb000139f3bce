"""ForceICMP: what is in an IP packet becomes a message of a type and a code (RFC 792)."""

import pytest
from scapy.layers.inet import ICMP, IP, IPOption_NOP
from scapy.utils import checksum
from tests.elements.trials import Trial

from clickbpf.testing.cases import Case
from clickbpf.testing.packets import Mix


def message(data: bytes = b"data", fields=None, **icmp) -> IP:
    return IP(src="10.0.0.2", dst="10.0.1.2", **(fields or {})) / ICMP(id=5, seq=6, **icmp) / data


@pytest.mark.parametrize("length", [0, 1, 4, 5, 1460])
@pytest.mark.parametrize("arguments, kind", [("echo-reply, 0", (0, 0)), ("8, 7", (8, 7)), ("TYPE 255, CODE 255", (255, 255))])
def test_type_code_and_checksum(element, length, arguments, kind):
    x = element(f"ForceICMP({arguments})", headers="ip")
    data = bytes(number & 0xFF for number in range(length))
    sent = bytes(message(data, type=8, code=3, chksum=9))
    x.gives(sent, sent[:20] + summed(bytes([*kind, 0, 0]) + sent[24:]))


def summed(unsummed: bytes) -> bytes:
    return unsummed[:2] + checksum(unsummed).to_bytes(2, "big") + unsummed[4:]


CASES = [Case("ForceICMP(unreachable, port)", headers="ip", mix=Mix(large=10))]

TRIALS = {
    "names": Trial("ForceICMP(unreachable, port)", headers="ip")
        .gives(message(type=8), bytes(message())[:20] + summed(bytes.fromhex("0303 0000 0005 0006") + b"data")),
    "options and padding": Trial("ForceICMP(8, 0)", headers="ip")
        .gives(
            bytes(message(fields={"options": [IPOption_NOP()] * 8}, chksum=1)) + b"padding",
            bytes(message(fields={"options": [IPOption_NOP()] * 8})) + b"padding"
        ),
    "bad lengths": Trial("ForceICMP(8, 0)", headers="ip")
        .drops(*(message(fields=fields) for fields in ({"len": 27}, {"len": 33}, {"ihl": 4}, {"ihl": 9})), reason="MALFORMED")
        .drops(bytes(message())[:27], reason="MALFORMED"),
}

MISTAKES = {"ForceICMP(echo, port)": "ICMP code"}
