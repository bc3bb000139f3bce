from clickbpf.declare import SAME, Bool, Keyword, Optional, Raw

from .null import Null


class EnsureDPDKBuffer(Null):
    """accepts the arguments by which FastClick copies packets into buffers of DPDK

    In FastClick, it ensures that packets are in memory from which a device can send them. Here a device can send all packets, and
    they pass unchanged, at no cost. EnsureNetmapBuffer is another name of the class.

    Example: FromDPDKDevice(0) -> EnsureDPDKBuffer -> ToDPDKDevice(1);
    """

    aliases = ("EnsureNetmapBuffer",)
    args = (
        Optional("FORCE_COPY", Bool(), False, "Accepted, without effect"),
        Optional("EXTRA_HEADROOM", Raw(), text=SAME),
        Keyword("FAIL", Bool(), False, "Boolean, also without effect. In FastClick: drop packets that are in other memory"),
    )
