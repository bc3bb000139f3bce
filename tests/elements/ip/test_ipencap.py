"""IPEncap: an IP header of the configuration's own (RFC 791, 3.1)."""

import pytest
from scapy.layers.inet import IP

from clickbpf.testing.cases import Case
from clickbpf.testing.reach import FULL, Reach

INNER = bytes(IP(src="10.0.0.2", dst="10.0.1.2") / b"data")


def outer(number: int = 0, **fields) -> IP:
    return IP(**{"src": "1.2.3.4", "dst": "5.6.7.8", "proto": 4, "ttl": 250, "id": number, **fields}) / INNER


@pytest.mark.parametrize(
    "arguments, fields",
    [
        ("ipip", {}),
        ("47", {"proto": 47}),
        ("TTL 7", {"ttl": 7}),
        ("DSCP 46", {"tos": 46 << 2}),
        ("DSCP 63, ECT true", {"tos": 63 << 2 | 1}),
        ("ECT 2", {"tos": 2}),
        ("CE true", {"tos": 3}),
        ("TOS 255, DF true", {"tos": 255, "flags": "DF"}),
    ],
)
def test_the_header(element, arguments, fields):
    protocol, keywords = (arguments, "") if " " not in arguments else ("4", f", {arguments}")
    encap = element(f"IPEncap({protocol}, 1.2.3.4, 5.6.7.8{keywords})", headers="ip-checked")
    for number in range(3):
        encap.send(INNER)
        carried = encap.expect(0, outer(number, **fields), DST_IP=0x05060708).carried
        assert (carried.network, carried.transport) == (0, 20)


def test_the_destination_may_be_the_annotation(element):
    encap = element("IPEncap(4, 1.2.3.4, DST_ANNO)", headers="ip-checked")
    encap.gives(INNER, outer(dst="10.0.1.2"), DST_IP=0x0A000102)
    assert encap.read("dst") == "DST_ANNO"


CASES = [Case("IPEncap(ipip, 1.2.3.4, DST_ANNO, DSCP 5)", headers="ip-checked")]
PUNTS = [Reach("IPEncap(ipip, 1.0.0.1, 2.0.0.2)", before=FULL)]

MISTAKES = {
    "IPEncap(4, 1.2.3.4, 5.6.7.8, TOS 1, DSCP 1)": "cannot set both TOS and DSCP",
    "IPEncap(4, 1.2.3.4, 5.6.7.8, TOS 1, CE true)": "cannot set both TOS and ECN bits",
    "IPEncap(4, 1.2.3.4, 5.6.7.8, CE true, ECT 1)": "at most one ECN option",
}
