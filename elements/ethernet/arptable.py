from clickbpf.declare import ANEW, KEPT, LOST, USER, Held, Self, sum_handler

from ._arptable import TABLE_ARGS, TABLE_STATES, TableElement


class ARPTable(TableElement, ports="0/0", runs=USER):
    """stores the Ethernet addresses of IP addresses

    Several ARPQueriers may share it by their TABLE argument; without one, each has its own table. Packets waiting for a reply wait
    here. The table is in the runtime's memory, and ends with it.

    Example:

        neighbours :: ARPTable(TIMEOUT 1min);
        arp :: ARPQuerier(10.0.0.1/24, 02:00:00:00:00:01, TABLE neighbours) -> Queue -> ToDevice(eth0);
        c :: Classifier(12/0800, 12/0806 20/0002);
        FromDevice(eth0) -> c;
        c[0] -> Strip(14) -> CheckIPHeader -> [0]arp;
        c[1] -> [1]arp;
    """

    args = TABLE_ARGS
    state_types = TABLE_STATES
    holds = (Held("packets that wait for an answer", KEPT, LOST), Held("addresses", KEPT, ANEW))

    def take_state(self, before: Self) -> None:
        self.take_table(before)

    drops = sum_handler("list", text="packets dropped while they waited")
