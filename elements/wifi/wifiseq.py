from __future__ import annotations

from clickbpf.args import ArgError, Integer, Keyword
from clickbpf.vocabulary.element import USER, field_handlers, read_handler, write_handler
from clickbpf.vocabulary.state import Private, u32

from ._extra import DEBUG, Debugged, Line


class WifiSeq(Debugged):
    """numbers 802.11 frames

    Synopsis: `WifiSeq([OFFSET ..., BYTES ..., SHIFT ..., DEBUG ...])`

    Writes a sequence number into each packet that has more bytes than up to its end, and sets the flag NO_SEQ in the annotation
    WIFI_EXTRA: the device need not do it.

    Arguments:

      - OFFSET: where the number is in the packet. Default is 22, where 802.11 headers have it.
      - BYTES: how many bytes it has, little-endian: 2 or 4. Default is 2.
      - SHIFT: by how many bits it is shifted to the left. Default is 4, because 802.11 numbers fragments in the bits below.
      - DEBUG: Boolean. Means nothing.

    Ports: one input, one output.

    Handlers:

      - `seq` (read, write): the next packet's number.
      - `reset` (write): continues with 0.
      - `offset`, `bytes`, `shift` (read): the arguments.
      - `debug` (read, write): DEBUG.

    Example:

        FromDevice(eth0) -> WifiEncap(0) -> WifiSeq -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

    runs = USER
    annotations = ("WIFI_EXTRA",)
    args = (
        DEBUG,
        Keyword("OFFSET", Integer(16), 22),
        Keyword("BYTES", Integer(32), 2),
        Keyword("SHIFT", Integer(32, high=31), 4),
    )
    state_types = {**Debugged.state_types, "next": Private(seq=u32)}

    def configure(self) -> None:
        if self.cfg.bytes not in (2, 4):
            raise ArgError("BYTES must be either 2 or 4", argument="BYTES")

    seq = field_handlers("next", Line(32))

    @write_handler
    def reset(self, text: str) -> None:
        self.state.next.seq = 0

    @read_handler
    def offset(self) -> str:
        return f"{self.cfg.offset}\n"

    @read_handler
    def bytes(self) -> str:
        return f"{self.cfg.bytes}\n"

    @read_handler
    def shift(self) -> str:
        return f"{self.cfg.shift}\n"
