from clickbpf.declare import PUSH, USER, ArgError, Element, Integer, Required

SIZE = Integer(high=(1 << 31) - 1)
#: Bytes that the kernel path adds up, for the verifier walks through each, and where the last one may be.
LONGEST_IN_KERNEL, DEEPEST_IN_KERNEL = 128, 4096


class HashSwitch(Element, ports="1/1-", processing=PUSH):
    """sends packets to outputs by a hash of some of their bytes

    The hash is the sum of the bytes, modulo the number of outputs; with 2, 4 or 8 outputs, the sum's upper four bits are
    mixed into the lower ones first. So all packets of a flow leave by one output, and keep their order. Packets that end
    before OFFSET + LENGTH leave by output 0. Hashes of more than 128 bytes,
    or of bytes beyond the first 4096, are made in user space.

    Example: two links share the traffic by destination address:

        FromDevice(eth0) -> s :: HashSwitch(30, 4);
        s[0] -> Queue -> ToDevice(eth1);
        s[1] -> Queue -> ToDevice(eth2);
    """

    aliases = ("HashDemux",)
    args = (
        Required("OFFSET", SIZE, "where the bytes begin, from the start of the packet"),
        Required("LENGTH", SIZE, "how many bytes, at least 1"),
    )

    def configure(self) -> None:
        if not self.cfg.length:
            raise ArgError("length must be > 0", argument="LENGTH")
        if self.cfg.length > LONGEST_IN_KERNEL or self.cfg.offset + self.cfg.length > DEEPEST_IN_KERNEL:
            self.runs = USER
