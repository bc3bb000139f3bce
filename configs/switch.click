// switch.click: a learning Ethernet switch with four ports.
//
// It remembers which port each Ethernet address was last seen on.  Packets from addresses that it knows never leave the
// kernel, whether they are for one port or for several; the runtime learns new addresses.
//
// It looks into what IPv6 hosts report to listen to (MLD), and sends packets for groups only where somebody listens, as long as a
// router asks for such reports; else to all ports. Where there is no router, the switch can ask: give it an Ethernet address of its own,
// `SnoopingEtherSwitch(QUERIER 02:00:00:00:00:01, ...)`.
//
// There must not be two ways from one port to another outside the switch: for networks with loops see
// papers/etherswitch.click.
//
//     clickbpf load -n switch configs/switch.click P0=enp1s0 P1=enp2s0 P2=enp3s0 P3=enp4s0
//     clickbpf read switch.table
//     clickbpf read switch.groups

define($P0 eth0, $P1 eth1, $P2 eth2, $P3 eth3, $TIMEOUT 300);

switch :: SnoopingEtherSwitch(TIMEOUT $TIMEOUT);

FromDevice($P0, PROMISC true) -> [0] switch [0] -> Queue(1000) -> ToDevice($P0);
FromDevice($P1, PROMISC true) -> [1] switch [1] -> Queue(1000) -> ToDevice($P1);
FromDevice($P2, PROMISC true) -> [2] switch [2] -> Queue(1000) -> ToDevice($P2);
FromDevice($P3, PROMISC true) -> [3] switch [3] -> Queue(1000) -> ToDevice($P3);
