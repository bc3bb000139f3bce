// vpn-parallel.click: the VPN gateway, with encryption spread over four threads.
//
// From the multiprocessor Click paper, Figure 6.  Encryption takes most of a gateway's time, so the part of the path that
// encrypts and authenticates is there four times, each after a queue that another thread takes from; StaticThreadSched says
// which.  All packets of a flow go the same way, and each way is an association of its own, with an SPI (in hexadecimal
// digits) and sequence numbers: so flows stay in order, and coming in, where flows can't be distinguished, the SPI says which way.
//
//     clickbpf load -n vpn --threads 4 configs/papers/vpn-parallel.click ETH0=enp1s0 ETH1=enp2s0 PEER=... OUT_CIPHER=... ...

require(library lib/esp.click);

define(
	$ETH0 eth0,  $ADDR0 192.0.2.1/24,  $MAC0 02:00:00:00:00:10,  $MTU0 1500,  // outside
	$ETH1 eth1,  $ADDR1 10.1.0.1/24,  $MAC1 02:00:00:00:01:10,  $MTU1 1500,   // the site
	$PEER 192.0.2.2,  $REMOTE 10.2.0.0/24,      // the other gateway, and the network behind it
	$GW $PEER,                                  // the next hop to everybody outside
	$OUT_SPI0 00001010,  $OUT_SPI1 00001011,  $OUT_SPI2 00001012,  $OUT_SPI3 00001013,
	$OUT_CIPHER 000102030405060708090a0b0c0d0e0f,
	$OUT_DIGEST 000102030405060708090a0b0c0d0e0f10111213,
	$IN_SPI0 00001020,  $IN_SPI1 00001021,  $IN_SPI2 00001022,  $IN_SPI3 00001023,
	$IN_CIPHER 101112131415161718191a1b1c1d1e1f,
	$IN_DIGEST 101112131415161718191a1b1c1d1e1f20212223,
	$TUNNEL_MTU 1438                            // what fits into a packet of MTU0 with all that ESP adds
);

elementclass IntoTunnel {
	// A flow is a pair of addresses: 8 bytes, 12 from the start of the IP packet.
	input -> spread :: HashSwitch(12, 8);
	spread[0] -> Queue(1000) -> lane0 :: Unqueue -> ESPOut(0x$OUT_SPI0, $OUT_CIPHER, $OUT_DIGEST) -> output;
	spread[1] -> Queue(1000) -> lane1 :: Unqueue -> ESPOut(0x$OUT_SPI1, $OUT_CIPHER, $OUT_DIGEST) -> output;
	spread[2] -> Queue(1000) -> lane2 :: Unqueue -> ESPOut(0x$OUT_SPI2, $OUT_CIPHER, $OUT_DIGEST) -> output;
	spread[3] -> Queue(1000) -> lane3 :: Unqueue -> ESPOut(0x$OUT_SPI3, $OUT_CIPHER, $OUT_DIGEST) -> output;
	StaticThreadSched(lane0 0, lane1 1, lane2 2, lane3 3);
}

elementclass OutOfTunnel {
	input -> spi :: Classifier(0/$IN_SPI0, 0/$IN_SPI1, 0/$IN_SPI2, 0/$IN_SPI3);
	spi[0] -> Queue(1000) -> lane0 :: Unqueue -> ESPIn(0x$IN_SPI0, $IN_CIPHER, $IN_DIGEST) -> output;
	spi[1] -> Queue(1000) -> lane1 :: Unqueue -> ESPIn(0x$IN_SPI1, $IN_CIPHER, $IN_DIGEST) -> output;
	spi[2] -> Queue(1000) -> lane2 :: Unqueue -> ESPIn(0x$IN_SPI2, $IN_CIPHER, $IN_DIGEST) -> output;
	spi[3] -> Queue(1000) -> lane3 :: Unqueue -> ESPIn(0x$IN_SPI3, $IN_CIPHER, $IN_DIGEST) -> output;
	StaticThreadSched(lane0 0, lane1 1, lane2 2, lane3 3);
}

require(library lib/gateway.click);
