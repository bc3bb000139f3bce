// vpn-pipeline.click: the VPN gateway, with encryption divided among three threads as in a pipeline.
//
// From the multiprocessor Click paper, Figure 14, where this is compared with lanes (vpn-parallel.click).  A packet's header is made,
// it is encrypted and it is authenticated by a thread each, and a Queue stands wherever it goes from one to the next.  The slowest
// stage, encryption, sets the pace; but there is one association, and packets stay in order.
//
//     clickbpf load -n vpn --threads 3 configs/papers/vpn-pipeline.click ETH0=enp1s0 ETH1=enp2s0 PEER=... OUT_CIPHER=... ...

require(library lib/esp.click);

define(
	$ETH0 eth0,  $ADDR0 192.0.2.1/24,  $MAC0 02:00:00:00:00:10,  $MTU0 1500,  // outside
	$ETH1 eth1,  $ADDR1 10.1.0.1/24,  $MAC1 02:00:00:00:01:10,  $MTU1 1500,   // the site
	$PEER 192.0.2.2,  $REMOTE 10.2.0.0/24,      // the other gateway, and the network behind it
	$GW $PEER,                                  // the next hop to everybody outside
	$OUT_SPI 0x1001,
	$OUT_CIPHER 0123456789abcdef23456789abcdef01456789abcdef0123,
	$OUT_DIGEST 000102030405060708090a0b0c0d0e0f10111213,
	$IN_SPI 0x1002,
	$IN_CIPHER fedcba9876543210dcba9876543210feba9876543210fedc,
	$IN_DIGEST 101112131415161718191a1b1c1d1e1f20212223,
	$TUNNEL_MTU 1446                            // what fits into a packet of MTU0 with all that ESP adds
);

elementclass IntoTunnel {
	input -> IPsecESPEncap($OUT_SPI, 8, NEXT_HEADER ipip)
		-> Queue(1000) -> encrypt :: Unqueue -> IPsecDES(1, $OUT_CIPHER, IGNORE 0)
		-> Queue(1000) -> sign :: Unqueue -> IPsecAuthHMACSHA1(0, $OUT_DIGEST)
		-> output;
	StaticThreadSched(encrypt 1, sign 2);
}

elementclass OutOfTunnel {
	input -> Queue(1000) -> verify :: Unqueue -> IPsecAuthHMACSHA1(1, $IN_DIGEST)
		-> Queue(1000) -> decrypt :: Unqueue -> IPsecDES(0, $IN_CIPHER, IGNORE 0)
		-> IPsecESPUnencap(SPI $IN_SPI, BLOCK 8, NEXT_HEADER ipip)
		-> output;
	StaticThreadSched(verify 2, decrypt 1);
}

require(library lib/gateway.click);
