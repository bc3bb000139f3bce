// dhcprelay.click: hosts of a Linux router's network get their addresses from a DHCP server of another one.
//
// Requests that hosts broadcast are sent on to the servers, with the network's name, and answers come back to the host that asked (RFC 1542,
// RFC 3046). All other packets are Linux's, the renewal of addresses too, for which hosts ask the server by themselves.
// The addresses are those that the devices have in Linux:
//
//     clickbpf load configs/dhcprelay.click SITE=enp1s0 SITE_ADDR=10.1.0.1/24 SITE_MAC=52:54:00:00:00:01 \
//         UPLINK=enp2s0 UP_ADDR=192.0.2.1/24 UP_MAC=52:54:00:00:00:02 VIA=192.0.2.254 SERVERS='10.9.0.2 10.9.0.3' CIRCUIT=floor1
//     clickbpf read asked.count answered.count
//
// Servers choose addresses by SITE_ADDR. With dnsmasq at 10.9.0.2, which has a route to the site:
//
//     dnsmasq --port=0 --dhcp-range=10.1.0.50,10.1.0.99,255.255.255.0,1h \
//         --dhcp-circuitid=set:here,floor1 --dhcp-option=tag:here,option:domain-name,floor1.example

define(
	$SITE eth0,  $SITE_ADDR 10.1.0.1/24,  $SITE_MAC 02:00:00:00:00:10,
	$UPLINK eth1,  $UP_ADDR 192.0.2.1/24,  $UP_MAC 02:00:00:00:01:10,
	$VIA 192.0.2.254,       // the next hop to servers that aren't at the uplink
	$SERVERS 10.9.0.2,
	$CIRCUIT site           // what servers learn of where requests come from
);

AddressInfo(site $SITE_ADDR $SITE_MAC, uplink $UP_ADDR $UP_MAC);

relay :: DHCPRelay(site, site, $SERVERS, CIRCUIT $CIRCUIT);

from_site :: FromDevice($SITE) -> cs :: Classifier(12/0800, -);
cs[0] -> MarkIPHeader(14) -> asks :: IPClassifier(udp dst port bootps and dst host 255.255.255.255, -);
asks[0] -> Strip(14) -> CheckIPHeader -> CheckUDPHeader -> asked :: Counter
	-> [0] relay [0] -> StaticIPLookup(uplink:ipnet 0, 0.0.0.0/0 $VIA 0)
	-> [0] arpq :: ARPQuerier(uplink) -> Queue -> ToDevice($UPLINK);

from_uplink :: FromDevice($UPLINK) -> cu :: Classifier(12/0806 20/0002, 12/0800, -);
cu[1] -> MarkIPHeader(14) -> answers :: IPClassifier(udp dst port bootps and dst host site, -);
answers[0] -> Strip(14) -> CheckIPHeader -> CheckUDPHeader
	-> [1] relay [1] -> answered :: Counter -> Queue -> ToDevice($SITE);

// Linux and arpq both want to know who answers to ARP.
cu[0] -> arp :: Tee -> [1] arpq;
arp[1], cs[1], cu[2], asks[1], answers[1] -> ToHost;
