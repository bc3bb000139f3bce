"""WirelessInfo's description of a network, for the elements that use it."""

from clickbpf.declare import ArgError, Element, ElementRef, Keyword, Vars, ether, read_handler, s32, u8, write_handler

#: Bytes of a network's name (IEEE 802.11, 9.4.2.2): WIFI_LONGEST_NAME of frame.h.
LONGEST_NAME = 32
#: Members of a state that describes a network; those of `Named` come first.
FIELDS = {"ssid": u8 * LONGEST_NAME, "ssid_length": u8, "bssid": ether, "channel": s32, "interval": s32}
INFO = Vars(**FIELDS, wep=u8)
WIRELESS_INFO = Keyword("WIRELESS_INFO", ElementRef("WirelessInfo"), text="the WirelessInfo that describes the network")


def structures() -> str:
    """C of struct wifi_info."""
    return INFO.c_structure("wifi_info")


class Named(Element):
    """An element with the argument SSID and its handler; `named` is the state with the name."""

    named = ""

    def configure(self) -> None:
        self._bytes(self.cfg.ssid)

    def initialise(self) -> None:
        super().initialise()
        self.write_ssid(self.cfg.ssid)

    @staticmethod
    def _bytes(name: str) -> bytes:
        data = name.encode("utf-8", "surrogateescape")
        if len(data) > LONGEST_NAME:
            raise ArgError(f"SSID is {len(data)} bytes long", f"at most {LONGEST_NAME} fit into a frame", argument="SSID")
        return data

    @read_handler
    def ssid(self) -> str:
        state = getattr(self.state, self.named)
        return bytes(state.ssid)[: state.ssid_length].decode("utf-8", "surrogateescape") + "\n"

    @write_handler("ssid")
    def write_ssid(self, text: str) -> None:
        state, data = getattr(self.state, self.named), self._bytes(text.strip())
        state.ssid[: len(data)] = data
        state.ssid_length = len(data)
