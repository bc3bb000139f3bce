from clickbpf.declare import BEARS_OFFLOADS, THREAD_SAFE

from ._switch import SwitchElement


class EtherSwitch(SwitchElement, ports="2-/=", flow="#/[^#]", traits=BEARS_OFFLOADS | THREAD_SAFE):
    """learning Ethernet switch

    Input and output of the same number are one network. The switch learns each packet's source address and network. A packet to a
    learned address leaves for that network, or is dropped if it came from there; all other packets leave by every output but that
    of their own network. An address is forgotten after TIMEOUT without packets from it.

    Packets from known addresses stay in the kernel path. This includes packets for several networks if their copies pass only
    classes that don't modify packets (Counter, IPClassifier, Discard) on their paths to different devices. Packets with something
    to learn are handed over to the runtime.

    The table has room for at least CAPACITY addresses. Once it is full, a new address replaces one of the network with the most
    addresses, so that a flood of addresses from one network doesn't displace those of others. Packets to addresses without an entry
    go to all networks.

    Ports: two or more push inputs and as many push outputs. Packets are Ethernet packets.

    Example:

        FromDevice(eth0) -> s :: EtherSwitch -> Queue -> ToDevice(eth0);
        FromDevice(eth1) -> [1]s[1] -> Queue -> ToDevice(eth1);
        FromDevice(eth2) -> [2]s[2] -> Queue -> ToDevice(eth2);
    """

    weight = 330
