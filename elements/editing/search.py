from __future__ import annotations

from collections.abc import Mapping

from clickbpf.args import Anno, ArgError, Bool, Bytes, Keyword, Required
from clickbpf.vocabulary.element import USER, Element

#: The annotation of two bytes that FastClick calls PAINT2.
PAINT2 = 16


class Search(Element):
    """finds data in packets, and removes what comes before

    Synopsis: `Search(PATTERN, [STRIP_AFTER, ANNO, SET_ANNO ...])`

    A class of FastClick. A packet that has PATTERN leaves by output 0 without the bytes before the first place where it
    stands, and without PATTERN itself; UnstripAnno brings them back. Others leave unchanged by output 1, or are dropped if it
    isn't connected.

    Arguments:

      - PATTERN: the data to look for, at least one byte.
      - STRIP_AFTER: false to keep PATTERN, where the packet then begins. Default true.
      - ANNO: an annotation of two bytes, to which the number of removed bytes is added. Default is that at offset 16.
      - SET_ANNO: false to leave the annotation alone (FastClick sets it in any case). Default true.

    Ports: one push input, two outputs.

    Example: what follows the header of an HTTP request:

        FromDevice(eth0) -> s :: Search("\\r\\n\\r\\n") -> c :: Classifier(0/494e53455254, -);
        c[0] -> Discard;
        c[1] -> UnstripAnno -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth1);
    """

    ports = "1/1-2"
    processing = "h/h"
    runs = USER
    args = (
        Required("PATTERN", Bytes()),
        Keyword("STRIP_AFTER", Bool(), True),
        Keyword("ANNO", Anno(2), PAINT2),
        Keyword("SET_ANNO", Bool(), True),
    )

    def configure(self) -> None:
        if not self.cfg.pattern:
            raise ArgError("cannot search for no bytes", argument="PATTERN")

    def annotations_written(self) -> tuple[tuple[int, int], ...]:
        return ((self.cfg.anno, 2),) if self.cfg.set_anno else ()

    def constants(self) -> Mapping[str, tuple[str, str]]:
        pattern = self.cfg.pattern
        return {"length": ("__u32", f"{len(pattern)}U")}

    def code(self) -> str:
        values = ", ".join(str(byte) for byte in self.cfg.pattern)
        return f"static const __u8 SELF(pattern)[] = {{{values}}};\n"
