from clickbpf.declare import PUSH, USER, ArgError, Element, Integer, Required

SIZE = Integer(high=(1 << 31) - 1)
#: The most bytes for the kernel path to add up, as the verifier walks through each, and the end of the last one.
LONGEST_IN_KERNEL, DEEPEST_IN_KERNEL = 128, 4096


class HashSwitch(Element, ports="1/1-", processing=PUSH):
    """sends packets to outputs by a hash of some of their bytes

    The hash is the sum of the bytes, modulo the number of outputs; with 2, 4 or 8 outputs, the sum's upper four bits are
    mixed into the lower ones first. So all packets of a flow leave by one output, in order. Packets shorter than OFFSET + LENGTH
    leave by output 0. Hashes of more than 128 bytes, or of bytes beyond the first 4096, are computed in user space.

    Example: two links share the traffic by destination address:

        FromDevice(eth0) -> s :: HashSwitch(30, 4);
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """

    same_form = True
    aliases = ("HashDemux",)
    args = (
        Required("OFFSET", SIZE, "the offset of the bytes from the start of the packet"),
        Required("LENGTH", SIZE, "the number of bytes, at least 1"),
    )

    def configure(self) -> None:
        if not self.cfg.length:
            raise ArgError("length must be > 0", argument="LENGTH")
        if self.cfg.length > LONGEST_IN_KERNEL or self.cfg.offset + self.cfg.length > DEEPEST_IN_KERNEL:
            self.runs = USER
