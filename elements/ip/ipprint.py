from clickbpf.declare import ArgError, Bool, Constants, Integer, Keyword, Look, Word
from clickbpf.vocabulary.looks import length

from ..common._lines import LinePrinter
from ._names import icmp_names, protocol_names

NONE, HEX, ASCII = range(3)
#: Bytes of an IP header without options; bytes after it that are printed as fields: at most an ICMP error's (8), the longest header of
#: the packet that it is about, and that one's ports. Bytes of the longest TCP header.
IP_HEADER, FIELDS, TCP_HEADER = 20, 8 + 60 + 4, 60
#: Names of the channel that is shown on standard error.
SHOWN = ("", "default")


#: Optional fields, by the names of their arguments.
PRINTED = {
    "ID": "the IP header's identification", "PAINT": "the annotation PAINT", "TOS": "the IP header's TOS byte", "TTL": "the time to live",
    "LENGTH": "the IP packet's length", "AGGREGATE": "the annotation AGGREGATE",
    "ETHER": "the addresses of the Ethernet header before the IP header. An argument of FastClick",
}  # fmt: skip


class IPPrint(LinePrinter):
    """prints the contents of IP packets

    Prints a line for every packet on standard error: LABEL and a colon, the packet's timestamp, and a summary of its headers.
    Packets without a network header annotation, as CheckIPHeader sets it, aren't printed.

        ping: 1700000000.123456: 10.0.0.2 > 10.0.0.1: icmp echo (1, 17)
        web: 1700000000.123456: 10.0.0.2.4000 > 10.0.0.1.80: S 7:8(1,54,40) win 8192

    After the flags of TCP (`.` for none) are the sequence number at the start and after the end, in parentheses the number
    of bytes sent, of the packet and of the IP packet, and the acknowledged number.

    Example: FromDevice(eth0) -> CheckIPHeader(14) -> IPPrint(eth0, TTL true, PAYLOAD ASCII) -> Discard;
    """

    args = (
        *LinePrinter.args,
        Keyword("CONTENTS", Word(), "NONE", "the packet's bytes as well, as HEX or ASCII (bytes that aren't show as dots)"),
        Keyword("PAYLOAD", Word(), "NO", "only those after the headers, as HEX or ASCII. Default false. Not with CONTENTS"),
        Keyword("MAXLENGTH", Integer(signed=True), 1500, "how many bytes CONTENTS and PAYLOAD show; all if it is negative. Default 1500. "
            "NBYTES is its old name"),
        Keyword("NBYTES", Integer(signed=True)),
        *(Keyword(name, Bool(), False, f"whether to print {what}") for name, what in PRINTED.items()),
        Keyword("SWAP", Bool(), True, "whether identifiers and sequence numbers of pings are in network byte order"),
        Keyword("CHANNEL", Word(), "", "what is printed on another channel than `default` is shown nowhere"),
    )

    def configure(self) -> None:
        contents = self._shown("CONTENTS", {"NONE": NONE, "HEX": HEX, "ASCII": ASCII}, "'NONE', 'HEX', or 'ASCII'")
        payload = self._shown("PAYLOAD", {"HEX": HEX, "ASCII": ASCII}, "'false', 'hex', or 'ascii'")
        if contents and payload:
            raise ArgError("specify at most one of PAYLOAD and CONTENTS", argument="PAYLOAD")
        self._bytes_of = {"contents": contents or payload, "payload": bool(payload)}

    def _shown(self, argument: str, words: dict[str, int], expected: str) -> int:
        """How to show bytes; a truth value means in hexadecimal, or not at all."""
        word = getattr(self.cfg, argument.lower())
        truth = Bool.WORDS.get(word.lower())
        if truth is not None:
            return HEX if truth else NONE
        if word.upper() not in words:
            raise ArgError(f"bad {argument.lower()} value '{word}'; should be {expected}", argument=argument)
        return words[word.upper()]

    @property
    def _most(self) -> int:
        return self.cfg.maxlength if self.cfg.nbytes is None else self.cfg.nbytes

    def shown(self) -> Look:
        return Look(never=True) if self.cfg.channel not in SHOWN else super().shown()

    def seen(self) -> dict[str, int]:
        found = {"network": IP_HEADER, "transport": FIELDS}
        if not self._bytes_of["contents"]:
            return found
        if self._bytes_of["payload"]:
            return {**found, "transport": max(FIELDS, length(TCP_HEADER + self._most if self._most >= 0 else -1))}
        return {**found, "data": length(self._most)}

    def constants(self) -> Constants:
        return {
            **super().constants(),
            "contents": ("int", str(self._bytes_of["contents"])),
            "payload": ("bool", Bool().c_value(self._bytes_of["payload"])),
            "shown": ("int", str(self._most)),
            "silent": ("bool", Bool().c_value(self.cfg.channel not in SHOWN)),
        }

    def code(self) -> str:
        return protocol_names() + icmp_names()
