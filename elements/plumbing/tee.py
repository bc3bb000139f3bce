from clickbpf.declare import BEARS_OFFLOADS, ONLY_COPIES, PUSH, SPARE_OUTPUTS, Copies

from ._tee import CopyingElement


class Tee(CopyingElement, processing=PUSH, traits=BEARS_OFFLOADS | ONLY_COPIES | SPARE_OUTPUTS):
    """sends a copy of each packet to every output

    A packet is sent to output 0 first. Copies carry the packet's annotations. The kernel path makes copies if they only meet
    elements that don't change packets (Counter, IPClassifier, Discard) before they leave by different devices, or by none.

    Example:

        FromDevice(eth0) -> tee :: Tee(2);
        tee[0] -> Queue -> ToDevice(eth1);
        tee[1] -> Queue -> ToDevice(eth2);
    """

    def copies(self) -> Copies:
        return [range(self.noutputs)]
