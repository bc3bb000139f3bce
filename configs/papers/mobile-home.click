// mobile-home.click: the home agent of a host that is away.
//
// The Click paper's router for mobile hosts (Figure 14), its home side; mobile-foreign.click is the other.  A mobile host
// keeps its address wherever it is.  In its home network the home agent stands in for it:
//
//   - It answers ARP queries for the mobile host with its own Ethernet address (proxy ARP), and so gets the packets.
//   - It sends them through a tunnel to the foreign agent, IP in IP (RFC 2003).
//   - What the mobile host sends comes back through the tunnel, and enters the network here as if it were at home.
//
//     clickbpf load configs/papers/mobile-home.click HOME=enp1s0 NET=enp2s0 MOBILE=10.0.0.9 FOREIGN=192.0.2.2 ...

require(library lib/tunnel.click);

define(
	$HOME eth0,  $HOME_ADDR 10.0.0.1/24,  $HOME_MAC 02:00:00:00:00:10,      // the home network
	$NET eth1,  $NET_ADDR 192.0.2.1/24,  $NET_MAC 02:00:00:00:01:10,       // the Internet
	$FOREIGN 192.0.2.2,                 // the foreign agent
	$VIA $FOREIGN,                      // the next hop to it
	$MOBILE 10.0.0.9                    // the mobile host
);

AddressInfo(home $HOME_ADDR $HOME_MAC, uplink $NET_ADDR $NET_MAC);

// ---- The home network ----------------------------------------------------------------------------------------------

FromDevice($HOME) -> c :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
to_home :: Queue -> ToDevice($HOME);
arpq :: ARPQuerier(home) -> to_home;

c[0] -> ARPResponder(home, $MOBILE $HOME_MAC) -> to_home;
c[1] -> [1] arpq;
c[3] -> Discard;

c[2] -> HostEtherFilter(home)
	-> Strip(14)
	-> CheckIPHeader(INTERFACES home:ipnet)
	-> in :: IPClassifier(dst host $MOBILE, dst host home, -);
in[1] -> ICMPPingResponder -> arpq;
in[2] -> Discard;

// ---- The tunnel ----------------------------------------------------------------------------------------------------

tunnel :: TunnelEnd($NET, uplink, $FOREIGN, $VIA, 1480);

in[0] -> tunnel -> back :: IPClassifier(src host $MOBILE, -);
back[0] -> arpq;
back[1] -> forged :: Counter -> Discard;
tunnel[1] -> arpq;                      // reports to senders whose packets are too long for the tunnel
