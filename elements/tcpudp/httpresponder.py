import http.client

from clickbpf.declare import MARKED, PUSH, ArgError, Bytes, Constants, Element, Integer, Keyword, Optional, Vars, u64

#: The most bytes of a response: a segment that any path can carry.
MOST = 1200


class HTTPResponder(Element, ports="1/1-2", processing=PUSH):
    """answers HTTP requests, without connections

    For health checks of a service, or of this router: every request gets the same response, from the kernel path. No state is kept,
    so a flood of SYNs costs no memory: the sequence number of the SYN-ACK is a keyed hash of addresses, ports and time, and a
    request that doesn't acknowledge such a number of the last two minutes is reset.

    Packets have a marked IPv4 header; the destination isn't checked. A GET or HEAD in one segment gets the response and a FIN.
    Other data get a reset, a FIN an acknowledgement. Checksums aren't verified: put CheckTCPHeader before it. An answer keeps the
    Ethernet header of its packet, if exactly 14 bytes precede the IP header; otherwise nothing precedes the IP header. The
    destination address annotation is set.

    The runtime handles responses more than some 200 bytes longer than the request, packets with IP options, and most packets on TC.

    Ports: one push input; push output 0 for answers, and output 1, which may be missing, for packets that get none.

    Example: a health endpoint on port 8080:

        FromDevice(eth0) -> c :: Classifier(12/0800, -);
        c[0] -> CheckIPHeader(14) -> health :: IPClassifier(dst host 10.0.0.1 && dst tcp port 8080, -);
        health[0] -> CheckTCPHeader -> HTTPResponder(200, "alive\\n") -> EtherMirror -> Queue -> ToDevice(eth0);
        health[1] -> linux :: ToHost;
        c[1] -> linux;
    """

    takes = (MARKED,)
    args = (
        Optional("STATUS", Integer(16, low=200, high=599), 200, "the status code (RFC 9110, 15)"),
        Optional("BODY", Bytes(), b"", "the response's content"),
        Keyword("LOCATION", Bytes(), b"", "the URI of a header Location, for redirections (RFC 9110, 10.2.2); quote it, because of its //"),
    )
    annotations = ("DST_IP",)
    state_types = {"vars": Vars(key=u64 * 2)}
    holds = ()
    weight = 900

    def configure(self) -> None:
        if not all(0x21 <= byte < 0x7F for byte in self.cfg.location):
            raise ArgError("a URI consists of printable ASCII characters without spaces", "write others as %20", argument="LOCATION")
        phrase = http.client.responses.get(self.cfg.status, "")
        where = [f"Location: {self.cfg.location.decode()}"] if self.cfg.location else []
        fields = *where, "Content-Type: text/plain", f"Content-Length: {len(self.cfg.body)}", "Connection: close"
        self.head = "\r\n".join((f"HTTP/1.1 {self.cfg.status} {phrase}", *fields, "", "")).encode()
        if len(self.head) + len(self.cfg.body) > MOST:
            raise ArgError(f"the response has more than {MOST} bytes", f"BODY may have {MOST - len(self.head)}", argument="BODY")

    def constants(self) -> Constants:
        whole = self.head + self.cfg.body
        return {
            "head_length": ("__u32", str(len(self.head))),
            "whole_length": ("__u32", str(len(whole))),
            "head_sum": ("__u64", f"{_sum(self.head)}ull"),
            "whole_sum": ("__u64", f"{_sum(whole)}ull"),
        }

    def code(self) -> str:
        return _stores("head", self.head) + _stores("whole", self.head + self.cfg.body)


def _sum(text: bytes) -> int:
    """The sum of 16-bit words in memory order (ip/ip.h)."""
    padded = text + bytes(len(text) % 2)
    return sum(int.from_bytes(padded[i : i + 2], "little") for i in range(0, len(padded), 2))


def _stores(name: str, text: bytes) -> str:
    """A function that writes the text by words: the compiler makes byte stores of a copy in the kernel path."""
    lines, at = "", 0
    while at < len(text):
        size = next(size for size in (8, 4, 2, 1) if at + size <= len(text))
        value = int.from_bytes(text[at : at + size], "little")
        lines += f"\t*(__u{8 * size} *)(to + {at}) = {value:#x}ull;\n"
        at += size
    return f"static __always_inline void SELF(store_{name})(__u8 *to)\n{{\n{lines}}}\n"
