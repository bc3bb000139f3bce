// ip6router.click: an IPv6 router with two Ethernet interfaces.
//
// Packets go the way that the IP router of the Click paper has them go (iprouter.click); a packet that is forwarded meets
//
//     FromDevice - Classifier - Paint - Strip - CheckIP6Header - LookupIP6Route - LookupIP6Route - Classifier - DropBroadcasts
//         - PaintTee - DecIP6HLIM - CheckLength - IP6NDSolicitor - Queue - ToDevice
//
// all in the kernel. Run it with the devices and addresses of the block below, or with your own:
//
//     clickbpf load configs/ip6router.click ETH0=enp1s0 ADDR6_0=2001:db8:5::1/64 MAC0=52:54:00:00:00:01 LINK0=fe80::5054:ff:fe00:1
//
// The router answers for its addresses by itself; Linux needs none of them on these devices. It sends no router
// advertisements: hosts have their addresses and the route to it from elsewhere.

// ---- What to change ------------------------------------------------------------------------------------------------

define(
	$ETH0 eth0,  $ADDR6_0 2001:db8:0::1/64,  $MAC0 02:00:00:00:00:10,  $LINK0 fe80::ff:fe00:10,   $MTU0 1500,
	$ETH1 eth1,  $ADDR6_1 2001:db8:1::1/64,  $MAC1 02:00:00:00:01:10,  $LINK1 fe80::ff:fe00:110,  $MTU1 1500,
	$GW6 2001:db8:0::fe                       // the next hop, on the first interface, for all other networks
);

// `if0` and `if1` are names for all addresses of an interface, `link0` and `link1` for the one that is good on its link only.
AddressInfo(if0 $ADDR6_0 $MAC0, link0 $LINK0, if1 $ADDR6_1 $MAC1, link1 $LINK1);

// ---- The routing table ---------------------------------------------------------------------------------------------

rt :: LookupIP6Route(
	if0:ip6 0,  if1:ip6 0,          // for this router
	if0:ip6net 1,                   // neighbours on the first interface
	if1:ip6net 2,                   // neighbours on the second
	::/0 $GW6 1                     // everyone else
);

// ---- Arrival -------------------------------------------------------------------------------------------------------
//
// Frames are sorted: neighbour solicitations and advertisements (their hop limit is 255: no router has forwarded them), other
// IPv6, anything else. Paint remembers where a packet came from.

c0 :: Classifier(12/86dd 20/3aff 54/87, 12/86dd 20/3aff 54/88, 12/86dd, -);
c1 :: Classifier(12/86dd 20/3aff 54/87, 12/86dd 20/3aff 54/88, 12/86dd, -);

in0 :: FromDevice($ETH0) -> c0;
in1 :: FromDevice($ETH1) -> c1;

out0 :: Queue(1000) -> todev0 :: ToDevice($ETH0);
out1 :: Queue(1000) -> todev1 :: ToDevice($ETH1);

nd0 :: IP6NDSolicitor(link0, if0) -> out0;
nd1 :: IP6NDSolicitor(link1, if1) -> out1;

c0[0] -> IP6NDAdvertiser(if0:ip6 link0:ip6 if0:eth) -> out0;
c1[0] -> IP6NDAdvertiser(if1:ip6 link1:ip6 if1:eth) -> out1;

c0[1] -> [1] nd0;
c1[1] -> [1] nd1;

// What is for an address of the link stays there (RFC 4291, 2.5.6): for the router's own one, and for others and groups, which
// nobody listens to here. The answers go back to the link.

c0[2] -> Paint(1) -> Strip(14) -> CheckIP6Header -> scope0 :: LookupIP6Route(link0 0, fe80::/10 1, ff00::/8 1, ::/0 2);
c1[2] -> Paint(2) -> Strip(14) -> CheckIP6Header -> scope1 :: LookupIP6Route(link1 0, fe80::/10 1, ff00::/8 1, ::/0 2);

scope0[0] -> ICMP6PingResponder -> [0] nd0;
scope1[0] -> ICMP6PingResponder -> [0] nd1;
scope0[1] -> Discard;
scope1[1] -> Discard;
scope0[2] -> rt;
scope1[2] -> rt;

c0[3] -> other0 :: Counter -> Discard;
c1[3] -> other1 :: Counter -> Discard;

// ---- For this router -----------------------------------------------------------------------------------------------

rt[0] -> ping :: ICMP6PingResponder -> rt;
ping[1] -> ICMP6Error(if0, unreachable, 4) -> rt;

// ---- Forwarding ----------------------------------------------------------------------------------------------------
//
// Classifier       what comes from an address of a link isn't forwarded (RFC 4291, 2.5.6)
// DropBroadcasts   nor what the link delivered to a group
// PaintTee         a packet that leaves where it came from is forwarded, and its sender told of the shorter way
// DecIP6HLIM       one hop less to live; at the end of its life a packet goes to output 1
// CheckLength      no router splits packets (RFC 8200, 4.5); what is too big for the link goes to output 1
// IP6NDSolicitor   finds the Ethernet address of the next hop; packets wait there for the answer

rt[1] -> local0 :: Classifier(8/fe80%ffc0, -);
local0[0] -> Discard;
local0[1] -> DropBroadcasts
	-> cp0 :: PaintTee(1)
	-> dh0 :: DecIP6HLIM
	-> big0 :: CheckLength($MTU0)
	-> [0] nd0;

rt[2] -> local1 :: Classifier(8/fe80%ffc0, -);
local1[0] -> Discard;
local1[1] -> DropBroadcasts
	-> cp1 :: PaintTee(2)
	-> dh1 :: DecIP6HLIM
	-> big1 :: CheckLength($MTU1)
	-> [0] nd1;

// ---- Error reports -------------------------------------------------------------------------------------------------
//
// An ICMPv6 error is a new packet, routed to the sender of the one it is about. A redirect comes from the router's address on
// the link and goes there directly, its hop limit still 255.

cp0[1] -> ICMP6Error(link0, redirect) -> [0] nd0;
cp1[1] -> ICMP6Error(link1, redirect) -> [0] nd1;
dh0[1] -> ICMP6Error(if0, timeexceeded) -> rt;
dh1[1] -> ICMP6Error(if1, timeexceeded) -> rt;
big0[1] -> ICMP6Error(if0, packettoobig, PMTU $MTU0) -> rt;
big1[1] -> ICMP6Error(if1, packettoobig, PMTU $MTU1) -> rt;
