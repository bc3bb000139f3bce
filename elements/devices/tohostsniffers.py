from clickbpf.declare import BEARS_OFFLOADS, GIVES_TO_HOST, PASSES, USER, Bool, Keyword

from .tohost import ToHost


class ToHostSniffers(ToHost, runs=USER, traits=BEARS_OFFLOADS | PASSES | GIVES_TO_HOST):
    """shows packets to sniffers, such as tcpdump

    Packet sockets of this machine see the packets as received on DEVNAME, by default the device that they came from; Linux's stack
    doesn't. It is ToHost with SNIFFERS true. The kernel path copies packets to the runtime and drops them.

    Arguments:

      - DEVNAME: the device on which packets are seen, as in ToHost. Default is the device that each packet came from.
      - QUIET: accepted, but has no effect.

    Example: watch refused packets with `tcpdump -i eth0`:

        FromDevice(eth0) -> MarkIPHeader(14) -> f :: IPClassifier(tcp port 23, -);
        f[0] -> ToHostSniffers;
        f[1] -> Queue -> ToDevice(eth1);
    """

    aliases = ("ToLinuxSniffers",)
    args = tuple(argument if argument.name != "SNIFFERS" else Keyword("SNIFFERS", Bool(), True) for argument in ToHost.args)
