from clickbpf.declare import USER, ArgError, Integer, Keyword, Private, field_handlers, read_handler, reset_handler, u32

from ._extra import DEBUG, Debugged, Line


class WifiSeq(Debugged, ports="1/1-", runs=USER):
    """numbers 802.11 frames

    Writes a sequence number into each packet with at least one byte after it, and sets the flag NO_SEQ in the annotation
    WIFI_EXTRA, so that the device doesn't number the packet.

    Ports: one input; output 0. Others may be connected, as in Click, but are never used.

    Handlers:

      - `offset`, `bytes`, `shift` (read): the arguments.

    Example: FromDevice(eth0) -> WifiEncap(0) -> WifiSeq -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

    annotations = ("WIFI_EXTRA",)
    args = (
        DEBUG,
        Keyword("OFFSET", Integer(16), 22, "the offset of the number. Default is 22, as in 802.11 headers"),
        Keyword("BYTES", Integer(32), 2, "its size in bytes, 2 or 4; little-endian"),
        Keyword("SHIFT", Integer(32, high=31), 4, "by how many bits it is shifted left. Default is 4: 802.11 numbers fragments in the "
            "bits below"),
    )
    state_types = {**Debugged.state_types, "next": Private(seq=u32)}

    def configure(self) -> None:
        if self.cfg.bytes not in (2, 4):
            raise ArgError("BYTES must be either 2 or 4", argument="BYTES")

    seq = field_handlers("next", Line(32), text="the next packet's number")
    reset = reset_handler("next", "seq", text="continues with 0.")
    offset = read_handler(lambda self: f"{self.cfg.offset}\n")
    bytes = read_handler(lambda self: f"{self.cfg.bytes}\n")
    shift = read_handler(lambda self: f"{self.cfg.shift}\n")
