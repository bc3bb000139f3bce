from clickbpf.declare import USER, Integer, Optional, Private, Reconfigurable, s32

BYTES = Integer(signed=True)


class Resize(Reconfigurable, runs=USER):
    """adds or removes bytes at both ends of packets

    HEAD bytes are added before each packet, TAIL bytes after it; negative numbers remove bytes. A packet with fewer bytes becomes
    empty. At the front, bytes that were removed before come back, as with Unstrip; others have no particular value.

    Example: the frame check sequence that a capture has at the end of each frame is cut off:

        FromDump(with-fcs.pcap) -> Resize(TAIL -4) -> ToDump(without-fcs.pcap);
    """

    args = (
        Optional("HEAD", BYTES, 0, "bytes to add in front", setting="change"),
        Optional("TAIL", BYTES, 0, "bytes to add at the end", setting="change"),
    )
    state_types = {"change": Private(head=s32, tail=s32)}
