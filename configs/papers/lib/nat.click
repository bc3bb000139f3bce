// lib/nat.click: a NAT gateway around rewriters, to require(library).
//
// Who requires it defines its variables ($INSIDE and so on, see papers/nat-smp.click) and an element class:
//
//   Rewriters      input and output 0 are the packets that leave, input and output 1 those that come back; its rewriters are $REWRITERS

AddressInfo(in $IN_ADDR $IN_MAC, out $OUT_ADDR $OUT_MAC);

rw :: Rewriters;
pings :: ICMPPingRewriter(pattern out - 0-65535 0 1, drop, MAPPING_CAPACITY $FLOWS);
errors :: ICMPRewriter($REWRITERS pings);

// ---- Inside --------------------------------------------------------------------------------------------------------

from_in :: FromDevice($INSIDE) -> ci :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
to_in :: Queue(200) -> in_device :: ToDevice($INSIDE);
in_arp :: ARPQuerier(in) -> to_in;

ci[0] -> ARPResponder(in) -> to_in;
ci[1] -> [1] in_arp;
ci[2] -> Strip(14)
	-> CheckIPHeader(INTERFACES in:ipnet out:ipnet)
	-> inside :: IPClassifier(src net in:ipnet and not dst net in:ipnet and (tcp or udp),
		src net in:ipnet and not dst net in:ipnet and icmp type echo,
		dst host in and icmp type echo, -);
ci[3], inside[3] -> Discard;

inside[0] -> dt_rw :: DecIPTTL -> [0] rw;
inside[1] -> dt_pings :: DecIPTTL -> [0] pings;
inside[2] -> ICMPPingResponder -> [0] in_arp;
dt_rw[1], dt_pings[1] -> ICMPError(in, timeexceeded) -> [0] in_arp;

// ---- Outside -------------------------------------------------------------------------------------------------------

from_out :: FromDevice($OUTSIDE) -> co :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
to_out :: Queue(200) -> out_device :: ToDevice($OUTSIDE);
out_arp :: ARPQuerier(out) -> to_out;
out_route :: StaticIPLookup(out:ipnet 0, 0.0.0.0/0 $GW 0) -> [0] out_arp;

co[0] -> ARPResponder(out) -> to_out;
co[1] -> [1] out_arp;
co[2] -> Strip(14)
	-> CheckIPHeader(INTERFACES in:ipnet out:ipnet)
	-> outside :: IPClassifier(dst host out and (tcp or udp), dst host out and icmp type echo-reply,
		dst host out and icmp type echo, dst host out and icmp, -);
co[3], outside[4] -> Discard;

outside[0] -> [1] rw;
outside[1] -> [1] pings;
outside[2] -> ICMPPingResponder -> out_route;
outside[3] -> errors;

// ---- Departure -----------------------------------------------------------------------------------------------------

rw[0], pings[0] -> out_route;
rw[1], pings[1], errors -> dt_in :: DecIPTTL -> [0] in_arp;
dt_in[1] -> ICMPError(out, timeexceeded) -> errors_out :: ICMPRewriter($REWRITERS pings) -> out_route;

// ---- CPUs ----------------------------------------------------------------------------------------------------------

StaticThreadSched(from_in 0, out_device 0, from_out 1, in_device 1);
