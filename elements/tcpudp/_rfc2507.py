"""The header contexts of the TCP/IP header compressor and decompressor (rfc2507.h)."""

from enum import IntEnum

from clickbpf.declare import KEPT, LOST, USER, Element, Held, Private, u8, u32


class Size(IntEnum):
    """The number of contexts, with number 0 unused, and bytes of headers in each."""

    CONTEXTS, HEADERS = 15, 40


class HeaderContexts(Element, runs=USER):
    enums = (Size,)
    state_types = {"contexts": Private(headers=u8 * (Size.CONTEXTS * Size.HEADERS), next=u32)}
    holds = (Held("the last headers of connections", KEPT, LOST),)

    def take_state(self, before: "HeaderContexts") -> None:
        self.state.contexts.headers = before.state.contexts.headers
        self.state.contexts.next = before.state.contexts.next
