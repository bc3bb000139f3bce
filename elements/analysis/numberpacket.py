from __future__ import annotations

from clickbpf.args import Optional
from clickbpf.vocabulary.element import sum_handler
from clickbpf.vocabulary.held import ANEW, KEPT, Held
from clickbpf.vocabulary.state import Vars, u64

from ._number import ARGUMENTS, NET_ORDER, OFFSET, USUAL_OFFSET, Numbered


class NumberPacket(Numbered):
    __doc__ = f"""writes increasing numbers into packets

    Synopsis: `NumberPacket([OFFSET, NET_ORDER ...])`

    A class of FastClick. The packets' numbers, from 0 on, have eight bytes. A packet that ends before its number does grows, in the
    runtime. If it is IPv4 and its header is marked, the header gets the new length and a right checksum, which FastClick leaves
    as it is. Checksums of what is in the packet become wrong in any case.

    Arguments:

      {ARGUMENTS}

    Ports: one input, one output.

    Handlers:

      - `count` (read): how many packets were numbered.

    Example: do packets get lost between eth0 and eth1?

        InfiniteSource(LENGTH 100, LIMIT 10000) -> NumberPacket(60) -> Queue -> ToDevice(eth0);
        FromDevice(eth1) -> check :: CheckNumberPacket(60, 10000) -> Discard;
    """
    args = (Optional("OFFSET", OFFSET, USUAL_OFFSET), NET_ORDER)
    state_types = {"vars": Vars(number=u64)}
    holds = (Held("the next number", ANEW, KEPT),)
    weight = 30

    count = sum_handler("vars", "number")
