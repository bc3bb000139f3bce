"""Classes that filter packets by a flag that wireless devices set."""

from typing import ClassVar

from clickbpf.declare import Element, PerThread, read_handler, u64


class WifiFilter(Element, ports="1/1-2", processing="a/ah"):
    """Packets with the flag, in the annotation WIFI_EXTRA or in front of the frame, leave by output 1, or are dropped."""

    #: The flag's name in C, without WIFI_EXTRA_.
    flag: ClassVar[str]
    state_types = {"counters": PerThread(drops=u64)}

    drops = read_handler(lambda self: f"{self.state.counters.sum('drops')}\n", text="packets with the flag.")

    def code(self) -> str:
        return f'#include "wifi/extra.h"\nenum {{ SELF(flag) = WIFI_EXTRA_{self.flag} }};\n'
