// iprouter.click: a standards-compliant router with two Ethernet interfaces, for IPv4 and IPv6.
//
// This is the router of the Click paper (Kohler, Morris, Chen, Jannotti and Kaashoek, "The Click Modular Router",
// ACM TOCS 18(3), 2000), Figure 8.  A packet that is forwarded meets sixteen elements:
//
//     FromDevice - Classifier - Paint - Strip - CheckIPHeader - GetIPAddress - StaticIPLookup
//         - DropBroadcasts - PaintTee - IPGWOptions - FixIPSrc - DecIPTTL - IPFragmenter - ARPQuerier - Queue - ToDevice
//
// The paper's router knows IPv4 only.  This one has the same beside it for IPv6, and announces itself to hosts (RFC 4861), so that they
// make themselves addresses (RFC 4862).  An IPv6 packet that is forwarded meets
//
//     FromDevice - Classifier - CheckIP6Header - IPClassifier - Paint - Strip - IPClassifier - StaticIP6Lookup - IPClassifier
//         - DropBroadcasts - FixIP6Src - DecIP6HLIM - PaintTee - CheckLength - IP6NDSolicitor - Queue - ToDevice
//
// Run it with the devices and addresses of the block below, or with your own:
//
//     clickbpf load configs/iprouter.click ETH0=enp1s0 ADDR0=192.168.1.1/24 MAC0=52:54:00:00:00:01 GW=192.168.1.254
//
// Give the devices the same IP addresses in Linux, of both families, and turn Linux's own forwarding off (sysctl net.ipv4.ip_forward=0
// net.ipv6.conf.all.forwarding=0): packets for the router itself, pings among them, go to Linux through ToHost.  Linux answers for
// all routers (ff02::2, 2001:db8::) if the devices are a router's to it: sysctl net.ipv6.conf.eth0.forwarding=1, which forwards nothing.

// ---- What to change ------------------------------------------------------------------------------------------------

define(
	$ETH0 eth0,  $ADDR0 10.0.0.1/24,  $MAC0 02:00:00:00:00:10,  $MTU0 1500,  // the first interface
	$ETH1 eth1,  $ADDR1 10.0.1.1/24,  $MAC1 02:00:00:00:01:10,  $MTU1 1500,  // the second interface
	$GW 10.0.0.254,                                     // the next hop, on the first interface, for all other networks
	$ADDR6_0 2001:db8:0::1/64,  $ADDR6_1 2001:db8:1::1/64,  $GW6 2001:db8:0::fe,     // the same for IPv6
	$ADVERTISE true                                     // whether the router announces itself to IPv6 hosts
);

// `if0` and `if1` are names for all addresses of an interface: `if0:ip`, `if0:ipnet`, `if0:bcast`, `if0:eth`, `if0:ip6`,
// `if0:ip6net`, and `if0:ip6link`, the link-local address that follows from the Ethernet address.
// Where only one kind of address makes sense, `if0` alone will do.
AddressInfo(if0 $ADDR0 $ADDR6_0 $MAC0, if1 $ADDR1 $ADDR6_1 $MAC1);

// ---- The routing table ---------------------------------------------------------------------------------------------
//
// All packets that are to be routed come here, from the wire and from this router's own error reports.  The longest
// matching prefix wins.  It gives the output port, and the gateway if the destination isn't a neighbour; the address
// of the next hop travels on with the packet as an annotation, for ARPQuerier.

rt :: StaticIPLookup(
	if0:ip/32 0,  if0:bcast/32 0,      // for this router: its addresses and the directed broadcasts
	if1:ip/32 0,  if1:bcast/32 0,
	255.255.255.255/32 0, 224.0.0.0/4 0,           // limited broadcast, and groups: Linux takes those that it listens to
	0.0.0.0/8 3, 127.0.0.0/8 3, 240.0.0.0/4 3,     // no host beyond this one has them (RFC 1812, 5.3.7)
	if0:ipnet 1,                       // neighbours on the first interface
	if1:ipnet 2,                       // neighbours on the second
	0.0.0.0/0 $GW 1                    // everyone else
);

// The same for IPv6, and for its annotation, which IP6NDSolicitor looks at.

rt6 :: StaticIP6Lookup(
	if0:ip6 0,  if0:ip6any 0,          // for this router: its addresses, and those of all routers
	if1:ip6 0,  if1:ip6any 0,
	if0:ip6net 1,                      // neighbours on the first interface
	if1:ip6net 2,                      // neighbours on the second
	fe80::/10 3,                       // on a link, but who knows on which
	::/0 $GW6 1                        // everyone else
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

// Frames are sorted by Ethernet type and ARP operation: queries, replies, IP, IPv6 and anything else.  Paint remembers where
// an IP packet came from.  ARP queries for our address are answered; ARP replies go to both queriers and to Linux.

c0 :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, 12/86dd, -);
c1 :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, 12/86dd, -);

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

c0[4] -> other0 :: Counter -> Discard;
c1[4] -> other1 :: Counter -> Discard;

// IPv6 has ICMPv6 for ARP: router solicitations, neighbour solicitations and advertisements, with a hop limit of 255, as no router
// has forwarded them.  Hosts hear of this router now and then, and when they ask.  Who asks says what Ethernet address it has now.

c0[3] -> CheckIP6Header(OFFSET 14) -> six0 :: IPClassifier(icmp6 type 133 && ip6 hlim 255, icmp6 type 135 && ip6 hlim 255,
	icmp6 type 136 && ip6 hlim 255, -);
c1[3] -> CheckIP6Header(OFFSET 14) -> six1 :: IPClassifier(icmp6 type 133 && ip6 hlim 255, icmp6 type 135 && ip6 hlim 255,
	icmp6 type 136 && ip6 hlim 255, -);

nd0 :: IP6NDSolicitor(if0:ip6link, if0) -> out0;  nd0[1] -> out0;
nd1 :: IP6NDSolicitor(if1:ip6link, if1) -> out1;  nd1[1] -> out1;

six0[0] -> ra0 :: IP6RouterAdvertiser(if0:ip6link, if0, PREFIX if0:ip6net, MTU $MTU0, ACTIVE $ADVERTISE) -> out0;
six1[0] -> ra1 :: IP6RouterAdvertiser(if1:ip6link, if1, PREFIX if1:ip6net, MTU $MTU1, ACTIVE $ADVERTISE) -> out1;

six0[1] -> asks0 :: Tee -> IP6NDAdvertiser(if0:ip6 if0:ip6any if0:ip6link if0:eth) -> out0;  asks0[1] -> [1] nd0;
six1[1] -> asks1 :: Tee -> IP6NDAdvertiser(if1:ip6 if1:ip6any if1:ip6link if1:eth) -> out1;  asks1[1] -> [1] nd1;

six0[2] -> replies0 :: Tee -> [1] nd0;  replies0[1] -> host;
six1[2] -> replies1 :: Tee -> [1] nd1;  replies1[1] -> host;

// Packets to addresses and groups of the link stay there (RFC 4291, 2.5.6 and 2.7).

six0[3] -> Paint(1) -> Strip(14) -> scope0 :: IPClassifier(dst net fe80::/10, dst net ff02::/16, dst net ff00::/8, -);
six1[3] -> Paint(2) -> Strip(14) -> scope1 :: IPClassifier(dst net fe80::/10, dst net ff02::/16, dst net ff00::/8, -);

scope0[0] -> own0 :: StaticIP6Lookup(if0:ip6link 0, ::/0 1);  own0[1] -> stays :: Discard;
scope1[0] -> own1 :: StaticIP6Lookup(if1:ip6link 0, ::/0 1);  own1[1] -> stays;

own0[0], scope0[1] -> own6 :: Null;  scope0[2] -> stays;  scope0[3] -> rt6;
own1[0], scope1[1] -> own6;  scope1[2] -> stays;  scope1[3] -> rt6;

// ---- For this router -----------------------------------------------------------------------------------------------
//
// Linux answers.  ToHost wants Ethernet frames, and Linux believes only those that bear the address of the interface
// they came in by, which the paint remembers.  What has no paint was made by this router, about itself: nobody waits
// for it.

rt[0] -> from0 :: CheckPaint(1) -> EtherEncap(0x0800, if0, if0) -> host;
from0[1] -> CheckPaint(2) -> EtherEncap(0x0800, if1, if1) -> host;

rt6[0] -> own6;
own6 -> own60 :: CheckPaint(1) -> EtherEncap(0x86dd, if0, if0) -> host;
own60[1] -> CheckPaint(2) -> EtherEncap(0x86dd, if1, if1) -> host;

// ---- Forwarding ----------------------------------------------------------------------------------------------------
//
// DropBroadcasts   link-level broadcasts aren't forwarded (RFC 1812, 5.3.4)
// PaintTee         a packet that leaves where it came from is forwarded, and the shorter way reported to its sender
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

// IPv6: packets from an address of a link aren't forwarded to another one (RFC 4291, 2.5.6; RFC 4007, 9), those from no address nowhere
// (RFC 4291, 2.5.2), and no router cuts packets (RFC 8200, 4.5). What has no hop left isn't forwarded, so its sender hears of no shorter way:
//
// FixIP6Src        our own error reports get the address of the interface that they leave by (RFC 4443, 2.2)
// DecIP6HLIM       one hop less to live; at the end of its life a packet goes to output 1
// CheckLength      what is too big for the link goes to output 1
// IP6NDSolicitor   finds the Ethernet address of the next hop; packets wait there for the answer

rt6[1] -> local0 :: IPClassifier(src host ::, src net fe80::/10, -);
local0[0] -> stays;  local0[1] -> same0 :: CheckPaint(1) -> to0 :: DropBroadcasts;
local0[2] -> to0
	-> FixIP6Src(if0)
	-> dh0 :: DecIP6HLIM
	-> cp60 :: PaintTee(1)
	-> big0 :: CheckLength($MTU0)
	-> [0] nd0;

rt6[2] -> local1 :: IPClassifier(src host ::, src net fe80::/10, -);
local1[0] -> stays;  local1[1] -> same1 :: CheckPaint(2) -> to1 :: DropBroadcasts;
local1[2] -> to1
	-> FixIP6Src(if1)
	-> dh1 :: DecIP6HLIM
	-> cp61 :: PaintTee(2)
	-> big1 :: CheckLength($MTU1)
	-> [0] nd1;

rt[3] -> stays;  rt6[3] -> stays;

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

// IPv6's are sent at a limited rate (RFC 4443, 2.4).  A redirect comes from the router's address on the link and goes there directly,
// its hop limit still 255, if its receiver is a neighbour (RFC 4861, 8.2).  It says the better next hop's Ethernet address, so nobody asks.

cp60[1] -> ICMP6Error(if0:ip6link, redirect, NEIGHBOURS nd0) -> near0 :: IPClassifier(dst net fe80::/10 or ip6 dst net if0:ip6net, -);
cp61[1] -> ICMP6Error(if1:ip6link, redirect, NEIGHBOURS nd1) -> near1 :: IPClassifier(dst net fe80::/10 or ip6 dst net if1:ip6net, -);
same1[1] -> ICMP6Error(if0:ip6link, unreachable, 2, SET_FIX_ANNO false) -> near0;
same0[1] -> ICMP6Error(if1:ip6link, unreachable, 2, SET_FIX_ANNO false) -> near1;
near0[0] -> [0] nd0;  near0[1] -> stays;
near1[0] -> [0] nd1;  near1[1] -> stays;
dh0[1] -> expired0 :: ICMP6Error(if0, timeexceeded) -> rt6;
dh1[1] -> expired1 :: ICMP6Error(if1, timeexceeded) -> rt6;
nd0[2] -> ICMP6Error(if0, unreachable, 3) -> rt6;
nd1[2] -> ICMP6Error(if1, unreachable, 3) -> rt6;
big0[1] -> ICMP6Error(if0, packettoobig, PMTU $MTU0) -> rt6;
big1[1] -> ICMP6Error(if1, packettoobig, PMTU $MTU1) -> rt6;
