from __future__ import annotations

from collections.abc import Sequence

from ._tee import CopyingElement


class PullTee(CopyingElement):
    """pushes a copy of each pulled packet to further outputs

    Synopsis: `PullTee([N])`

    When output 0 is pulled, a packet is pulled from the input, copies of it are pushed to all other outputs, and then it
    is handed on. Between a Queue and a device it runs in the kernel, where that can make the copies.

    Arguments:

      - N: how many outputs there are; it may be left out, but must be right.

    Ports: one pull input; output 0 is pull, all others are push.

    Example:

        FromDevice(eth0) -> Queue -> tee :: PullTee -> ToDevice(eth1);
        tee[1] -> Print(sent) -> Discard;
    """

    bears_offloads = True
    only_copies = True
    processing = "l/lh"
    spare_ports = "outputs"

    def copies(self) -> Sequence[Sequence[int]]:
        return [(*range(1, self.noutputs), 0)]
