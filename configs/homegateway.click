// homegateway.click: between a house and its provider, for IPv4 and IPv6.
//
// The house has private IPv4 addresses behind the one that the provider gives (NAT, as in nat.click), and IPv6 addresses of its own from the
// prefix that the provider delegates, which is given by hand. In either family nothing comes in but what was asked for. The gateway
// announces the prefix, so that hosts make themselves addresses (RFC 4862), and says where names are resolved (RFC 8106):
//
//     clickbpf load configs/homegateway.click INSIDE=enp2s0 IN_ADDR=192.168.0.1/24 IN_MAC=52:54:00:00:00:01 \
//         DELEGATED=2001:db8:100::/56 IN_ADDR6=2001:db8:100::1/64 DNS6=2001:db8:53::53 \
//         OUTSIDE=enp1s0 OUT_ADDR=198.51.100.1/24 OUT_MAC=52:54:00:00:00:02 GW=198.51.100.254 \
//         OUT_ADDR6=2001:db8:0:1::2/64 GW6=2001:db8:0:1::1
//
// Connections of both families go through the kernel, with ICMP errors about them; their first packets and fragments from outside are
// the runtime's.
// Give the devices the same IPv4 addresses in Linux, and turn Linux's own forwarding off (sysctl net.ipv4.ip_forward=0): IPv4 packets for
// the gateway itself go to Linux. DHCP does too, on both sides, so that Linux can be the client of the provider and the server of the house.
// Linux needs no IPv6 addresses there: the gateway answers pings by itself, and refuses all else.
//
// IPv6 follows RFC 6092 (what may come in), RFC 7084 (what a gateway owes the house) and RFC 4890 (which ICMPv6 messages pass).

define(
	$INSIDE eth0,   $IN_ADDR 192.168.0.1/24,     $IN_MAC 02:00:00:00:00:10,
	$OUTSIDE eth1,  $OUT_ADDR 198.51.100.1/24,   $OUT_MAC 02:00:00:00:01:10,
	$GW 198.51.100.254,                     // the next hop to the Internet
	$DELEGATED 2001:db8:100::/56,           // the house's prefix,
	$IN_ADDR6 2001:db8:100::1/64,           // the gateway's address, and the part of the prefix that the house uses
	$OUT_ADDR6 2001:db8:0:1::2/64,  $GW6 2001:db8:0:1::1,   // as for IPv4; the next hop may be link-local
	$DNS6 2001:db8:53::53,                  // who resolves names for the hosts
	$FLOWS 65536,  $EACH 8192,              // connections, of each family; of one host with IPv4, so that it can't take all
	$MTU 1500,  $ADVERTISE true
);

AddressInfo(in $IN_ADDR $IN_ADDR6 $IN_MAC, out $OUT_ADDR $OUT_ADDR6 $OUT_MAC);

// ---- Arrival -------------------------------------------------------------------------------------------------------

host :: ToHost;
to_linux :: Unstrip(14) -> host;

in_queue :: Queue(1000) -> ToDevice($INSIDE);
out_queue :: Queue(1000) -> ToDevice($OUTSIDE);
in_arp :: ARPQuerier(in) -> in_queue;
out_arp :: ARPQuerier(out) -> out_queue;

from_in :: FromDevice($INSIDE) -> ci :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, 12/86dd, -);
from_out :: FromDevice($OUTSIDE) -> co :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, 12/86dd, -);

ci[0] -> ARPResponder(in) -> in_queue;
co[0] -> ARPResponder(out) -> out_queue;
ci[1] -> in_replies :: Tee -> [1] in_arp;
co[1] -> out_replies :: Tee -> [1] out_arp;
in_replies[1] -> host;
out_replies[1] -> host;
ci[4] -> host;
co[4] -> host;

// ---- IPv4: translation ---------------------------------------------------------------------------------------------
//
// Input 0 is for what comes from inside, input 1 for what comes from outside; output 0 leads outside, output 1 inside, and what belongs to
// no known connection leaves by output 2, to Linux. The ports are others than those of Linux's own connections, which have the same address.

nat :: IPRewriter(pattern out 1024-32767 - - 0 1, pass 2, MAPPING_CAPACITY $FLOWS, HOST_CAPACITY $EACH);
ping :: ICMPPingRewriter(pattern out - 0-65535 0 1, pass 2, MAPPING_CAPACITY nat, HOST_CAPACITY $EACH);
errors_in :: ICMPRewriter(nat ping);
errors_out :: ICMPRewriter(nat ping);

inside :: IPClassifier(
	udp dst port bootps,                                          // DHCP, also from hosts that have no address yet
	dst host in or dst host in:bcast or dst host 255.255.255.255, // the gateway itself
	not src net in:ipnet,                                         // forged
	tcp or udp, icmp type echo, icmp, -);

ci[2] -> Strip(14) -> CheckIPHeader -> inside;
inside[0], inside[1] -> to_linux;
inside[2] -> forged :: Counter -> Discard;
inside[3] -> nat_ttl :: DecIPTTL -> [0] nat;
inside[4] -> ping_ttl :: DecIPTTL -> [0] ping;
inside[5] -> DecIPTTL -> errors_out;
inside[6] -> other :: Counter -> Discard;

nat_ttl[1], ping_ttl[1] -> ICMPError(in, timeexceeded) -> [0] in_arp;

outside :: IPClassifier(udp dst port bootpc, dst host out and (tcp or udp), dst host out and icmp type echo-reply,
	dst host out and icmp type unreachable or sourcequench or redirect or timeexceeded or parameterproblem, -);

co[2] -> Strip(14) -> CheckIPHeader -> outside;
outside[0] -> to_linux;
outside[1] -> [1] nat;
outside[2] -> [1] ping;
outside[3] -> errors_in;
outside[4] -> to_linux;

nat[2], ping[2], errors_in[1] -> to_linux;

nat[0], ping[0], errors_out[0] -> out_route :: StaticIPLookup(out:ipnet 0, 0.0.0.0/0 $GW 0) -> [0] out_arp;
errors_out[1] -> Discard;

nat[1], ping[1], errors_in[0] -> in_ttl :: DecIPTTL -> [0] in_arp;
in_ttl[1] -> ICMPError(out, timeexceeded) -> errors_out;

// ---- IPv6: neighbours ----------------------------------------------------------------------------------------------
//
// The gateway is a router to the house, with advertisements, and one host of many to the provider.

in_nd :: IP6NDSolicitor(in:ip6link, in) -> in_queue;  in_nd[1] -> in_queue;
out_nd :: IP6NDSolicitor(out:ip6link, out) -> out_queue;  out_nd[1] -> out_queue;

ci[3] -> MarkIP6Header(14) -> ci6 :: IPClassifier(icmp6 type 133 && ip6 hlim 255, icmp6 type 135 && ip6 hlim 255,
	icmp6 type 136 && ip6 hlim 255, -);
co[3] -> MarkIP6Header(14) -> co6 :: IPClassifier(icmp6 type 135 && ip6 hlim 255, icmp6 type 136 && ip6 hlim 255, -);

ci6[0] -> IP6RouterAdvertiser(in:ip6link, in, PREFIX in:ip6net, RDNSS $DNS6, MTU $MTU, ACTIVE $ADVERTISE) -> in_queue;
ci6[1] -> in_asks :: Tee -> IP6NDAdvertiser(in:ip6 in:ip6link in:eth) -> in_queue;  in_asks[1] -> [1] in_nd;
ci6[2] -> [1] in_nd;
co6[0] -> out_asks :: Tee -> IP6NDAdvertiser(out:ip6 out:ip6link out:eth) -> out_queue;  out_asks[1] -> [1] out_nd;
co6[1] -> [1] out_nd;

// ---- IPv6: the filter ----------------------------------------------------------------------------------------------
//
// Flows begin inside. Besides them, IPsec and its keys come in (RFC 6092, 3.2.4), and pings (RFC 4890, 4.3.1): they ask for no more than
// whether a host is there, whose address nobody guesses. Unique local addresses (RFC 4193) stay where they are.

filter :: IP6FlowFilter(CAPACITY $FLOWS);

// From inside: to the gateway itself; within the house; to parts of the prefix that nobody has (RFC 7084, 4.2, WPD-5: such packets would
// go back and forth between provider and gateway); to the Internet.

ci6[3] -> Paint(1) -> Strip(14) -> CheckIP6Header -> out6 :: StaticIP6Lookup(
	in:ip6 0,  in:ip6link 0,  out:ip6 0,
	in:ip6net 1,  fe80::/10 1,  ff00::/8 1,  ::/128 1,
	$DELEGATED 2,  fc00::/7 2,
	out:ip6net 3,
	::/0 $GW6 3);

out6[0] -> in_ping :: ICMP6PingResponder -> [0] in_nd;
out6[1] -> Discard;
out6[2] -> ICMP6Error(in, unreachable, 0) -> [0] in_nd;
out6[3] -> ours :: IPClassifier(ip6 src net in:ip6net, ip6 src net fe80::/10, -);

ours[0] -> out_hops :: DecIP6HLIM -> [0] filter [0] -> out_big :: CheckLength($MTU) -> [0] out_nd;
ours[1] -> Discard;                                                 // addresses of the link stay there
ours[2] -> forged6 :: Counter -> ICMP6Error(in, unreachable, 5) -> [0] in_nd;

out_hops[1] -> ICMP6Error(in, timeexceeded) -> [0] in_nd;
out_big[1] -> ICMP6Error(in, packettoobig, PMTU $MTU) -> [0] in_nd;
out_nd[2] -> ICMP6Error(in, unreachable, 3) -> [0] in_nd;

// From outside: to the gateway, and to the house, but not from it.

co6[2] -> Paint(2) -> Strip(14) -> CheckIP6Header -> in6 :: StaticIP6Lookup(
	out:ip6 0,  out:ip6link 0,  in:ip6 0,
	in:ip6net 1,
	$DELEGATED 2,
	::/0 3);

in6[0] -> back :: ICMP6PingResponder -> way6 :: StaticIP6Lookup(out:ip6net 0, fe80::/10 0, ::/0 $GW6 0) -> [0] out_nd;
in6[1] -> theirs :: IPClassifier(ip6 src net $DELEGATED or ip6 src net fc00::/7 or ip6 src net fe80::/10 or ip6 src host ::, -);
in6[2] -> ICMP6Error(out, unreachable, 0) -> way6;
in6[3] -> Discard;

theirs[0] -> forged6_out :: Counter -> Discard;
theirs[1] -> whole :: IP6Reassembler -> in_hops :: DecIP6HLIM
	-> always :: IPClassifier(icmp6 type 128, ip6 proto 50 or ip6 proto 51 or (udp && dst port 500), -);

always[0], always[1] -> asked :: Null -> in_big :: IP6Fragmenter($MTU, SPLIT true) -> [0] in_nd;
always[2] -> [1] filter [1] -> asked;
filter[2] -> refused :: ICMP6Error(out, unreachable, 1) -> way6;    // "administratively prohibited"

in_hops[1] -> ICMP6Error(out, timeexceeded) -> way6;
whole[1] -> ICMP6Error(out, timeexceeded, 1) -> way6;
in_nd[2] -> ICMP6Error(out, unreachable, 3) -> way6;
