from clickbpf.declare import (
    BEARS_OFFLOADS, FRAME, PROMISCUOUS, AlignmentRule, ArgError, Bool, CountsDrops, DeviceName, Integer, Keyword, Optional, Required,
    String,
)

from ._dpdk import COMMON, READING, RECEIVING, DrivenDevice, accepted, refuse_work, refused

#: Work on packets that the device would have to do.
WORK = (*RECEIVING, *refused("PAINT_QUEUE"))

#: Estimated instructions with RSS_AGGREGATE.
HASHING = 1500


class FromDPDKDevice(CountsDrops, DrivenDevice, ports="0/1", processing="h", traits=BEARS_OFFLOADS):
    """reads packets from a network device, as FastClick does with DPDK

    Takes all packets that a device receives, before Linux sees them, and pushes them to output 0, as FromDevice does. DPDK isn't
    used: PORT is the device's name in the configuration, which arguments of `clickbpf load` map to a device of the machine:
    `clickbpf load router.click 0=eth0 1=eth1`, `0000:03:00.0=eth0`.

    Handlers: `count` and `hw_count`, packets received; `hw_dropped`, packets lost because the runtime was too slow; `reset_counts`.

    Example: FromDPDKDevice(0) -> EtherMirror -> ToDPDKDevice(0);
    """

    alignment = AlignmentRule(gives=FRAME)
    args = (
        Required("PORT", DeviceName(), "The device: a number, a PCI address or a name"),
        Optional("QUEUE", Integer(32, low=-1), -1, "Integer. Must be 0 or left out: packets of all queues are read"),
        Optional("PROMISC", Bool(), True, "Boolean. Put the device into promiscuous mode"),
        *WORK,
        Keyword("RSS_AGGREGATE", Bool(), False, "Boolean. Set the AGGREGATE annotation to the hash of receive-side scaling: Toeplitz, of "
            "IPv4 or IPv6 addresses and, except for fragments and packets with extension headers, TCP or UDP ports. The key is that of "
            "Microsoft's verification suite. For other frames, including those with VLAN tags, it is 0"),
        Keyword("FLOW_RULES_FILE", String(), text="A file of rules for hardware filtering and queueing. Must be left out"),
        *COMMON,
        *READING,
        *accepted("BURST MINTHREADS NDESC MINQUEUES MAXQUEUES CLEAR MAC MTU MODE FLOW_ISOLATE PAUSE TIMESTAMP MAX_RSS RETA_SIZE"),
        *accepted("VF_POOLS VF_VLAN RX_INTR POWER_MGMT IPCO TCO UCO"),
    )
    drop_handlers = {"hw_dropped": "OVERRUN"}

    @property
    def weight(self) -> int:  # type: ignore[override]
        return HASHING if self.cfg.rss_aggregate else 30

    def configure(self) -> None:
        refuse_work(self.cfg, WORK)
        if self.cfg.promisc:
            self.traits |= PROMISCUOUS
        if self.cfg.rss_aggregate:
            self.annotations = ("AGGREGATE",)
        if self.cfg.flow_rules_file:
            hint = "an IPClassifier after it can drop and separate packets"
            raise ArgError("a device's own rules aren't supported", hint, argument="FLOW_RULES_FILE")

    def receives_from(self) -> str | None:
        return self.cfg.port
