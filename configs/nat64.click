// nat64.click: a network that has IPv6 only reaches servers that have IPv4 only.
//
// To its hosts, the server 198.51.100.7 is 64:ff9b::198.51.100.7 (RFC 6052): a DNS64, which is another's business, gives them such addresses
// for names that have no IPv6 address (RFC 6147). What they send there leaves as IPv4 from the one address that the gateway has (RFC 6146):
//
//     clickbpf load configs/nat64.click SITE=enp1s0 SITE_ADDR=2001:db8:1::1/64 SITE_MAC=52:54:00:00:00:01 \
//         NET=enp2s0 NET_ADDR=192.0.2.1/24 NET_MAC=52:54:00:00:00:02 VIA=192.0.2.254
//
// In three steps: AddressTranslator gives each host an IPv4 address that nobody outside sees, ProtocolTranslator64 makes IPv4 packets of
// IPv6 packets (RFC 7915), and the rewriters make the addresses one, as in nat.click. Connections go through the kernel, but for their first
// packets, fragments, and ICMP errors. Fragments are put together, as only the first has ports.
//
// What a host has behind one address and port is one address and port outside, whatever it talks to, and answers are let in from all
// addresses that it has sent to there (RFC 6146, 3.5). An IPv6 address has $EACH connections at most, so that it can't take all of them. A
// host may have many addresses, though, and on a link nothing tells whose they are: where hosts can't be trusted, give each a network of
// its own (RFC 8273), and with $SHARE let no network of 64 bits have all the addresses in between. It then has $SHARE times $EACH
// connections at most, which should be less than $FLOWS.

define(
	$SITE eth0,  $SITE_ADDR 2001:db8:1::1/64,  $SITE_MAC 02:00:00:00:00:10,
	$NET eth1,  $NET_ADDR 192.0.2.1/24,  $NET_MAC 02:00:00:00:01:10,
	$VIA 192.0.2.254,                   // the next hop to the Internet
	$PREFIX 64:ff9b::/96,               // what stands before servers' addresses: the well-known prefix, or one of your own
	$HOSTS ::ffff:100.64.0.0/116,       // the addresses in between (RFC 6598), one for each of the hosts' addresses
	$SHARE 0,                           // how many of these one network of 64 bits may have; 0 if all hosts share one
	$FLOWS 65536,  $EACH 4096,          // connections, all together and of one address
	$MTU 1500,  $MTU4 1480              // of both networks; and less 20 bytes, as IPv6's headers are longer
);

AddressInfo(site $SITE_ADDR $SITE_MAC, uplink $NET_ADDR $NET_MAC);

// ---- Translation ---------------------------------------------------------------------------------------------------

hosts :: AddressTranslator(0, true, false, false, $HOSTS, HOST_CAPACITY $SHARE);
to4 :: ProtocolTranslator64(PREFIX $PREFIX, FRAGMENTABLE true);
to6 :: ProtocolTranslator46(SRC $PREFIX);

nat :: IPRewriter(pattern uplink 1024-65535 - - 0 1, drop, MAPPING_CAPACITY $FLOWS, INDEPENDENT true, FILTER address, HOST_CAPACITY $EACH,
	TCP_TIMEOUT 7440, TCP_NODATA_TIMEOUT 240, TCP_DONE_TIMEOUT 240);
ping :: ICMPPingRewriter(pattern uplink - 0-65535 0 1, drop, MAPPING_CAPACITY nat, INDEPENDENT true, HOST_CAPACITY $EACH, TIMEOUT 60);
errors_in :: ICMPRewriter(nat ping);
errors_out :: ICMPRewriter(nat ping);

// ---- The site ------------------------------------------------------------------------------------------------------

FromDevice($SITE) -> c :: Classifier(12/86dd 20/3aff 54/85, 12/86dd 20/3aff 54/87, 12/86dd 20/3aff 54/88, 12/86dd, -);
to_site :: Queue -> ToDevice($SITE);
nd :: IP6NDSolicitor(site:ip6link, site) -> to_site;  nd[1] -> to_site;

c[0] -> IP6RouterAdvertiser(site:ip6link, site, PREFIX site:ip6net, MTU $MTU) -> to_site;
c[1] -> asks :: Tee -> IP6NDAdvertiser(site:ip6 site:ip6link site:eth) -> to_site;  asks[1] -> [1] nd;
c[2] -> [1] nd;
c[4] -> Discard;

// Packets for the gateway (pings), for servers with IPv4, and for others, which this gateway doesn't know.

c[3] -> HostEtherFilter(site)
	-> Strip(14)
	-> CheckIP6Header
	-> out :: StaticIP6Lookup(site:ip6 0, site:ip6link 0, $PREFIX 1, fe80::/10 3, ff00::/8 3, ::/0 2);
out[0] -> ICMP6PingResponder -> [0] nd;
out[1] -> ours :: IPClassifier(ip6 src net site:ip6net, -);
out[2] -> ICMP6Error(site, unreachable, 0) -> [0] nd;
out[3] -> Discard;

ours[0] -> hops :: DecIP6HLIM
	-> IP6Reassembler
	-> [0] hosts [0]
	-> to4
	-> servers :: IPClassifier(
		dst net 10.0.0.0/8 or dst net 172.16.0.0/12 or dst net 192.168.0.0/16 or dst net 100.64.0.0/10 or dst net 127.0.0.0/8
			or dst net 169.254.0.0/16 or dst net 224.0.0.0/3 or dst host uplink,   // no global addresses (RFC 6052, 3.1)
		tcp or udp, icmp type echo, icmp, -);
ours[1] -> forged :: Counter -> Discard;
hops[1] -> ICMP6Error(site, timeexceeded) -> [0] nd;

// What can't be translated is reported to its sender, unless it is ICMP (RFC 7915, 5.4): a routing header that isn't at its end by the place
// of the segments that are left (5.1).

to4[1] -> odd6 :: Classifier(6/3a, 6/2b !43/00, -);
odd6[0] -> Discard;
odd6[1] -> Paint(43, ICMP_PARAMPROB) -> ICMP6Error(site, parameterproblem) -> [1] hosts;
odd6[2] -> ICMP6Error(site, unreachable, 1) -> [1] hosts;

servers[0] -> private :: Counter -> Discard;
servers[1] -> [0] nat;
servers[2] -> [0] ping;
servers[3] -> errors_out;
servers[4] -> Discard;

// What has been put together is cut again, and nothing else is longer than the network permits.

nat[0], ping[0], errors_out[0] -> IPFragmenter($MTU, HONOR_DF false) -> way :: StaticIPLookup(uplink:ipnet 0, 0.0.0.0/0 $VIA 0)
	-> [0] arpq :: ARPQuerier(uplink);

// ---- The Internet --------------------------------------------------------------------------------------------------

FromDevice($NET) -> w :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
to_net :: Queue -> ToDevice($NET);
arpq -> to_net;

w[0] -> ARPResponder(uplink) -> to_net;
w[1] -> [1] arpq;
w[3] -> Discard;

w[2] -> Strip(14)
	-> CheckIPHeader
	-> mine :: IPClassifier(dst host uplink, -);
mine[0] -> ttl :: DecIPTTL
	-> IPReassembler
	-> length :: CheckLength($MTU4)
	-> answers :: IPClassifier(tcp or udp, icmp type echo-reply, icmp type echo, icmp, -);
mine[1] -> Discard;
ttl[1] -> ICMPError(uplink, timeexceeded) -> way;

// What is too long for the site is cut when it is IPv6, or reported to its sender if it must not be cut.

length[1] -> dont :: Classifier(6/40%40, -);
dont[0] -> ICMPError(uplink, unreachable, needfrag, PMTU $MTU4) -> way;
dont[1] -> answers;

answers[0] -> [1] nat;
answers[1] -> [1] ping;
answers[2] -> ICMPPingResponder -> way;
answers[3] -> errors_in;
answers[4] -> Discard;

// What can't be translated: a source route, or less than a header of TCP (RFC 7915, 4.4).

to6[1] -> odd4 :: Classifier(9/01, 0/45, -);
odd4[0] -> Discard;
odd4[1] -> ICMPError(uplink, unreachable, filterprohibited) -> errors_out;
odd4[2] -> ICMPError(uplink, unreachable, srcroutefail) -> errors_out;

nat[1], ping[1], errors_in[0] -> to6 -> [1] hosts [1] -> IP6Fragmenter($MTU, SPLIT true) -> back :: Counter -> [0] nd;

// Hosts that don't answer.

nd[2] -> ICMP6Error(site, unreachable, 3) -> [0] hosts;
