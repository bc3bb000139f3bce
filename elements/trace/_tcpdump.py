"""Converts the output of tcpdump into lines of an IP summary dump.

The format is that of tcpdump 3 with -tt: `1018330170.887165 10.0.0.1.3153 > 10.0.0.2.21: S 5:5(0) win 5840 <mss 1460> (ttl 64, id 5)`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

ICMP, TCP, UDP = 1, 6, 17
#: The fields of the lines.
FIELDS = (
    "timestamp", "ip_src", "sport", "ip_dst", "dport", "ip_proto", "tcp_flags", "tcp_seq", "tcp_ack", "tcp_window", "tcp_urp",
    "tcp_off", "tcp_opt", "ip_tos", "ip_id", "ip_fragoff", "ip_ttl", "payload_len",
)  # fmt: skip
#: The TTL for lines without one, and bytes of headers.
TTL = 2
HEADERS = {TCP: 40, UDP: 28}
#: The most characters of a line, and brackets at its end, to examine.
LONGEST, MOST_GROUPS = 1 << 14, 16
WORD = 1 << 32

_LINE = re.compile(r"(?P<time>\d+(?:\.\d+)?) (?P<source>\S+) > (?P<destination>[^:]*): *(?P<rest>.*)", re.DOTALL)
_SUM = re.compile(r" ?(?:\[bad hdr[^\]]*\] )?(?:\[(?:tcp|udp) sum ok\] |\[bad (?:tcp|udp)[^\]]*\] )? *")
_FLAGS = re.compile(r"\.|[FSRPUAWECN]+")
_SEQUENCE = re.compile(r"(\d+):(\d+)\(\d*\) ?")
_NUMBER = {word: re.compile(rf"{word} (\d+) ?") for word in ("ack", "win", "urg", "udp")}
_OPTIONS = re.compile(r"<([^>]*)>?")
_GROUP = re.compile(r"(?:\((?P<round>(?:[^()]|\([^()]*\))*)\)|\[(?P<square>[^\[\]]*)\])\s*$")
_FRAGMENT = re.compile(r"frag (\d+):(\d+)@(\d+)(\+?)")
_ITEM = re.compile(r"tos 0x(?P<tos>[0-9a-f]+)|(?P<ecn>ECT\([01]\)|CE)|(?P<df>DF)|ttl (?P<ttl>\d+)|id (?P<id>\d+)|len (?P<len>\d+)")
_ECN = {"ECT(0)": 2, "ECT(1)": 1, "CE": 3}
#: TCP options, and their form in a summary.
_OPTION = (
    (re.compile(r"nop"), "nop"),
    (re.compile(r"eol"), "eol"),
    (re.compile(r"mss (\d+)"), r"mss\1"),
    (re.compile(r"wscale (\d+)"), r"wscale\1"),
    (re.compile(r"sackOK"), "sackok"),
    (re.compile(r"timestamp (\d+) (\d+)"), r"ts\1:\2"),
)
_SACK = re.compile(r"sack sack \d+ *((?:\{\d+:\d+\})+)\s*")
_BLOCK = re.compile(r"\{(\d+):(\d+)\}")


class BadLine(Exception):
    """A line without a packet."""


@dataclass
class _Flow:
    """Both directions of a TCP connection: the initial and the next sequence numbers."""

    first: list[int] = field(default_factory=lambda: [0, 0])
    next: list[int] = field(default_factory=lambda: [0, 0])


def after(number: int, other: int) -> bool:
    """Whether a sequence number is at or after another (RFC 9293, 3.4)."""
    return (number - other) % WORD < WORD // 2


class Translator:
    """Translates line by line. Tracks connections, as tcpdump prints numbers relative to a connection's first.

    `address(text)` and `port(text, protocol)` parse a number or a name, and raise BadLine.
    """

    def __init__(self, address: Callable[[str], str], port: Callable[[str, int], int]):
        self._address, self._port = address, port
        self._flows: dict[tuple, _Flow] = {}
        #: Whether numbers are absolute; None until a number shows which.
        self._absolute: bool | None = None

    def __call__(self, line: str) -> str | None:
        """A line of FIELDS, or None for a comment or an empty line; raises BadLine."""
        if not line or line.startswith("#"):
            return None
        match = _LINE.fullmatch(line) if len(line) <= LONGEST else None
        if not match:
            raise BadLine
        rest = match["rest"]
        found = {"timestamp": match["time"], "ip_ttl": TTL, "ip_proto": protocol_of(rest)}
        self._hosts(found, match["source"], match["destination"])
        rest, groups = split_groups(rest)
        length = None
        if found["ip_proto"] == TCP:
            length = self._tcp(found, rest)
        elif found["ip_proto"] == UDP and (told := _NUMBER["udp"].match(_SUM.sub("", rest, count=1))):
            length = int(told[1])
        length = read_groups(found, groups, length)
        found["payload_len"] = max(length or 0, 0)
        return " ".join(str(found.get(name, "-")) for name in FIELDS)

    def _hosts(self, found: dict, source: str, destination: str) -> None:
        protocol = found["ip_proto"]
        for host, address, port in ((source, "ip_src", "sport"), (destination, "ip_dst", "dport")):
            if protocol in (TCP, UDP):
                host, _, name = host.rpartition(".")
                found[port] = self._port(name, protocol)
            found[address] = self._address(host)

    def _tcp(self, found: dict, rest: str) -> int | None:
        """Parse the part on the segment; returns the length of its payload, if given."""
        rest = Rest(rest)
        flags = rest.take(_FLAGS)
        flags = flags[0].replace(".", "A").replace("W", "C") if flags else ""
        rest.take(_SUM)
        sequence = rest.take(_SEQUENCE)
        start, end = (int(sequence[1]), int(sequence[2])) if sequence else (0, 0)
        told = rest.take(_NUMBER["ack"])
        acknowledged = int(told[1]) if told else 0
        flags += "A" if told and "A" not in flags else ""
        length = (end - start) % WORD
        base = 0
        if "A" in flags:
            start, acknowledged, base = self._follow(found, flags, start, end, acknowledged)
        window, urgent = rest.take(_NUMBER["win"]), rest.take(_NUMBER["urg"])
        options = rest.take(_OPTIONS)
        found |= {
            "tcp_flags": flags or ".",
            "tcp_seq": start % WORD,
            "tcp_ack": acknowledged % WORD,
            "tcp_window": int(window[1]) & 0xFFFF if window else 0,
            "tcp_urp": int(urgent[1]) & 0xFFFF if urgent else 0,
            "tcp_opt": read_options(options[1], base) if options else "-",
        }
        return length if sequence or told else None

    def _follow(self, found: dict, flags: str, start: int, end: int, acknowledged: int) -> tuple[int, int, int]:
        """The sequence and acknowledgement numbers as in the packet, and the base of those in SACK blocks."""
        ends = ((found["ip_src"], found["sport"]), (found["ip_dst"], found["dport"]))
        way = int(ends[0] > ends[1])
        flow = self._flows.setdefault((min(ends), max(ends)), _Flow())
        first, next_ = flow.first, flow.next
        base = 0
        if "S" in flags or first == [0, 0]:
            first[way], first[1 - way] = start, (acknowledged - 1) % WORD
        else:
            if self._absolute is None:
                self._absolute = after(acknowledged, first[1 - way]) and acknowledged > 8000
            if start == end == 0:
                start = end = next_[way]
            elif not self._absolute:
                start, end = start + first[way], end + first[way]
            if not self._absolute:
                base = first[1 - way]
                acknowledged += base
        next_[way] = (end + ("S" in flags) + ("F" in flags)) % WORD
        next_[1 - way] = next_[1 - way] or acknowledged % WORD
        return start, acknowledged, base


class Rest:
    """A text, consumed from its beginning."""

    def __init__(self, text: str):
        self._text = text

    def take(self, pattern: re.Pattern) -> re.Match | None:
        match = pattern.match(self._text)
        if match:
            self._text = self._text[match.end() :].lstrip() if pattern is not _FLAGS else self._text[match.end() :]
        return match


def protocol_of(rest: str) -> int:
    """The protocol, judged by the text after the addresses; 0 if unknown."""
    if rest.startswith("i"):
        return ICMP
    if rest.startswith(("u", "[u", "[bad udp")):
        return UDP
    return TCP if rest[:1] == "." or rest[:1].isupper() else 0


def split_groups(rest: str) -> tuple[str, list[str]]:
    """The text before the brackets at the end, and the brackets' contents, last ones first."""
    groups = []
    while len(groups) < MOST_GROUPS and (match := _GROUP.search(rest)):
        groups.append(match["round"] if match["round"] is not None else match["square"])
        rest = rest[: match.start()].rstrip()
    return rest, groups


def read_groups(found: dict, groups: list[str], length: int | None) -> int | None:
    """Parse the brackets on the IP header; returns the payload's length, corrected by them."""
    tos, ecn, unfragmented, fragment = 0, None, False, None
    for item in (item for group in groups for item in re.split(r"[,\s]+(?=[a-zA-Z])", group)):
        if match := _FRAGMENT.fullmatch(item):
            found["ip_id"], length, fragment = int(match[1]) & 0xFFFF, int(match[2]), f"{int(match[3]) & 0xFFF8}{match[4]}"
        elif match := _ITEM.fullmatch(item):
            tos = int(match["tos"], 16) & 0xFF if match["tos"] else tos
            ecn = _ECN[match["ecn"]] if match["ecn"] else ecn
            unfragmented |= bool(match["df"])
            found |= {name: int(match[key]) & mask for key, name, mask in (("ttl", "ip_ttl", 0xFF), ("id", "ip_id", 0xFFFF)) if match[key]}
            length = correct(found, int(match["len"]), length) if match["len"] else length
    found["ip_tos"] = tos if ecn is None else tos & ~3 | ecn
    found["ip_fragoff"] = (fragment or "0") + ("!" if unfragmented else "")
    return length


def correct(found: dict, total: int, length: int | None) -> int:
    """The length of the payload, given that of the packet. If a line has both, the bytes in between are TCP options."""
    headers = HEADERS.get(found["ip_proto"], 20)
    if found["ip_proto"] == TCP and length is not None and 0 < total - length - 20 <= 60:
        found["tcp_off"] = (total - length - 20) & ~3
        return length
    return total - headers


def read_options(text: str, base: int) -> str:
    """TCP options in a summary's form, without unknown ones. SACK blocks are relative to `base`."""
    found = []
    for option in text.split(","):
        if match := _SACK.fullmatch(option):
            blocks = _BLOCK.findall(match[1])
            found.append(",".join(f"sack{(int(a) + base) % WORD}-{(int(b) + base) % WORD}" for a, b in blocks))
            continue
        for pattern, template in _OPTION:
            if match := pattern.fullmatch(option.strip()):
                found.append(match.expand(template))
    return ";".join(found) or "-"
