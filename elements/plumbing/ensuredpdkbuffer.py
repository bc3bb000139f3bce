from clickbpf.declare import SAME, Bool, Keyword, Optional, Raw

from .null import Null


class EnsureDPDKBuffer(Null):
    """accepts the arguments by which FastClick copies packets into buffers of DPDK

    In FastClick, packets leave it in memory from which a device can send them. Here a device can send all packets, and they pass as
    they are, at no cost. EnsureNetmapBuffer is another name of the class.

    Example:

        FromDPDKDevice(0) -> EnsureDPDKBuffer -> ToDPDKDevice(1);
    """

    aliases = ("EnsureNetmapBuffer",)
    args = (
        Optional("FORCE_COPY", Bool(), False, "Accepted, of no effect"),
        Optional("EXTRA_HEADROOM", Raw(), text=SAME),
        Keyword("FAIL", Bool(), False, "Boolean, also of no effect: in FastClick packets that lie elsewhere are dropped"),
    )
