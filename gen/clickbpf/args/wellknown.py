"""Names that need no definition: IP protocols, ports and ICMP (the lists of Click's IPNameInfo), code points, packet annotations.

Names from the IANA's registries are added to Click's. `tcpudp`, `transp` and `payload` are Click's names for sets of protocols;
their numbers don't fit into a byte, and only packet filters use them.
"""

from clickbpf.args import iana
from clickbpf.args.values import Anno
from clickbpf.vocabulary import annotations

PROTOCOLS = {
    "icmp": 1, "igmp": 2, "ipip": 4, "tcp": 6, "udp": 17, "dccp": 33, "gre": 47, "sctp": 132,
    "tcpudp": 256, "transp": 258, "payload": 259,
}  # fmt: skip

PORTS = {
    "echo": 7, "discard": 9, "daytime": 13, "chargen": 19, "ftp-data": 20, "ftp": 21, "ssh": 22, "telnet": 23,
    "smtp": 25, "dns": 53, "domain": 53, "bootps": 67, "bootpc": 68, "tftp": 69, "finger": 79, "www": 80, "pop3": 110,
    "sunrpc": 111, "auth": 113, "nntp": 119, "ntp": 123, "netbios-ns": 137, "netbios-dgm": 138, "netbios-ssn": 139,
    "snmp": 161, "snmp-trap": 162, "irc": 194, "imap3": 220, "https": 443, "rip": 520, "route": 520, "imaps": 993,
    "pop3s": 995, "pptp": 1723,
}  # fmt: skip

ICMP_TYPES = {
    "echo-reply": 0, "unreachable": 3, "sourcequench": 4, "redirect": 5, "echo": 8, "routeradvert": 9,
    "routersolicit": 10, "timeexceeded": 11, "parameterproblem": 12, "timestamp": 13, "timestamp-reply": 14,
    "inforeq": 15, "inforeq-reply": 16, "maskreq": 17, "maskreq-reply": 18,
}  # fmt: skip

ICMP_CODES = {
    "unreachable": {
        "net": 0, "host": 1, "protocol": 2, "port": 3, "needfrag": 4, "srcroutefail": 5, "netunknown": 6,
        "hostunknown": 7, "isolated": 8, "netprohibited": 9, "hostprohibited": 10, "tosnet": 11, "toshost": 12,
        "filterprohibited": 13, "hostprecedence": 14, "precedencecutoff": 15,
    },
    "redirect": {"net": 0, "host": 1, "tosnet": 2, "toshost": 3},
    "timeexceeded": {"transit": 0, "reassembly": 1},
    "parameterproblem": {"erroratptr": 0, "missingopt": 1, "length": 2},
}  # fmt: skip

#: Differentiated services code points: RFC 2474 (CS), RFC 2597 (AF), RFC 3246, RFC 5865, RFC 8622.
DSCPS = {
    "be": 0, "le": 1, "voice-admit": 44, "ef": 46,
    **{f"cs{number}": 8 * number for number in range(8)},
    **{f"af{queue}{drops}": 8 * queue + 2 * drops for queue in range(1, 5) for drops in range(1, 4)},
}  # fmt: skip

#: VLAN is Click's short name for VLAN_TCI.
ANNOTATIONS = {name: Anno(*place) for name, place in {**annotations.ANNOTATIONS, "VLAN": annotations.ANNOTATIONS["VLAN_TCI"]}.items()}

#: The protocols that have ports.
TRANSPORTS = ("tcp", "udp", "dccp", "sctp", "udplite")

WELL_KNOWN: dict[str, dict] = {
    "protocol": {**iana.PROTOCOLS, **PROTOCOLS},
    **{f"port/{iana.PROTOCOLS[name]}": {**iana.PORTS, **PORTS} for name in TRANSPORTS},
    "icmp type": ICMP_TYPES,
    "annotation": ANNOTATIONS,
    "dscp": DSCPS,
    **{f"icmp code/{ICMP_TYPES[name]}": codes for name, codes in ICMP_CODES.items()},
}
