// tunnel-4in6.click: the gateway of a site that has IPv4, in a world that has IPv6 only.
//
// What the hosts of the site send to others travels as the contents of IPv6 packets to the other end of the tunnel (RFC 2473), which is
// a provider's router or another site's gateway:
//
//     clickbpf load configs/tunnel-4in6.click SITE=enp1s0 NET=enp2s0 SITE_ADDR=10.1.0.1/24 NET_ADDR=2001:db8:ff::1/64 PEER=2001:db8:ff::2 ...
//
// Anybody can send packets that claim to come from the peer: a tunnel is no protection. So only such come out that are for the site's
// network, and not from it.

define(
	$SITE eth0,  $SITE_ADDR 10.1.0.1/24,  $SITE_MAC 02:00:00:00:00:10,
	$NET eth1,  $NET_ADDR 2001:db8:ff::1/64,  $NET_MAC 02:00:00:00:01:10,
	$PEER 2001:db8:ff::2,               // the other end
	$VIA $PEER,                         // the next hop to it
	$MTU 1460                           // of the tunnel: of the device, less 40 bytes for the header
);

AddressInfo(site $SITE_ADDR $SITE_MAC, uplink $NET_ADDR $NET_MAC);

// ---- The site ------------------------------------------------------------------------------------------------------

FromDevice($SITE) -> c :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
to_site :: Queue -> ToDevice($SITE);
arpq :: ARPQuerier(site) -> to_site;

c[0] -> ARPResponder(site) -> to_site;
c[1] -> [1] arpq;
c[3] -> Discard;

// Packets of the site: to the gateway (pings), to others; what is for the site itself, or for all, stays there.

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
	-> to_peer :: IP6Encap(ipip, uplink:ip6, $PEER)
	-> sent :: Counter
	-> SetIP6Address($VIA)
	-> [0] nd :: IP6NDSolicitor(uplink:ip6link, uplink);

ttl[1] -> ICMPError(site, timeexceeded) -> [0] arpq;
fits[1] -> ICMPError(site, unreachable, needfrag, PMTU $MTU) -> [0] arpq;

// ---- The world -----------------------------------------------------------------------------------------------------

FromDevice($NET) -> w :: Classifier(12/86dd 20/3aff 54/87, 12/86dd 20/3aff 54/88, 12/86dd, -);
to_net :: Queue -> ToDevice($NET);
nd -> to_net;  nd[1] -> to_net;

w[0] -> asks :: Tee -> IP6NDAdvertiser(uplink:ip6 uplink:ip6link uplink:eth) -> to_net;  asks[1] -> [1] nd;
w[1] -> [1] nd;
w[3] -> Discard;

w[2] -> HostEtherFilter(uplink)
	-> Strip(14)
	-> CheckIP6Header
	-> mine :: IPClassifier(ip6 proto 4 && ip6 src host $PEER && ip6 dst host uplink, ip6 dst host uplink && icmp6 type 128, -);
mine[1] -> ICMP6PingResponder -> SetIP6Address($VIA) -> [0] nd;
mine[2] -> Discard;

mine[0] -> StripIP6Header
	-> CheckIPHeader
	-> in :: Counter
	-> to :: IPClassifier(dst net site:ipnet && !(src net site:ipnet), -);
to[1] -> forged :: Counter -> Discard;
to[0] -> here :: StaticIPLookup(site:ip/32 0, 0.0.0.0/0 1);
here[0] -> ICMPPingResponder -> to_peer;
here[1] -> in_ttl :: DecIPTTL -> [0] arpq;
in_ttl[1] -> ICMPError(site, timeexceeded) -> to_peer;
