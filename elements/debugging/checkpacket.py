from clickbpf.declare import USER, ArgError, Bytes, Constants, Element, Integer, Keyword, Raw, split_words

#: The most bytes that the kernel path compares, in words, and the limit of their end.
LONGEST_IN_KERNEL, DEEPEST_IN_KERNEL = 256, 4096
LENGTH = Integer(high=(1 << 31) - 1)


class CheckPacket(Element):
    """reports packets that aren't as they should be

    Reports on standard error how a packet differs from the arguments. All packets pass; packets as expected stay in the kernel. (In
    Click 2.1 none passes.)

    Example: InfiniteSource(DATA "abc", LIMIT 1, STOP true) -> CheckPacket(LENGTH 3, DATA "abc") -> Discard;
    """

    same_form = True
    args = (
        Keyword("DATA", Bytes(), text="the packet's bytes, from DATA_OFFSET to its end"),
        Keyword("DATA_OFFSET", LENGTH, 0, "where DATA begins"),
        Keyword("LENGTH", LENGTH, text="the packet's length. LENGTH_EQ is the same"),
        Keyword("LENGTH_EQ", LENGTH),
        Keyword("LENGTH_GE", LENGTH, text="the least length"),
        Keyword("LENGTH_LE", LENGTH, text="the greatest length. At most one of these arguments can be given"),
        Keyword("ALIGNMENT", Raw(), text="`MODULUS OFFSET`; accepted, without effect, as in Align"),
    )

    def configure(self) -> None:
        cfg = self.cfg
        exact = cfg.length_eq if cfg.length is None else cfg.length
        if sum(length is not None for length in (exact, cfg.length_ge, cfg.length_le)) > 1:
            raise ArgError("specify at most one of LENGTH_EQ, LENGTH_GE, and LENGTH_LE")
        self._exact = exact
        if cfg.alignment is not None:
            _check_alignment(cfg.alignment)
        data = cfg.data or b""
        if len(data) > LONGEST_IN_KERNEL or cfg.data_offset + len(data) > DEEPEST_IN_KERNEL:
            self.runs = USER

    def constants(self) -> Constants:
        lengths = {"exact": self._exact, "least": self.cfg.length_ge, "most": self.cfg.length_le}
        data = self.cfg.data
        return {
            **{name: ("int", str(-1 if length is None else length)) for name, length in lengths.items()},
            "size": ("int", str(-1 if data is None else len(data))),
        }

    def code(self) -> str:
        """A function that compares the bytes at `at` with DATA, in words where possible."""
        terms, data, at = ["0"], self.cfg.data or b"", 0
        while at < len(data):
            size = next(size for size in (4, 2, 1) if at + size <= len(data))
            terms.append(f"*(const __u{8 * size} *)(at + {at}) != {int.from_bytes(data[at : at + size], 'little'):#x}")
            at += size
        test = " ||\n\t       ".join(terms)
        return f"static __always_inline bool SELF(differs)(const __u8 *at)\n{{\n\t(void)at;\n\treturn {test};\n}}\n"


def _check_alignment(text: str) -> None:
    words = split_words(text)
    if len(words) != 2:
        problem = f"{'MODULUS' if not words else 'OFFSET'}: required argument missing" if len(words) < 2 else "too many arguments"
        raise ArgError(problem, argument="ALIGNMENT")
    modulus, offset = (Integer(32, signed=True).parse(word) for word in words)
    if modulus <= 1 or not 0 <= offset < modulus:
        raise ArgError("bad alignment modulus and/or offset", "such as ALIGNMENT 4 2", argument="ALIGNMENT")
