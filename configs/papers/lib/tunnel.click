// lib/tunnel.click: one end of an IP-in-IP tunnel, to require(library).

// TunnelEnd(DEVICE, IF, PEER, VIA, MTU)
//
//   DEVICE  where the other end is reached           PEER  the other end's address
//   IF      its addresses, a name of AddressInfo     VIA   the next hop to it: PEER itself if that is a neighbour
//   MTU     of the tunnel: of the device, less 20 bytes for the header that a packet travels in (RFC 2003)
//
//   input 0   IP packets for the tunnel              output 0  IP packets that came out of it
//                                                    output 1  error reports to the senders of packets that are too long
//
// Packets from others than the peer don't come out, nor do such as aren't whole.  What is longer than MTU is cut before
// it enters, or refused if it must not be.

elementclass TunnelEnd { $device, $if, $peer, $via, $mtu |
	FromDevice($device) -> c :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
	out :: Queue -> ToDevice($device);
	arpq :: ARPQuerier($if) -> out;

	c[0] -> ARPResponder($if) -> out;
	c[1] -> [1] arpq;
	c[3] -> Discard;

	c[2] -> Strip(14)
		-> CheckIPHeader
		-> mine :: IPClassifier(ip proto ipip && src host $peer && dst host $if, dst host $if && icmp type echo, -);
	mine[0] -> in :: Counter -> StripIPHeader -> CheckIPHeader -> [0] output;
	mine[1] -> ICMPPingResponder -> SetIPAddress($via) -> arpq;
	mine[2] -> Discard;

	input -> fits :: IPFragmenter($mtu)
		-> IPEncap(ipip, $if, $peer)
		-> sent :: Counter
		-> SetIPAddress($via)
		-> arpq;
	fits[1] -> ICMPError($if, unreachable, needfrag, PMTU $mtu) -> [1] output;
}
