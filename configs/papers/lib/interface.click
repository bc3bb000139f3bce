// lib/interface.click: one network interface of the IP router, to require(library) and join to a routing table.
//
// A router of the kind of configs/iprouter.click has the same elements for each of its interfaces.  Here they are one
// element, so that a router of many interfaces, or one with something else than a plain queue, is a page long.

// Interface(DEVICE, PAINT, IF, MTU, NETS)
//
//   DEVICE  where packets come from          IF      its addresses, a name of AddressInfo
//   PAINT   a number of its own, from 1      NETS    the router's networks: no packet comes from their broadcast addresses
//
//   input 0   packets routed to this interface       output 0  Ethernet frames to send
//   input 1   packets for the router itself that     output 1  IP packets to route: arrived ones, and error reports
//             came in here                           output 2  for Linux

elementclass Interface { $device, $paint, $if, $mtu, $nets |
	arpq :: ARPQuerier($if);

	FromDevice($device) -> c :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);

	c[0] -> ARPResponder($if) -> [0] output;
	c[1] -> replies :: Tee(2);
	replies[0] -> [1] arpq;
	replies[1] -> [2] output;
	c[2] -> Paint($paint)
		-> Strip(14)
		-> CheckIPHeader(INTERFACES $nets)
		-> GetIPAddress(16)
		-> [1] output;
	c[3] -> other :: Counter -> Discard;

	input[0] -> DropBroadcasts
		-> cp :: PaintTee($paint)
		-> gio :: IPGWOptions($if)
		-> FixIPSrc($if)
		-> dt :: DecIPTTL
		-> fr :: IPFragmenter($mtu)
		-> [0] arpq
		-> [0] output;

	cp[1] -> ICMPError($if, redirect, host) -> [1] output;
	gio[1] -> ICMPError($if, parameterproblem) -> [1] output;
	dt[1] -> ICMPError($if, timeexceeded) -> [1] output;
	fr[1] -> ICMPError($if, unreachable, needfrag, PMTU $mtu) -> [1] output;

	input[1] -> EtherEncap(0x0800, $if, $if) -> [2] output;
}
