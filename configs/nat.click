// nat.click: a home gateway.  A network of private addresses uses the Internet by the one address that the gateway has.
//
//     clickbpf load configs/nat.click INSIDE=enp2s0 IN_ADDR=192.168.0.1/24 IN_MAC=52:54:00:00:00:01 \
//         OUTSIDE=enp1s0 OUT_ADDR=198.51.100.1/24 OUT_MAC=52:54:00:00:00:02 GW=198.51.100.254
//
// Connections that go through it are translated in the kernel, and so are errors about their packets.  The first packets of
// each and PORT commands of FTP are the runtime's.  Give the devices the same IP addresses in Linux, and turn Linux's own
// forwarding off (sysctl net.ipv4.ip_forward=0): what is for the gateway itself goes to Linux.  DHCP does too, on both
// sides, so that Linux can be the client of a provider and the server of the house.

define(
	$INSIDE eth0,   $IN_ADDR 192.168.0.1/24,     $IN_MAC 02:00:00:00:00:10,
	$OUTSIDE eth1,  $OUT_ADDR 198.51.100.1/24,   $OUT_MAC 02:00:00:00:01:10,
	$GW 198.51.100.254,                             // the next hop to the Internet
	$FLOWS 65536                                    // connections, all together
);

AddressInfo(in $IN_ADDR $IN_MAC, out $OUT_ADDR $OUT_MAC);

// ---- Translation ---------------------------------------------------------------------------------------------------
//
// Input 0 is for what comes from inside, input 1 for what comes from outside; output 0 leads outside, output 1 inside, and
// what belongs to no known connection leaves by output 2, to Linux.  The ports are others than those of Linux's own
// connections (sysctl net.ipv4.ip_local_port_range), which have the same address.

nat :: IPRewriter(pattern out 1024-32767 - - 0 1, pass 2, MAPPING_CAPACITY $FLOWS);
ping :: ICMPPingRewriter(pattern out - 0-65535 0 1, pass 2, MAPPING_CAPACITY nat);
errors_in :: ICMPRewriter(nat ping);
errors_out :: ICMPRewriter(nat ping);

// ---- Arrival -------------------------------------------------------------------------------------------------------

host :: ToHost;
to_linux :: Unstrip(14) -> host;

in_queue :: Queue(1000) -> ToDevice($INSIDE);
out_queue :: Queue(1000) -> ToDevice($OUTSIDE);
in_arp :: ARPQuerier(in) -> in_queue;
out_arp :: ARPQuerier(out) -> out_queue;

from_in :: FromDevice($INSIDE) -> ci :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
from_out :: FromDevice($OUTSIDE) -> co :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);

ci[0] -> ARPResponder(in) -> in_queue;
co[0] -> ARPResponder(out) -> out_queue;
ci[1] -> in_replies :: Tee -> [1] in_arp;
co[1] -> out_replies :: Tee -> [1] out_arp;
in_replies[1] -> host;
out_replies[1] -> host;
ci[3] -> host;
co[3] -> host;

// ---- From inside ---------------------------------------------------------------------------------------------------

inside :: IPClassifier(
	udp dst port bootps,                                          // DHCP, also from hosts that have no address yet
	dst host in or dst host in:bcast or dst host 255.255.255.255, // the gateway itself
	not src net in:ipnet,                                         // forged
	tcp dst port ftp, tcp or udp, icmp type echo, icmp, -);

ci[2] -> Strip(14) -> CheckIPHeader -> inside;
inside[0], inside[1] -> to_linux;
inside[2] -> forged :: Counter -> Discard;
inside[3] -> ftp_ttl :: DecIPTTL -> CheckTCPHeader -> FTPPortMapper(nat, nat, 0) -> [0] nat;
inside[4] -> nat_ttl :: DecIPTTL -> [0] nat;
inside[5] -> ping_ttl :: DecIPTTL -> [0] ping;
inside[6] -> DecIPTTL -> errors_out;
inside[7] -> other :: Counter -> Discard;

// The gateway is a hop like any other.
ftp_ttl[1], nat_ttl[1], ping_ttl[1] -> ICMPError(in, timeexceeded) -> [0] in_arp;

// ---- From outside --------------------------------------------------------------------------------------------------
//
// Only what has been asked for comes in.

outside :: IPClassifier(udp dst port bootpc, dst host out and (tcp or udp), dst host out and icmp type echo-reply,
	dst host out and icmp type unreachable or sourcequench or redirect or timeexceeded or parameterproblem, -);

co[2] -> Strip(14) -> CheckIPHeader -> outside;
outside[0] -> to_linux;
outside[1] -> [1] nat;
outside[2] -> [1] ping;
outside[3] -> errors_in;
outside[4] -> to_linux;

nat[2], ping[2], errors_in[1] -> to_linux;

// ---- Departure -----------------------------------------------------------------------------------------------------
//
// Packets know by their destination annotation where they go, which the rewriters set.  An error about a packet that has been
// translated already is translated back, like those of other routers.

nat[0], ping[0], errors_out[0] -> out_route :: StaticIPLookup(out:ipnet 0, 0.0.0.0/0 $GW 0) -> [0] out_arp;
errors_out[1] -> Discard;

nat[1], ping[1], errors_in[0] -> in_ttl :: DecIPTTL -> [0] in_arp;
in_ttl[1] -> ICMPError(out, timeexceeded) -> errors_out;
