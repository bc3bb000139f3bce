from clickbpf.declare import BEARS_OFFLOADS, THREAD_SAFE

from ._switch import SwitchElement


class EtherSwitch(SwitchElement, ports="2-/=", flow="#/[^#]", traits=BEARS_OFFLOADS | THREAD_SAFE):
    """learning Ethernet switch

    Input and output of the same number are one network. Whatever comes from a network teaches the switch that the
    packet's source address is there. A packet to an address that it has learned leaves for that network, or is dropped
    if it came from there; all others leave by every output but that of their own network. An address is forgotten when
    nothing came from it for TIMEOUT.

    Packets from addresses that the switch knows stay in the kernel path, those for several networks included where its
    copies meet only classes that look at them (Counter, IPClassifier, Discard) on their way to different devices. It hands over
    those that teach it something.

    The table has room for CAPACITY addresses, and some more. Where it is full, an address takes the place of one of the network
    that has most, so that a network from which any number of addresses come leaves the others theirs. Packets to an address that
    finds no room go to all networks.

    Ports: two or more push inputs and as many push outputs. Packets are Ethernet packets.

    Example:

        FromDevice(eth0) -> s :: EtherSwitch -> Queue -> ToDevice(eth0);
        FromDevice(eth1) -> [1]s[1] -> Queue -> ToDevice(eth1);
        FromDevice(eth2) -> [2]s[2] -> Queue -> ToDevice(eth2);
    """

    weight = 330
