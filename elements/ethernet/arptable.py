from __future__ import annotations

from clickbpf.vocabulary.element import USER, sum_handler
from clickbpf.vocabulary.held import ANEW, KEPT, LOST, Held

from ._arptable import TABLE_ARGS, TABLE_HANDLER, TABLE_LIMITS, TABLE_STATES, TableElement


class ARPTable(TableElement):
    __doc__ = f"""stores which Ethernet addresses IP addresses have

    Synopsis: `ARPTable([CAPACITY ..., ENTRY_CAPACITY ..., ENTRY_PACKET_CAPACITY ..., CAPACITY_SLIM_FACTOR ..., TIMEOUT ...])`

    Several ARPQueriers may share it by their TABLE argument; otherwise each has its own. Packets that wait for a reply wait
    here. It is kept by the runtime and ends with it.

    Arguments:

      {TABLE_LIMITS}

    Ports: none.

    Handlers:

      {TABLE_HANDLER}
      - `count`, `length` (read): addresses in the table, packets that wait.
      - `drops` (read): packets dropped while they waited.
      - `insert` (write): `IP ETH`, remembers an address as if it had just been learnt.
      - `delete` (write): `IP`, forgets the address.
      - `clear` (write): forgets everything, drops the packets that wait.

    Example:

        neighbours :: ARPTable(TIMEOUT 1min);
        arp :: ARPQuerier(10.0.0.1/24, 02:00:00:00:00:01, TABLE neighbours) -> Queue -> ToDevice(eth0);
        c :: Classifier(12/0800, 12/0806 20/0002);
        FromDevice(eth0) -> c;
        c[0] -> Strip(14) -> CheckIPHeader -> [0]arp;
        c[1] -> [1]arp;
    """

    ports = "0/0"
    runs = USER
    entries = ("timer", "init", "cleanup", "control")
    reconfigurable = True
    args = TABLE_ARGS
    state_types = TABLE_STATES
    holds = (Held("packets that wait for an answer", KEPT, LOST), Held("addresses", KEPT, ANEW))

    def take_state(self, before: ARPTable) -> None:
        self.take_table(before)

    drops = sum_handler("list")
