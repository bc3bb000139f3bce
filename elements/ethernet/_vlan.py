"""VLAN tags (IEEE 802.1Q): an identifier of 12 bits and a priority of 3, together the 16-bit TCI."""

from clickbpf.declare import (
    NOWHERE, Context, Element, Integer, Type, Vars, be16, field_handlers, read_handler, value_handlers, write_handler,
)

#: The ethertype of frames with a tag.
ETHERTYPE_VLAN = 0x8100
TCI = Integer(16)
VLAN_ID = Integer(16, high=0xFFF)
VLAN_PCP = Integer(8, high=7)
#: -1: no VLAN.
NATIVE_VLAN = Integer(32, signed=True, low=-1, high=0xFFF)
PRIORITY = 13
ANNO = "ANNO"


class TCIOrAnno(Type):
    """A TCI, or ANNO for the packet's annotation; value int, or the string."""

    def parse(self, text: str, context: Context = NOWHERE) -> int | str:
        return ANNO if text == ANNO else TCI.parse(text, context)

    def describe(self) -> str:
        return f"{TCI.describe()}, or ANNO"


class TagElement(Element):
    """VLAN_TCI, VLAN_ID, VLAN_PCP and their handlers, over a state `tag` with a field `tci`."""

    state_types = {"tag": Vars(tci=be16)}
    holds = ()

    def initialise(self) -> None:
        cfg = self.cfg
        value = cfg.vlan_tci if isinstance(cfg.vlan_tci, int) else cfg.vlan_id
        self.state.tag.tci = value | cfg.vlan_pcp << PRIORITY

    @property
    def annotated(self) -> bool:
        """Whether packets' annotations have the TCI."""
        return False

    def parse_tci(self, text: str) -> int | None:
        """A value for `vlan_tci`; None for the annotation."""
        return TCI.parse(text)

    @read_handler
    def vlan_tci(self) -> str:
        return ANNO if self.annotated else str(self.state.tag.tci)

    def _priority(self) -> int:
        return self.state.tag.tci & 7 << PRIORITY

    def _set(self, tci: int) -> None:
        self.state.tag.tci = tci

    vlan_id = value_handlers(
        VLAN_ID,
        lambda self: "" if self.annotated else self.state.tag.tci & 0xFFF,
        lambda self, number: self._set(number | self._priority()),
        argument="VLAN_ID",
    )
    vlan_pcp = value_handlers(
        VLAN_PCP,
        lambda self: "" if self.annotated else self.state.tag.tci >> PRIORITY,
        lambda self, priority: self._set(self.state.tag.tci & 0xFFF | priority << PRIORITY),
        argument="VLAN_PCP",
    )

    def arguments(self) -> list[str]:
        """The arguments as they are now."""
        tci = self.state.tag.tci
        return [ANNO] if self.annotated else [f"VLAN_ID {tci & 0xFFF}", f"VLAN_PCP {tci >> PRIORITY}"]

    config = read_handler(lambda self: ", ".join(self.arguments()), text="the arguments as they are now.")

    @write_handler("vlan_tci")
    def write_tci(self, text: str) -> None:
        """As in Click, the new value is combined with the old priority."""
        value = self.parse_tci(text.strip())
        if value is not None:
            self._set(value | self._priority())


class TaggingElement(TagElement):
    """... and ANNO and NATIVE_VLAN, with fields `native` and `annotated`."""

    def initialise(self) -> None:
        super().initialise()
        self.state.tag.annotated, self.state.tag.native = self.cfg.vlan_tci == ANNO, self.cfg.native_vlan

    @property
    def annotated(self) -> bool:
        return bool(self.state.tag.annotated)

    def parse_tci(self, text: str) -> int | None:
        value = TCIOrAnno().parse(text)
        self.state.tag.annotated = value == ANNO
        return None if value == ANNO else value

    def arguments(self) -> list[str]:
        native = self.state.tag.native
        return super().arguments() + [f"NATIVE_VLAN {native}"] * (native != 0)

    native_vlan = field_handlers("tag", NATIVE_VLAN, field="native")
