// mobile-foreign.click: the foreign agent, in whose network a mobile host is a guest.
//
// The Click paper's router for mobile hosts (Figure 14), its foreign side; mobile-home.click is the other.  The guest has the
// address of its home network and believes itself there.  The foreign agent keeps up that belief:
//
//   - It answers every ARP query of the guest with its own Ethernet address, and so gets whatever the guest sends.
//   - It sends that home through the tunnel, IP in IP (RFC 2003); sent from here directly, packets with a foreign source
//     address would be refused by any router that checks them.
//   - What comes out of the tunnel it hands to the guest.
//
//     clickbpf load configs/papers/mobile-foreign.click VISIT=enp1s0 NET=enp2s0 MOBILE=10.0.0.9 HOME=192.0.2.1 ...

require(library lib/tunnel.click);

define(
	$VISIT eth0,  $VISIT_ADDR 172.16.0.1/24,  $VISIT_MAC 02:00:00:00:00:20,     // the network of the guest
	$NET eth1,  $NET_ADDR 192.0.2.2/24,  $NET_MAC 02:00:00:00:01:20,           // the Internet
	$HOME 192.0.2.1,                    // the home agent
	$VIA $HOME,                         // the next hop to it
	$MOBILE 10.0.0.9,  $MOBILE_HEX 0A000009     // the guest, and the same in hexadecimal
);

AddressInfo(visit $VISIT_ADDR $VISIT_MAC, uplink $NET_ADDR $NET_MAC);

// ---- The guest -----------------------------------------------------------------------------------------------------
//
// A host asks whether anybody else has its own address (RFC 5227) before it uses it; that question must not be answered.

FromDevice($VISIT) -> c :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
to_guest :: Queue -> ToDevice($VISIT);
arpq :: ARPQuerier(visit) -> to_guest;

c[0] -> own :: Classifier(38/$MOBILE_HEX, -);
own[0] -> Discard;
own[1] -> ARPResponder(0.0.0.0/0 $VISIT_MAC) -> to_guest;
c[1] -> [1] arpq;
c[3] -> Discard;

c[2] -> HostEtherFilter(visit)
	-> Strip(14)
	-> CheckIPHeader
	-> out :: IPClassifier(src host $MOBILE && not dst host $MOBILE, -);
out[1] -> Discard;

// ---- The tunnel ----------------------------------------------------------------------------------------------------

tunnel :: TunnelEnd($NET, uplink, $HOME, $VIA, 1480);

out[0] -> tunnel -> in :: IPClassifier(dst host $MOBILE, -);
in[0] -> arpq;
in[1] -> Discard;
tunnel[1] -> arpq;
