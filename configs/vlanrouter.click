// vlanrouter.click: a router on a stick, for networks that share a cable as VLANs.
//
// A switch sends the frames of two networks over one cable, each with the tag of its VLAN (IEEE 802.1Q).  The router takes
// the tag off, routes the packet, and sends it back with the tag of the network where it is going.
//
//     clickbpf load configs/vlanrouter.click TRUNK=enp1s0 VLAN0=10 TAG0=000A ADDR0=192.168.10.1/24 ...
//
// The router answers pings and ARP queries itself: Linux has no part in it.

define(
	$TRUNK eth0,  $MAC 02:00:00:00:00:10,
	$VLAN0 10,  $TAG0 000A,  $ADDR0 10.0.0.1/24,        // TAG is VLAN in hexadecimal, four digits
	$VLAN1 20,  $TAG1 0014,  $ADDR1 10.0.1.1/24
);

AddressInfo(if0 $ADDR0 $MAC, if1 $ADDR1 $MAC);

// VlanInterface(VLAN, PAINT, IF): the router's interface to one VLAN.
//
//   input 0   IP packets routed to this VLAN         output 0  tagged frames to send
//   input 1   its frames, without the tag            output 1  IP packets to route

elementclass VlanInterface { $vlan, $paint, $if |
	arpq :: ARPQuerier($if) -> tag :: VLANEncap($vlan) -> [0] output;

	input[1] -> c :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
	c[0] -> ARPResponder($if) -> tag;
	c[1] -> [1] arpq;
	c[2] -> Paint($paint) -> Strip(14) -> CheckIPHeader(INTERFACES if0:ipnet if1:ipnet) -> [1] output;
	c[3] -> Discard;

	input[0] -> DropBroadcasts
		-> cp :: PaintTee($paint)
		-> FixIPSrc($if)
		-> ttl :: DecIPTTL
		-> fr :: IPFragmenter(1500)
		-> arpq;
	cp[1] -> ICMPError($if, redirect, host) -> [1] output;
	ttl[1] -> ICMPError($if, timeexceeded) -> [1] output;
	fr[1] -> ICMPError($if, unreachable, needfrag, PMTU 1500) -> [1] output;
}

v0 :: VlanInterface($VLAN0, 1, if0);
v1 :: VlanInterface($VLAN1, 2, if1);

// ---- The cable -----------------------------------------------------------------------------------------------------
//
// The last twelve bits of a tag are the VLAN.  Frames without a tag, and those of other VLANs, aren't ours.

FromDevice($TRUNK, PROMISC true)
	-> HostEtherFilter($MAC)
	-> which :: Classifier(12/8100 14/$TAG0%0FFF, 12/8100 14/$TAG1%0FFF, -);

which[0] -> VLANDecap -> [1] v0;
which[1] -> VLANDecap -> [1] v1;
which[2] -> foreign :: Counter -> Discard;

out :: Queue(1000) -> ToDevice($TRUNK);
v0 -> out;
v1 -> out;

// ---- Routing -------------------------------------------------------------------------------------------------------

rt :: StaticIPLookup(
	if0:ip/32 0,  if1:ip/32 0,
	if0:ipnet 1,  if1:ipnet 2
);

v0[1] -> rt;
v1[1] -> rt;

rt[0] -> ICMPPingResponder -> rt;
rt[1] -> v0;
rt[2] -> v1;
