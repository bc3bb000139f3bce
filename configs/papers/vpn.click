// vpn.click: a gateway between a site and an IPsec tunnel to another.
//
// The VPN gateway of the multiprocessor Click paper (Chen and Morris, "Flexible Control of Parallelism in a Multiprocessor
// PC Router", USENIX 2001), Figure 5: an IP router, one of whose routes leads through ESP's elements and back to the
// routing table.  Encryption is 3DES, authentication HMAC-SHA1.
//
//     clickbpf load -n vpn configs/papers/vpn.click ETH0=enp1s0 ETH1=enp2s0 PEER=... OUT_CIPHER=... ...
//
// Packets that have nothing to do with the tunnel stay in the kernel.  With several processors see vpn-parallel.click.

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

elementclass IntoTunnel { input -> ESPOut3DES($OUT_SPI, $OUT_CIPHER, $OUT_DIGEST) -> output }
elementclass OutOfTunnel { input -> ESPIn3DES($IN_SPI, $IN_CIPHER, $IN_DIGEST) -> output }

require(library lib/gateway.click);
