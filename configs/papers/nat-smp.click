// nat-smp.click: a NAT gateway on several CPUs, after the one of "Flexible Control of Parallelism in a Multiprocessor PC
// Router" (Chen and Morris, USENIX 2001, Figure 8).
//
// The paper's point: packets of both directions of a connection change the same flow, and so want the same CPU; the
// devices want one each.  Here the kernel has taken most of that over.  Each device's packets are rewritten on the CPU
// that receives them, and what a packet writes into its flow is at most the time, once in a millisecond.  The table is
// changed by the runtime alone, whose threads StaticThreadSched places; only first packets, ends of connections and
// errors come there.
//
//     clickbpf load -j 2 configs/papers/nat-smp.click INSIDE=enp2s0 OUTSIDE=enp1s0 ...

define(
	$INSIDE eth0,   $IN_ADDR 10.0.0.1/8,         $IN_MAC 02:00:00:00:00:10,
	$OUTSIDE eth1,  $OUT_ADDR 198.51.100.1/24,   $OUT_MAC 02:00:00:00:01:10,
	$GW 198.51.100.254,
	$FLOWS 1000000
);

AddressInfo(in $IN_ADDR $IN_MAC, out $OUT_ADDR $OUT_MAC);

rw :: IPRewriter(pattern out 1024-65535 - - 0 1, drop, MAPPING_CAPACITY $FLOWS);
pings :: ICMPPingRewriter(pattern out - 0-65535 0 1, drop, MAPPING_CAPACITY rw);
errors :: ICMPRewriter(rw pings);

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
dt_in[1] -> ICMPError(out, timeexceeded) -> errors_out :: ICMPRewriter(rw pings) -> out_route;

// ---- CPUs ----------------------------------------------------------------------------------------------------------

StaticThreadSched(from_in 0, out_device 0, from_out 1, in_device 1);
