// tunnel-6in4.click: the gateway of a site that has IPv6, in a world that has IPv4 only.
//
// The hosts of the site make themselves addresses of what the gateway advertises, and have it as their IPv6 router.  What they send
// to others travels as the contents of IPv4 packets to the other end of the tunnel (RFC 4213), which is a tunnel broker's
// router or another site's gateway:
//
//     clickbpf load configs/tunnel-6in4.click SITE=enp1s0 NET=enp2s0 SITE_ADDR=2001:db8:1::1/64 PEER=192.0.2.2 ...
//
// Anybody can send packets that claim to come from the peer: a tunnel is no protection.  So only such come out that are for the site's
// network, and not from it.

define(
	$SITE eth0,  $SITE_ADDR 2001:db8:1::1/64,  $SITE_MAC 02:00:00:00:00:10,
	$NET eth1,  $NET_ADDR 192.0.2.1/24,  $NET_MAC 02:00:00:00:01:10,
	$PEER 192.0.2.2,                    // the other end
	$VIA $PEER,                         // the next hop to it
	$MTU 1480                           // of the tunnel: of the device, less 20 bytes for the header (RFC 4213, 3.2)
);

AddressInfo(site $SITE_ADDR $SITE_MAC, uplink $NET_ADDR $NET_MAC);

// ---- The site ------------------------------------------------------------------------------------------------------

FromDevice($SITE) -> c :: Classifier(12/86dd 20/3aff 54/85, 12/86dd 20/3aff 54/87, 12/86dd 20/3aff 54/88, 12/86dd, -);
to_site :: Queue -> ToDevice($SITE);
nd :: IP6NDSolicitor(site:ip6link, site) -> to_site;  nd[1] -> to_site;

c[0] -> ra :: IP6RouterAdvertiser(site:ip6link, site, PREFIX site:ip6net, MTU $MTU) -> to_site;
c[1] -> asks :: Tee -> IP6NDAdvertiser(site:ip6 site:ip6link site:eth) -> to_site;  asks[1] -> [1] nd;
c[2] -> [1] nd;
c[4] -> Discard;

// Packets of the site: to the gateway (pings), to others; what is from or to an address of the link, or nobody's, stays there, as do groups.

c[3] -> HostEtherFilter(site)
	-> Strip(14)
	-> CheckIP6Header
	-> out :: StaticIP6Lookup(site:ip6 0, site:ip6link 0, site:ip6net 1, fe80::/10 1, ff00::/8 1, ::/0 2);
out[0] -> ICMP6PingResponder -> [0] nd;
out[1] -> Discard;
out[2] -> ours :: IPClassifier(ip6 src net fe80::/10 or ip6 src host ::, -);
ours[0] -> Discard;
ours[1] -> hops :: DecIP6HLIM
	-> fits :: CheckLength($MTU)
	-> to_peer :: IPEncap(41, uplink, $PEER)
	-> sent :: Counter
	-> SetIPAddress($VIA)
	-> [0] arpq :: ARPQuerier(uplink);

hops[1] -> ICMP6Error(site, timeexceeded) -> [0] nd;
fits[1] -> ICMP6Error(site, packettoobig, PMTU $MTU) -> [0] nd;

// ---- The world -----------------------------------------------------------------------------------------------------

FromDevice($NET) -> w :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
to_net :: Queue -> ToDevice($NET);
arpq -> to_net;

w[0] -> ARPResponder(uplink) -> to_net;
w[1] -> [1] arpq;
w[3] -> Discard;

w[2] -> Strip(14)
	-> CheckIPHeader
	-> mine :: IPClassifier(ip proto 41 && src host $PEER && dst host uplink, dst host uplink && icmp type echo, -);
mine[1] -> ICMPPingResponder -> SetIPAddress($VIA) -> [0] arpq;
mine[2] -> Discard;

mine[0] -> StripIPHeader
	-> CheckIP6Header
	-> in :: Counter
	-> to :: IPClassifier(ip6 dst net site:ip6net && !(ip6 src net site:ip6net) && !(ip6 src net fe80::/10 or ip6 src host ::), -);
to[0] -> here :: StaticIP6Lookup(site:ip6 0, ::/0 1);
to[1] -> forged :: Counter -> Discard;
here[0] -> ICMP6PingResponder -> to_peer;
here[1] -> in_hops :: DecIP6HLIM -> [0] nd;
in_hops[1] -> ICMP6Error(site, timeexceeded) -> to_peer;
