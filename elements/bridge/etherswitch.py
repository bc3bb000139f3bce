from __future__ import annotations

from ._switch import SwitchElement


class EtherSwitch(SwitchElement):
    """learning Ethernet switch

    Synopsis: `EtherSwitch([TIMEOUT ..., CAPACITY ...])`

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

    Arguments:

      - TIMEOUT: how long to remember an address, in whole seconds; 0 to learn nothing and be a hub. Default 300.
      - CAPACITY: how many addresses to remember, up to 1048576. Default 32768.

    Ports: two or more push inputs and as many push outputs. Packets are Ethernet packets.

    Handlers:

      - `table` (read): a line for each address: the address, and the number of its port.
      - `timeout` (read, write): TIMEOUT, in seconds.

    Example:

        FromDevice(eth0) -> s :: EtherSwitch -> Queue -> ToDevice(eth0);
        FromDevice(eth1) -> [1]s[1] -> Queue -> ToDevice(eth1);
        FromDevice(eth2) -> [2]s[2] -> Queue -> ToDevice(eth2);
    """

    bears_offloads = True
    ports = "2-/="
    flow = "#/[^#]"
    weight = 150
