from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import Bytes, Integer, Required
from clickbpf.vocabulary.element import USER, Element

#: Bytes that the kernel path writes, four by four, and where the last one may be.
LONGEST_IN_KERNEL, DEEPEST_IN_KERNEL = 256, 4096


class StoreData(Element):
    """overwrites bytes of packets

    Synopsis: `StoreData(OFFSET, DATA)`

    What of DATA lies beyond a packet's end is left out: packets keep their length. The kernel path hands over packets that
    end within DATA. More than 256 bytes, or bytes beyond the first 4096, are written in user space.

    Arguments:

      - OFFSET: where to begin, in bytes from the start of the packet.
      - DATA: the bytes, a string such as `"abc"` or `\\<00 01 02>`.

    Ports: one input, one output.

    Example: all packets leave with the address of the device that they leave by:

        FromDevice(eth0) -> StoreData(6, \\<02 00 00 00 00 01>) -> Queue -> ToDevice(eth1);
    """

    args = (Required("OFFSET", Integer()), Required("DATA", Bytes()))
    weight = 60

    def configure(self) -> None:
        if len(self.cfg.data) > LONGEST_IN_KERNEL or self.cfg.offset + len(self.cfg.data) > DEEPEST_IN_KERNEL:
            self.runs = USER

    def constants(self) -> Mapping[str, tuple[str, str]]:
        data = self.cfg.data or b"\0"
        return {"length": ("__u32", str(len(self.cfg.data))), "data": (f"__u8[{len(data)}]", f"{{ {', '.join(map(str, data))} }}")}

    def code(self) -> str:
        """All of DATA, in words as long as they go."""
        stores, data, at = "", self.cfg.data, 0
        while at < len(data):
            size = next(size for size in (4, 2, 1) if at + size <= len(data))
            value = int.from_bytes(data[at : at + size], "little")
            stores += f"\t*(__u{8 * size} *)(to + {at}) = {value:#x};\n"
            at += size
        return f"static __always_inline void SELF(store)(__u8 *to)\n{{\n\t(void)to;\n{stores}}}\n"
