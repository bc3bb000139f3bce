from clickbpf.declare import USER, Anno, Element, Optional


class UnstripAnno(Element, runs=USER):
    """adds the number of bytes in an annotation at the start of packets

    A class of FastClick. Removed bytes come back as they were; others have no particular value.

    Example: FromDevice(eth0) -> Search("\\r\\n\\r\\n") -> Print -> UnstripAnno -> Queue -> ToDevice(eth1);
    """

    args = (
        Optional("ANNO", Anno(2), 16, "an annotation of two bytes, the number of bytes. Default is that at offset 16, where Search counts "
            "what it removes"),
    )
