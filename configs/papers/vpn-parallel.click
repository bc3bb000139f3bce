// vpn-parallel.click: the VPN gateway, with encryption spread over four threads.
//
// From the multiprocessor Click paper, Figure 6.  Encryption takes most of a gateway's time, so the part of the path that
// encrypts and authenticates is there four times, each behind a queue that another thread takes from; StaticThreadSched says
// which.  Going out, packets get their sequence numbers before they are spread, and all of a flow go the same way.  Coming
// in nobody can tell the flows, so packets take turns; the window against replays forgives that they get out of order.
//
//     clickbpf load -n vpn --threads 4 configs/papers/vpn-parallel.click ETH0=enp1s0 ETH1=enp2s0 PEER=... OUT_CIPHER=... ...

require(library lib/esp.click);

define(
	$ETH0 eth0,  $ADDR0 192.0.2.1/24,  $MAC0 02:00:00:00:00:10,  $MTU0 1500,  // outside
	$ETH1 eth1,  $ADDR1 10.1.0.1/24,  $MAC1 02:00:00:00:01:10,  $MTU1 1500,   // the site
	$PEER 192.0.2.2,  $REMOTE 10.2.0.0/24,      // the other gateway, and the network behind it
	$GW $PEER,                                  // the next hop to everybody outside
	$OUT_SPI 0x1001,
	$OUT_CIPHER 000102030405060708090a0b0c0d0e0f,
	$OUT_DIGEST 000102030405060708090a0b0c0d0e0f10111213,
	$IN_SPI 0x1002,
	$IN_CIPHER 101112131415161718191a1b1c1d1e1f,
	$IN_DIGEST 101112131415161718191a1b1c1d1e1f20212223,
	$TUNNEL_MTU 1438                            // what fits into a packet of MTU0 with all that ESP adds
);

elementclass IntoTunnel {
	// A flow is a pair of addresses: 8 bytes, behind ESP's 24 and the first 12 of the IP packet inside.
	input -> IPsecESPEncap($OUT_SPI, 16, NEXT_HEADER ipip) -> spread :: HashSwitch(36, 8);
	done :: Null -> output;
	spread[0] -> Queue(200) -> lane0 :: Unqueue -> Seal($OUT_CIPHER, $OUT_DIGEST) -> done;
	spread[1] -> Queue(200) -> lane1 :: Unqueue -> Seal($OUT_CIPHER, $OUT_DIGEST) -> done;
	spread[2] -> Queue(200) -> lane2 :: Unqueue -> Seal($OUT_CIPHER, $OUT_DIGEST) -> done;
	spread[3] -> Queue(200) -> lane3 :: Unqueue -> Seal($OUT_CIPHER, $OUT_DIGEST) -> done;
	StaticThreadSched(lane0 0, lane1 1, lane2 2, lane3 3);
}

elementclass OutOfTunnel {
	input -> turns :: RoundRobinSwitch;
	done :: IPsecESPUnencap(SPI $IN_SPI, BLOCK 16, NEXT_HEADER ipip) -> output;
	turns[0] -> Queue(200) -> lane0 :: Unqueue -> Unseal($IN_CIPHER, $IN_DIGEST) -> done;
	turns[1] -> Queue(200) -> lane1 :: Unqueue -> Unseal($IN_CIPHER, $IN_DIGEST) -> done;
	turns[2] -> Queue(200) -> lane2 :: Unqueue -> Unseal($IN_CIPHER, $IN_DIGEST) -> done;
	turns[3] -> Queue(200) -> lane3 :: Unqueue -> Unseal($IN_CIPHER, $IN_DIGEST) -> done;
	StaticThreadSched(lane0 0, lane1 1, lane2 2, lane3 3);
}

require(library lib/gateway.click);
