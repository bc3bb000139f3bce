from clickbpf.declare import BEARS_OFFLOADS, ONLY_COPIES, SPARE_OUTPUTS, Copies

from ._tee import CopyingElement


class PullTee(CopyingElement, processing="l/lh", traits=BEARS_OFFLOADS | ONLY_COPIES | SPARE_OUTPUTS):
    """pushes a copy of each pulled packet to further outputs

    A pull on output 0 pulls a packet from the input, pushes copies to all other outputs, and then returns the packet. Between a
    Queue and a device it runs in the kernel, if the kernel path can make the copies.

    Ports: one pull input; output 0 is pull, all others are push.

    Example:

        FromDevice(eth0) -> Queue -> tee :: PullTee -> ToDevice(eth1);
        tee[1] -> Print(sent) -> Discard;
    """

    def copies(self) -> Copies:
        return [(*range(1, self.noutputs), 0)]
