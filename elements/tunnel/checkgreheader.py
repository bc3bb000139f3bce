from clickbpf.declare import ANEW, KEPT, USER, Bool, Constants, Held, Integer, Keyword, Vars, u32

from ..common._headercheck import HeaderCheck
from ._gre import OPTIONS, key_constants

#: The kernel path's limit for the header's offset.
DEEPEST_IN_KERNEL = 4095


class CheckGREHeader(HeaderCheck):
    """checks GRE headers

    A class of FastClick. A packet is good if its GRE header is complete, has version 0, has none of the flags that a receiver must
    refuse (RFC 2784, 2.3), and meets the arguments' requirements. Good packets leave by output 0; bad packets leave unchanged by
    output 1, or are dropped if there is no output 1.

    A sequence number is valid if it is greater, modulo 2^32, than that of the last good packet. The first one may be 0 (RFC 2890,
    2.2); FastClick refuses 0.

    The runtime verifies checksums over more than 4095 bytes. Bad packets on the kernel path are counted but not printed; with
    VERBOSE, they are handed over to the runtime, to print all of them.

    Example: the receiving end of a tunnel:

        FromDevice(eth0) -> Strip(14) -> CheckIPHeader -> IPFilter(allow ip proto gre) -> StripIPHeader
            -> CheckGREHeader(KEY 77) -> StripGREHeader -> CheckIPHeader -> Discard;
    """

    subject = "GRE"
    reasons = {
        "TINY": "tiny packet",
        "VERSION": "bad GRE version",
        "LENGTH": "bad GRE header length",
        "CHECKSUM": "bad GRE checksum",
        "KEY": "invalid key",
        "SEQUENCE": "out of sequence",
    }
    args = (
        *HeaderCheck.args,
        *OPTIONS,
        Keyword("OFFSET", Integer(high=(1 << 31) - 1), 0, "the header's offset from the start of the packet, in bytes"),
        Keyword("STRIP", Bool(), False, "whether to remove the header, and everything before it, from good packets"),
    )
    state_types = {**HeaderCheck.state_types, "vars": Vars(last=u32)}
    holds = (Held("the last number", ANEW, KEPT),)
    weight = 350

    def configure(self) -> None:
        if self.cfg.offset > DEEPEST_IN_KERNEL:
            self.runs = USER

    def constants(self) -> Constants:
        return {**super().constants(), **key_constants(self.cfg.key)}

    def initialise(self) -> None:
        self.state.vars.last = 0xFFFFFFFF
