from clickbpf.declare import USER, ArgError, Integer, Keyword, Private, field_handlers, read_handler, reset_handler, u32

from ._extra import DEBUG, Debugged, Line


class WifiSeq(Debugged, runs=USER):
    """numbers 802.11 frames

    Writes a sequence number into each packet that has more bytes than up to its end, and sets the flag NO_SEQ in the annotation
    WIFI_EXTRA: the device need not do it.

    Handlers:

      - `offset`, `bytes`, `shift` (read): the arguments.

    Example:

        FromDevice(eth0) -> WifiEncap(0) -> WifiSeq -> RadiotapEncap -> ToDump(out.pcap, ENCAP 802_11_RADIO);
    """

    annotations = ("WIFI_EXTRA",)
    args = (
        DEBUG,
        Keyword("OFFSET", Integer(16), 22, "where the number is in the packet. Default is 22, where 802.11 headers have it"),
        Keyword("BYTES", Integer(32), 2, "how many bytes it has, little-endian: 2 or 4"),
        Keyword("SHIFT", Integer(32, high=31), 4, "by how many bits it is shifted to the left. Default is 4, because 802.11 numbers "
            "fragments in the bits below"),
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
