// mobile-node.click: a mobile host that needs no foreign agent.
//
// The Click paper's router for mobile hosts (Figure 14), on the mobile host itself, whose one interface has an address of the
// network that it visits.  mobile-home.click is the other end.  Programs use the device mobile0, which has the address that the
// host has at home:
//
//   - What Linux sends there goes home through a tunnel, IP in IP (RFC 2003).
//   - What comes out of the tunnel is Linux's, as if it had arrived at mobile0.
//
//     clickbpf load configs/papers/mobile-node.click NET=wlan0 NET_ADDR=198.51.100.7/24 VIA=198.51.100.1 HOME=192.0.2.1 ...

require(library lib/tunnel.click);

define(
	$NET eth0,  $NET_ADDR 192.0.2.2/24,  $NET_MAC 02:00:00:00:01:20,       // the network that it visits
	$HOME 192.0.2.1,                    // the home agent
	$VIA $HOME,                         // the next hop to it
	$MOBILE 10.0.0.9,  $LENGTH 24       // its address at home, and the length of the home network's prefix
);

AddressInfo(uplink $NET_ADDR $NET_MAC);

FromHost(mobile0, $MOBILE/$LENGTH, TYPE IP, MTU 1480)
	-> tunnel :: TunnelEnd($NET, uplink, $HOME, $VIA, 1480)
	-> in :: IPClassifier(dst host $MOBILE, -);

in[0], tunnel[1] -> ToHost(mobile0, TYPE IP);
in[1] -> forged :: Counter -> Discard;
