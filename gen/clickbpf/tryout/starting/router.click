// router.click: the router of @NAME@, between two Ethernet networks.
//
//     clickbpf try router.click                                        with made-up hosts
//     clickbpf load router.click LEFT=enp1s0 RIGHT=enp2s0 ...          with real ones
//
// Give real devices the same addresses in Linux, and turn Linux's own forwarding off (sysctl net.ipv4.ip_forward=0).

define(
	$LEFT eth0,   $LEFT_ADDR 10.0.0.1/24,   $LEFT_MAC 02:00:00:00:00:10,
	$RIGHT eth1,  $RIGHT_ADDR 10.0.1.1/24,  $RIGHT_MAC 02:00:00:00:01:10
);

AddressInfo(left $LEFT_ADDR $LEFT_MAC, right $RIGHT_ADDR $RIGHT_MAC);

// ---- Arrival: frames are sorted into ARP queries, ARP replies, IP packets, and others ------------------------------

from_left :: FromDevice($LEFT) -> cl :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
from_right :: FromDevice($RIGHT) -> cr :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);

to_left :: Queue(1000) -> ToDevice($LEFT);
to_right :: Queue(1000) -> ToDevice($RIGHT);

cl[0] -> ARPResponder(left) -> to_left;
cr[0] -> ARPResponder(right) -> to_right;
cl[1] -> [1] arp_left :: ARPQuerier(left) -> to_left;
cr[1] -> [1] arp_right :: ARPQuerier(right) -> to_right;
cl[3], cr[3] -> others :: Counter -> Discard;

// ---- Routing: the longest matching prefix says where a packet leaves -----------------------------------------------

rt :: StaticIPLookup(left:ip/32 0, right:ip/32 0, left:ipnet 1, right:ipnet 2);
cl[2], cr[2] -> Strip(14) -> CheckIPHeader(INTERFACES left:ipnet right:ipnet) -> rt;

// The router's own addresses: pings are answered, from a queue, so that an answer to itself goes round in the runtime.
rt[0] -> own :: IPClassifier(icmp type echo, -) -> ICMPPingResponder -> Queue(100) -> Unqueue -> rt;
own[1] -> unheard :: Counter -> Discard;

rt[1] -> DropBroadcasts -> ttl_left :: DecIPTTL -> arp_left;
rt[2] -> DropBroadcasts -> ttl_right :: DecIPTTL -> arp_right;
ttl_left[1] -> ICMPError(right, timeexceeded) -> rt;
ttl_right[1] -> ICMPError(left, timeexceeded) -> rt;
