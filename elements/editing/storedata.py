from clickbpf.declare import USER, ArgError, Bool, Bytes, Constants, Element, Integer, Keyword, Optional, Required

#: The most bytes that the kernel path writes, in words, and the limit of their end.
LONGEST_IN_KERNEL, DEEPEST_IN_KERNEL = 256, 4096


class StoreData(Element):
    """overwrites bytes of packets

    The part of DATA beyond a packet's end is omitted, unless GROW is true. Packets that end at OFFSET or before don't change. The
    kernel path hands over packets that end within DATA. More than 256 bytes, or bytes beyond the first 4096, are written in user
    space.

    Example: all packets leave with the address of the device that they leave by:

        FromDevice(eth0) -> StoreData(6, \\<02 00 00 00 00 01>) -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("OFFSET", Integer(), "the offset of the first byte from the start of the packet"),
        Required("DATA", Bytes(), 'the bytes, a string such as `"abc"` or `\\<00 01 02>`'),
        Optional("MASK", Bytes(), b"", "bytes whose ones are the bits that change, from the first one of DATA on. It may be shorter than "
            "DATA: of the rest all bits change. An argument of FastClick"),
        Keyword("GROW", Bool(), False, "Boolean. If true, a packet that ends within DATA gets longer. Default is false. An argument of "
            "FastClick"),
    )

    def configure(self) -> None:
        if len(self.cfg.mask) > len(self.cfg.data):
            raise ArgError("MASK is longer than DATA", argument="MASK")
        self._mask = self.cfg.mask.ljust(len(self.cfg.data), b"\xff")
        if len(self.cfg.data) > LONGEST_IN_KERNEL or self.cfg.offset + len(self.cfg.data) > DEEPEST_IN_KERNEL:
            self.runs = USER

    def constants(self) -> Constants:
        texts = {"data": self.cfg.data or b"\0", "mask": self._mask or b"\0"}
        arrays = {name: (f"__u8[{len(data)}]", f"{{ {', '.join(map(str, data))} }}") for name, data in texts.items()}
        return {"length": ("__u32", str(len(self.cfg.data))), **arrays}

    def code(self) -> str:
        """A function that stores all of DATA, in words where possible."""
        stores, data, at = "", self.cfg.data, 0
        while at < len(data):
            size = next(size for size in (4, 2, 1) if at + size <= len(data))
            mask = int.from_bytes(self._mask[at : at + size], "little")
            value = int.from_bytes(data[at : at + size], "little") & mask
            word, kept = f"*(__u{8 * size} *)(to + {at})", ~mask & ((1 << 8 * size) - 1)
            stores += f"\t{word} = {f'({word} & {kept:#x}) | ' if kept else ''}{value:#x};\n"
            at += size
        return f"static __always_inline void SELF(store)(__u8 *to)\n{{\n\t(void)to;\n{stores}}}\n"
