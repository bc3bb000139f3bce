"""IP6Reassembler: whole IPv6 packets again."""

from __future__ import annotations

from clickbpf.args import Integer, Keyword
from clickbpf.vocabulary.element import PUSH, Element, read_handler
from clickbpf.vocabulary.state import Private, u64


class IP6Reassembler(Element):
    """puts IPv6 packets together from their fragments

    Synopsis: `IP6Reassembler([HIMEM ...])`

    Packets that are no fragments pass; the kernel path hands fragments over. They are kept until a packet is whole (RFC 8200,
    4.5), which then leaves by output 0 without a fragment header, with the headers, annotations, anything in front of the
    header, and the timestamp that its first fragment had. A fragment that is the whole packet passes at once (RFC 6946).

    When fragments overlap, or don't agree where the packet ends, all that has come of it is dropped (RFC 5722); one that came
    before is dropped by itself. A packet that isn't whole 60 seconds after its first fragment came is given up: the fragment
    with its beginning leaves by output 1, if both are there, for an error. When fragments need more memory than HIMEM, those
    that began first are given up without.

    Fragments are dropped that aren't as they have to be: shorter than they say, with a length that is no multiple of 8 and more to
    come, beyond the longest packet, or a first one without all extension headers (RFC 7112). Fragments after more extension headers
    than are gone through (CheckIP6Header) pass.

    Click has no such element; it is to IPv6 what IPReassembler is to IPv4.

    Arguments:

      - HIMEM: bytes that fragments may use, each 256 more than it has. Default 256k, 262144.

    Ports: one push input; push output 0, and push output 1 (may be missing) for fragments of packets that were given up.

    Handlers:

      - `seen`, `bad` (read): fragments that came, and that were wrong by themselves.
      - `good`, `failed` (read): packets that were put together, and that were given up.
      - `waiting` (read): packets that wait for fragments now.

    Example: packets that stayed incomplete are reported to their sender (RFC 4443, 3.3):

        FromDevice(eth0) -> Strip(14) -> CheckIP6Header -> whole :: IP6Reassembler -> Discard;
        whole[1] -> ICMP6Error(2001:db8::1, timeexceeded, 1) -> Discard;
    """

    ports = "1/1-2"
    processing = PUSH
    entries = ("timer", "init", "cleanup")
    args = (Keyword("HIMEM", Integer(low=1 << 17, high=1 << 30), 256 * 1024),)
    state_types = {"table": Private(seen=u64, good=u64, failed=u64, bad=u64, waiting=u64)}
    weight = 60

    @read_handler
    def seen(self) -> str:
        return str(self.state.table.seen)

    @read_handler
    def good(self) -> str:
        return str(self.state.table.good)

    @read_handler
    def failed(self) -> str:
        return str(self.state.table.failed)

    @read_handler
    def bad(self) -> str:
        return str(self.state.table.bad)

    @read_handler
    def waiting(self) -> str:
        return str(self.state.table.waiting)
