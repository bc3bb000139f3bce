from __future__ import annotations

from collections.abc import Sequence

from clickbpf.vocabulary.element import PUSH

from ._tee import CopyingElement


class Tee(CopyingElement):
    """sends a copy of each packet to every output

    Synopsis: `Tee([N])`

    A packet goes to output 0 first. Copies carry the packet's annotations. The kernel path makes them where they only meet
    classes that look at packets (Counter, IPClassifier, Discard) before they leave by different devices, or by none; on TC also where
    they are changed, each on a way to one device of its own.

    Arguments:

      - N: how many outputs there are; it may be left out, but must be right.

    Ports: one push input, one or more push outputs.

    Example:

        FromDevice(eth0) -> tee :: Tee(2);
        tee[0] -> Queue -> ToDevice(eth1);
        tee[1] -> Queue -> ToDevice(eth2);
    """

    bears_offloads = True
    processing = PUSH
    spare_ports = "outputs"
    only_copies = True
    weight = 40

    def copies(self) -> Sequence[Sequence[int]]:
        return [range(self.noutputs)]
