// tunnel-gre6.click: the gateway of a site that has IPv4 and IPv6, in a world that has IPv6 only.
//
// What the hosts of the site send to others travels as the contents of GRE packets (RFC 2784) over IPv6 (RFC 7676) to the other end of the
// tunnel, which is another site's gateway, or Linux:
//
//     clickbpf load configs/tunnel-gre6.click SITE=enp1s0 NET=enp2s0 SITE_ADDR=10.1.0.1/24 SITE_ADDR6=2001:db8:1::1/64 \
//         NET_ADDR=2001:db8:ff::1/64 PEER=2001:db8:ff::2 KEY=77 ...
//     ip link add gre6 type ip6gre local 2001:db8:ff::2 remote 2001:db8:ff::1 key 77         (at the other end)
//
// The key says which tunnel it is, and keeps nobody out: anybody can send packets that claim to come from the peer. So only such come out
// that are for the site's networks, and not from them.

define(
	$SITE eth0,  $SITE_ADDR 10.1.0.1/24,  $SITE_ADDR6 2001:db8:1::1/64,  $SITE_MAC 02:00:00:00:00:10,
	$NET eth1,  $NET_ADDR 2001:db8:ff::1/64,  $NET_MAC 02:00:00:00:01:10,
	$PEER 2001:db8:ff::2,               // the other end
	$VIA $PEER,                         // the next hop to it
	$KEY 0,                             // of the tunnel
	$MTU 1452,                          // of the tunnel: of the device, less 48 bytes for the headers
	$ADVERTISE true                     // whether the gateway announces itself to IPv6 hosts
);

AddressInfo(site $SITE_ADDR $SITE_ADDR6 $SITE_MAC, uplink $NET_ADDR $NET_MAC);

// ---- The site ------------------------------------------------------------------------------------------------------

FromDevice($SITE) -> c :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, 12/86dd, -);
to_site :: Queue -> ToDevice($SITE);
arpq :: ARPQuerier(site) -> to_site;
site_nd :: IP6NDSolicitor(site:ip6link, site) -> to_site;  site_nd[1] -> to_site;

c[0] -> ARPResponder(site) -> to_site;
c[1] -> [1] arpq;
c[4] -> Discard;

// IPv4 packets of the site: to the gateway (pings), to others; what is for the site itself, or for all, stays there.

c[2] -> HostEtherFilter(site)
	-> Strip(14)
	-> CheckIPHeader
	-> out :: StaticIPLookup(site:ip/32 0, site:ipnet 1, 224.0.0.0/3 1, 0.0.0.0/0 2);
out[0] -> ICMPPingResponder -> [0] arpq;
out[1] -> Discard;
out[2] -> ours :: IPClassifier(src net site:ipnet, -);
ours[1] -> Discard;
ours[0] -> ttl :: DecIPTTL
	-> fits :: IPFragmenter($MTU)
	-> to_peer :: GREEncap(0x0800, KEY $KEY)
	-> wrap :: IP6Encap(gre, uplink:ip6, $PEER)
	-> sent :: Counter
	-> SetIP6Address($VIA)
	-> [0] nd :: IP6NDSolicitor(uplink:ip6link, uplink);

ttl[1] -> ICMPError(site, timeexceeded) -> [0] arpq;
fits[1] -> ICMPError(site, unreachable, needfrag, PMTU $MTU) -> [0] arpq;

// The same for IPv6, which has neighbour discovery beside it.

c[3] -> MarkIP6Header(14) -> c6 :: IPClassifier(icmp6 type 133 && ip6 hlim 255, icmp6 type 135 && ip6 hlim 255,
	icmp6 type 136 && ip6 hlim 255, -);
c6[0] -> IP6RouterAdvertiser(site:ip6link, site, PREFIX site:ip6net, MTU $MTU, ACTIVE $ADVERTISE) -> to_site;
c6[1] -> site_asks :: Tee -> IP6NDAdvertiser(site:ip6 site:ip6link site:eth) -> to_site;  site_asks[1] -> [1] site_nd;
c6[2] -> [1] site_nd;
c6[3] -> HostEtherFilter(site)
	-> Strip(14)
	-> CheckIP6Header
	-> out6 :: StaticIP6Lookup(site:ip6 0, site:ip6link 0, site:ip6net 1, fe80::/10 1, ff00::/8 1, ::/128 1, ::/0 2);
out6[0] -> ICMP6PingResponder -> [0] site_nd;
out6[1] -> Discard;
out6[2] -> ours6 :: IPClassifier(ip6 src net site:ip6net, -);
ours6[1] -> Discard;
ours6[0] -> hops :: DecIP6HLIM
	-> fits6 :: CheckLength($MTU)
	-> to_peer6 :: GREEncap(0x86dd, KEY $KEY)
	-> wrap;

hops[1] -> ICMP6Error(site, timeexceeded) -> [0] site_nd;
fits6[1] -> ICMP6Error(site, packettoobig, PMTU $MTU) -> [0] site_nd;

// ---- The world -----------------------------------------------------------------------------------------------------

FromDevice($NET) -> w :: Classifier(12/86dd 20/3aff 54/87, 12/86dd 20/3aff 54/88, 12/86dd, -);
to_net :: Queue -> ToDevice($NET);
nd -> to_net;  nd[1] -> to_net;

w[0] -> asks :: Tee -> IP6NDAdvertiser(uplink:ip6 uplink:ip6link uplink:eth) -> to_net;  asks[1] -> [1] nd;
w[1] -> [1] nd;
w[3] -> Discard;

// Linux puts an extension header before GRE's, that says how often a packet may be wrapped (RFC 2473, 4.1.1).

w[2] -> HostEtherFilter(uplink)
	-> Strip(14)
	-> CheckIP6Header
	-> mine :: IPClassifier(ip6 proto 47 && ip6 src host $PEER && ip6 dst host uplink, ip6 dst host uplink && icmp6 type 128, -);
mine[1] -> ICMP6PingResponder -> SetIP6Address($VIA) -> [0] nd;
mine[2] -> Discard;

mine[0] -> StripIP6Header
	-> gre :: CheckGREHeader(KEY $KEY)
	-> in :: Counter
	-> what :: Classifier(2/0800, 2/86dd, -);
what[2] -> Discard;

what[0] -> StripGREHeader
	-> CheckIPHeader
	-> to :: IPClassifier(dst net site:ipnet && !(src net site:ipnet), -);
to[1] -> forged :: Counter -> Discard;
to[0] -> here :: StaticIPLookup(site:ip/32 0, 0.0.0.0/0 1);
here[0] -> ICMPPingResponder -> to_peer;
here[1] -> in_ttl :: DecIPTTL -> [0] arpq;
in_ttl[1] -> ICMPError(site, timeexceeded) -> to_peer;

what[1] -> StripGREHeader
	-> CheckIP6Header
	-> to6 :: IPClassifier(ip6 dst net site:ip6net && !(ip6 src net site:ip6net or ip6 src net fe80::/10 or ip6 src host ::), -);
to6[1] -> forged;
to6[0] -> here6 :: StaticIP6Lookup(site:ip6 0, ::/0 1);
here6[0] -> ICMP6PingResponder -> to_peer6;
here6[1] -> in_hops :: DecIP6HLIM -> [0] site_nd;
in_hops[1] -> ICMP6Error(site, timeexceeded) -> to_peer6;
site_nd[2] -> ICMP6Error(site, unreachable, 3) -> to_peer6;
