// linuxrouter.click: the plain forwarding of the Linux router that is there, in XDP.  `clickbpf accelerate eth0 eth1` loads it.
//
// Linux stays the router.  Addresses, routes, neighbours, sysctls, routing daemons and everything else remain where they are, and so does
// net.ipv4.ip_forward=1.  This file takes only the packets that need nothing but a lookup, a new Ethernet header and a smaller TTL, and
// sends them by the other device.  Every other packet goes to Linux exactly as it came, and Linux does with it what it always does: the
// machine's own addresses, ARP, options, TTLs that end here, packets to be fragmented, neighbours that have to be asked for, groups, VLANs.
//
// To filter, count or shape what is forwarded, copy this file, put elements between `rt` and the devices, and load it by
// `clickbpf accelerate --config FILE eth0 eth1`.  With other devices, or more of them, accelerate repeats the lines below the mark.

// ---- What comes in -------------------------------------------------------------------------------------------------
//
// By all devices alike.  IPv4 and IPv6 packets that may be forwarded go to the routes without their Ethernet headers.  The rest is Linux's:
// packets with options or extension headers that routers look at, with a TTL of 1 or less, and with sources that nobody has.

arrival :: Classifier(12/0800, 12/86dd, -);
arrival[0] -> check :: CheckIPHeader(14)
	-> plain :: IPClassifier(ip hl 5 and ip ttl > 1 and not src net 0.0.0.0/8 and not src net 127.0.0.0/8 and not src net 224.0.0.0/3, -)
	-> forward :: Strip(14);
arrival[1] -> check6 :: CheckIP6Header(OFFSET 14)
	-> plain6 :: IPClassifier(ip6 hlim > 1 and not ip6 proto 0 and not src net fe80::/10 and not src net ff00::/8 and not src host ::1, -)
	-> forward6 :: Strip(14);
arrival[2], check[1], plain[1], check6[1], plain6[1] -> linux :: ToHost;

// ---- What leaves ---------------------------------------------------------------------------------------------------
//
// Input 0 and 1 take IPv4 and IPv6 packets.  Output 0 has frames for the wire; output 1 has packets to neighbours that Linux has to ask for.

elementclass Departure { $device |
	input[0] -> next :: LinuxNeighbors($device) -> DecIPTTL -> [0] output;
	input[1] -> next6 :: LinuxNeighbors($device) -> DecIP6HLIM -> [0] output;
	next[1], next6[1] -> Unstrip(14) -> [1] output;
}

// ---- The routes ----------------------------------------------------------------------------------------------------
//
// Those that `ip route` shows, as long as the router runs.  The last output is for packets that only Linux can route.  CHUNKS is room, in
// kilobytes: the default is ample for a full IPv4 table of the Internet; one of IPv6 takes `clickbpf accelerate eth0 eth1 CHUNKS6=262144`.

define($CHUNKS 65536, $CHUNKS6 65536);

// ---- For each device (accelerate repeats this) ---------------------------------------------------------------------

forward -> rt :: LinuxIPLookup(eth0, eth1, FORWARDING true, CHUNKS $CHUNKS);
forward6 -> rt6 :: LinuxIP6Lookup(eth0, eth1, FORWARDING true, CHUNKS $CHUNKS6);
rt[2], rt6[2] -> Unstrip(14) -> linux;

in0 :: FromDevice(eth0) -> arrival;
rt[0] -> departure0 :: Departure(eth0) -> Queue -> out0 :: ToDevice(eth0);
rt6[0] -> [1] departure0;
departure0[1] -> linux;

in1 :: FromDevice(eth1) -> arrival;
rt[1] -> departure1 :: Departure(eth1) -> Queue -> out1 :: ToDevice(eth1);
rt6[1] -> [1] departure1;
departure1[1] -> linux;
