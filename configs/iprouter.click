// iprouter.click: a standards-compliant IP router with two Ethernet interfaces.
//
// This is the router of the Click paper (Kohler, Morris, Chen, Jannotti and Kaashoek, "The Click Modular Router",
// ACM TOCS 18(3), 2000), Figure 8.  A packet that is forwarded meets sixteen elements:
//
//     FromDevice - Classifier - Paint - Strip - CheckIPHeader - GetIPAddress - StaticIPLookup
//         - DropBroadcasts - PaintTee - IPGWOptions - FixIPSrc - DecIPTTL - IPFragmenter - ARPQuerier - Queue - ToDevice
//
// Run it with the devices and addresses of the block below, or with your own:
//
//     clickbpf load configs/iprouter.click ETH0=enp1s0 ADDR0=192.168.1.1/24 MAC0=52:54:00:00:00:01 GW=192.168.1.254
//
// Give the devices the same IP addresses in Linux, and turn Linux's own forwarding off (sysctl net.ipv4.ip_forward=0):
// packets for the router itself, and what only Linux knows to answer, go to Linux through ToHost.

// ---- What to change ------------------------------------------------------------------------------------------------

define(
	$ETH0 eth0,  $ADDR0 10.0.0.1/24,  $MAC0 02:00:00:00:00:10,  $MTU0 1500,  // the first interface
	$ETH1 eth1,  $ADDR1 10.0.1.1/24,  $MAC1 02:00:00:00:01:10,  $MTU1 1500,  // the second interface
	$GW 10.0.0.254                                      // the next hop, on the first interface, for all other networks
);

// `if0` and `if1` are names for all addresses of an interface: `if0:ip`, `if0:ipnet`, `if0:bcast`, `if0:eth`.
// Where only one kind of address makes sense, `if0` alone will do.
AddressInfo(if0 $ADDR0 $MAC0, if1 $ADDR1 $MAC1);

// ---- The routing table ---------------------------------------------------------------------------------------------
//
// All packets that are to be routed come here, from the wire and from this router's own error reports.  The longest
// matching prefix wins.  It gives the output port, and the gateway if the destination isn't a neighbour; the address
// of the next hop travels on with the packet as an annotation, for ARPQuerier.

rt :: StaticIPLookup(
	if0:ip/32 0,  if0:bcast/32 0,      // for this router: its addresses and the directed broadcasts
	if1:ip/32 0,  if1:bcast/32 0,
	255.255.255.255/32 0,              // limited broadcast
	if0:ipnet 1,                       // neighbours on the first interface
	if1:ipnet 2,                       // neighbours on the second
	0.0.0.0/0 $GW 1                    // everyone else
);

// ---- Arrival -------------------------------------------------------------------------------------------------------
//
// One shared path for IP packets.  Strip takes the Ethernet header off.  CheckIPHeader discards what RFC 1812 (5.2.2)
// calls bad: wrong version, lengths or checksum, and source addresses that are a broadcast address of our networks.
// GetIPAddress copies the destination (byte 16 of the IP header) into the annotation that the routing table looks at.

ip :: Strip(14)
	-> CheckIPHeader(INTERFACES if0:ipnet if1:ipnet)
	-> GetIPAddress(16)
	-> rt;

// Frames are sorted by Ethernet type and ARP operation: queries, replies, IP, anything else.  Paint remembers where an
// IP packet came from.  ARP queries for our address are answered; ARP replies go to both queriers and to Linux.

c0 :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
c1 :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);

in0 :: FromDevice($ETH0) -> c0;
in1 :: FromDevice($ETH1) -> c1;

out0 :: Queue(1000) -> todev0 :: ToDevice($ETH0);
out1 :: Queue(1000) -> todev1 :: ToDevice($ETH1);

arpq0 :: ARPQuerier(if0) -> out0;
arpq1 :: ARPQuerier(if1) -> out1;
replies :: Tee(3);

c0[0] -> ARPResponder(if0) -> out0;
c1[0] -> ARPResponder(if1) -> out1;

c0[1] -> replies;
c1[1] -> replies;
replies[0] -> [1] arpq0;
replies[1] -> [1] arpq1;
replies[2] -> host :: ToHost;

c0[2] -> Paint(1) -> ip;
c1[2] -> Paint(2) -> ip;

c0[3] -> other0 :: Counter -> Discard;
c1[3] -> other1 :: Counter -> Discard;

// ---- For this router -----------------------------------------------------------------------------------------------
//
// Linux answers.  ToHost wants Ethernet frames, and Linux believes only those that bear the address of the interface
// they came in by, which the paint remembers.  What has no paint was made by this router, about itself: nobody waits
// for it.

rt[0] -> from0 :: CheckPaint(1) -> EtherEncap(0x0800, if0, if0) -> host;
from0[1] -> CheckPaint(2) -> EtherEncap(0x0800, if1, if1) -> host;

// ---- Forwarding ----------------------------------------------------------------------------------------------------
//
// DropBroadcasts   link-level broadcasts aren't forwarded (RFC 1812, 5.3.4)
// PaintTee         a packet that leaves where it came from is forwarded, and its sender told of the shorter way
// IPGWOptions      record route and timestamp options; a bad option goes to output 1
// FixIPSrc         our own error reports get the address of the interface that they leave by
// DecIPTTL         one hop less to live; at the end of its life a packet goes to output 1
// IPFragmenter     cuts what is too big for the link; what must not be cut goes to output 1
// ARPQuerier       finds the Ethernet address of the next hop; packets wait there for the answer

rt[1] -> DropBroadcasts
	-> cp0 :: PaintTee(1)
	-> gio0 :: IPGWOptions(if0)
	-> FixIPSrc(if0)
	-> dt0 :: DecIPTTL
	-> fr0 :: IPFragmenter($MTU0)
	-> [0] arpq0;

rt[2] -> DropBroadcasts
	-> cp1 :: PaintTee(2)
	-> gio1 :: IPGWOptions(if1)
	-> FixIPSrc(if1)
	-> dt1 :: DecIPTTL
	-> fr1 :: IPFragmenter($MTU1)
	-> [0] arpq1;

// ---- Error reports -------------------------------------------------------------------------------------------------
//
// An ICMP error is a new packet, routed to the sender of the one it is about.

cp0[1] -> ICMPError(if0, redirect, host) -> rt;
cp1[1] -> ICMPError(if1, redirect, host) -> rt;
gio0[1] -> ICMPError(if0, parameterproblem) -> rt;
gio1[1] -> ICMPError(if1, parameterproblem) -> rt;
dt0[1] -> ICMPError(if0, timeexceeded) -> rt;
dt1[1] -> ICMPError(if1, timeexceeded) -> rt;
fr0[1] -> ICMPError(if0, unreachable, needfrag, PMTU $MTU0) -> rt;
fr1[1] -> ICMPError(if1, unreachable, needfrag, PMTU $MTU1) -> rt;
