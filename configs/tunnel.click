// tunnel.click: the gateway of a site, joined to another site by an IP-in-IP tunnel.
//
// The hosts of the site have the gateway as their router.  What they send to the other site's network travels there as the
// contents of packets from gateway to gateway (RFC 2003), whatever lies between.  The other site runs the same file with
// the values the other way round:
//
//     clickbpf load configs/tunnel.click SITE=enp1s0 NET=enp2s0
//     clickbpf load configs/tunnel.click SITE_ADDR=10.2.0.1/24 REMOTE=10.1.0.0/24 NET_ADDR=192.0.2.2/24 PEER=192.0.2.1 ...
//
// Anybody can send packets that claim to come from the peer: a tunnel is no protection.  So only such come out that are
// from the other site's network to this one's.

require(library papers/lib/tunnel.click);

define(
	$SITE eth0,  $SITE_ADDR 10.1.0.1/24,  $SITE_MAC 02:00:00:00:00:10,
	$NET eth1,  $NET_ADDR 192.0.2.1/24,  $NET_MAC 02:00:00:00:01:10,
	$PEER 192.0.2.2,                    // the other gateway
	$VIA $PEER,                         // the next hop to it
	$REMOTE 10.2.0.0/24                 // the other site's network
);

AddressInfo(site $SITE_ADDR $SITE_MAC, uplink $NET_ADDR $NET_MAC);

FromDevice($SITE) -> c :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
to_site :: Queue -> ToDevice($SITE);
arpq :: ARPQuerier(site) -> to_site;

c[0] -> ARPResponder(site) -> to_site;
c[1] -> [1] arpq;
c[3] -> Discard;

c[2] -> HostEtherFilter(site)
	-> Strip(14)
	-> CheckIPHeader(INTERFACES site:ipnet)
	-> out :: IPClassifier(src net site:ipnet && dst net $REMOTE, dst host site, -);
out[1] -> ICMPPingResponder -> arpq;
out[2] -> ICMPError(site, unreachable, net) -> arpq;

tunnel :: TunnelEnd($NET, uplink, $PEER, $VIA, 1480);

out[0] -> ttl :: DecIPTTL -> tunnel -> in :: IPClassifier(src net $REMOTE && dst net site:ipnet, -);
ttl[1] -> ICMPError(site, timeexceeded) -> arpq;
tunnel[1] -> arpq;

in[0] -> in_ttl :: DecIPTTL -> arpq;
in[1] -> forged :: Counter -> Discard;
in_ttl[1] -> Discard;
