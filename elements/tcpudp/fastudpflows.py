from clickbpf.declare import AGNOSTIC, SAME, Bool, Integer, Keyword, Optional, Raw, value_handlers

from ._fast import AMOUNT, DESTINATION, FLOWS, SOURCE, FastSource

#: Only STOP has an effect.
OF_FASTCLICK = (
    Keyword("STOP", Bool(), False, "whether to stop the driver after LIMIT packets. Default false. An argument of FastClick"),
    Keyword("SEQUENTIAL", Raw(), text="FastClick's. Accepted, without effect"),
    *(Keyword(name, Raw(), text=SAME) for name in ("DUPLICATE", "BURST", "FLOWBURST")),
)


class FastUDPFlows(FastSource, processing=AGNOSTIC):
    """generates UDP packets of many flows, for benchmarks

    Each packet belongs to one of FLOWS flows, chosen at random, which differ in their ports. After FLOWSIZE packets a flow takes
    other ports. Otherwise packets are as FastUDPSource's.

    Ports: one output. Packets are pulled, or pushed as fast as RATE allows.

    Example: FastUDPFlows(100000, 500000, 60, 2:2:2:2:2:2, 1.0.0.1, 3:3:3:3:3:3, 2.0.0.2, 100, 10) -> ToDevice(eth0);
    """

    args = (
        *AMOUNT,
        *SOURCE,
        *DESTINATION,
        *FLOWS,
        Optional("CHECKSUM", Bool(), True, "false to send them without UDP checksum"),
        Optional("ACTIVE", Bool(), True, "false to make none"),
        *OF_FASTCLICK,
    )

    length = value_handlers(Integer(32), lambda self: self.state.fast.length, lambda self, length: self._set_length(length))
