from clickbpf.declare import USER, Anno, ArgError, Bool, Bytes, Element, Keyword, Required

from ..annotations._paint import PAINT2


class Search(Element, ports="1/1-2", processing="h/h", runs=USER):
    """finds data in packets, and removes what comes before

    A class of FastClick. A packet that contains PATTERN leaves by output 0, without the bytes up to the first occurrence's end;
    UnstripAnno brings them back. Others leave unchanged by output 1, or are dropped if it isn't connected.

    Example: what follows the header of an HTTP request:

        FromDevice(eth0) -> s :: Search("\\r\\n\\r\\n") -> c :: Classifier(0/494e53455254, -);
        c[0] -> Discard;
        c[1] -> UnstripAnno -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth1);
    """

    args = (
        Required("PATTERN", Bytes(), "the data to look for, at least one byte"),
        Keyword("STRIP_AFTER", Bool(), True, "false to keep PATTERN, where the packet then begins"),
        Keyword("ANNO", Anno(2), PAINT2, "an annotation of two bytes, to which the number of removed bytes is added. Default is that at "
            "offset 16"),
        Keyword("SET_ANNO", Bool(), True, "false to leave the annotation alone (FastClick sets it in any case)"),
    )
    derived = {"length": ("__u32", lambda self: len(self.cfg.pattern))}

    def configure(self) -> None:
        if not self.cfg.pattern:
            raise ArgError("cannot search for no bytes", argument="PATTERN")

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return ((self.cfg.anno, 2),) if self.cfg.set_anno else ()

    def code(self) -> str:
        values = ", ".join(str(byte) for byte in self.cfg.pattern)
        return f"static const __u8 SELF(pattern)[] = {{{values}}};\n"
