// vpn-qos.click: the VPN gateway, with a class of packets that goes first.
//
// From the multiprocessor Click paper, Figure 10: quality of service together with encryption.  What a packet is can only be
// known before it is encrypted, and an encrypted one must not wait behind others that should have let it pass.  So packets
// are classified, queued and scheduled in front of the tunnel, at the rate of the link behind it: voice and the like
// (the DSCP for expedited forwarding, 46) before everything else.
//
//     clickbpf load -n vpn configs/papers/vpn-qos.click ETH0=enp1s0 ETH1=enp2s0 LINK=10Mbps PEER=... OUT_CIPHER=... ...
//     clickbpf read -r vpn into/bulk.drops

require(library lib/esp.click);

define(
	$ETH0 eth0,  $ADDR0 192.0.2.1/24,  $MAC0 02:00:00:00:00:10,  $MTU0 1500,  // outside
	$ETH1 eth1,  $ADDR1 10.1.0.1/24,  $MAC1 02:00:00:00:01:10,  $MTU1 1500,   // the site
	$PEER 192.0.2.2,  $REMOTE 10.2.0.0/24,      // the other gateway, and the network behind it
	$GW $PEER,                                  // the next hop to everybody outside
	$LINK 10Mbps,                               // how fast the link outside is, for packets before encryption
	$OUT_SPI 0x1001,
	$OUT_CIPHER 0123456789abcdef23456789abcdef01456789abcdef0123,
	$OUT_DIGEST 000102030405060708090a0b0c0d0e0f10111213,
	$IN_SPI 0x1002,
	$IN_CIPHER fedcba9876543210dcba9876543210feba9876543210fedc,
	$IN_DIGEST 101112131415161718191a1b1c1d1e1f20212223,
	$TUNNEL_MTU 1446                            // what fits into a packet of MTU0 with all that ESP adds
);

elementclass IntoTunnel {
	input -> class :: IPClassifier(ip dscp 46, -);
	class[0] -> voice :: Queue(50) -> [0] first :: PrioSched;
	class[1] -> bulk :: Queue(200) -> [1] first;
	first -> BandwidthShaper($LINK)
		-> Unqueue
		-> ESPOut3DES($OUT_SPI, $OUT_CIPHER, $OUT_DIGEST)
		-> output;
}

elementclass OutOfTunnel { input -> ESPIn3DES($IN_SPI, $IN_CIPHER, $IN_DIGEST) -> output }

require(library lib/gateway.click);
