// vpn-eight.click: the VPN gateway with eight tunnels, whose associations an IPClassifier chooses.
//
// From the multiprocessor Click paper's section on VPN gateways: each of eight networks behind the other gateway has an
// association of its own, with an SPI, keys and sequence numbers.  The SPI's last hexadecimal digit is the network's number.
//
//     clickbpf load -n vpn configs/papers/vpn-eight.click ETH0=enp1s0 ETH1=enp2s0 PEER=... OUT_CIPHER=... ...

require(library lib/esp.click);

define(
	$ETH0 eth0,  $ADDR0 192.0.2.1/24,  $MAC0 02:00:00:00:00:10,  $MTU0 1500,  // outside
	$ETH1 eth1,  $ADDR1 10.1.0.1/24,  $MAC1 02:00:00:00:01:10,  $MTU1 1500,   // the site
	$PEER 192.0.2.2,  $FAR 10.2.0,  $REMOTE ${FAR}.0/24,    // the other gateway, and the network behind it
	$GW $PEER,                                  // the next hop to everybody outside
	$OUT_SPI 0000101,                           // and the tunnel's number
	$OUT_CIPHER 0123456789abcdef23456789abcdef01456789abcdef012,
	$OUT_DIGEST 000102030405060708090a0b0c0d0e0f1011121,
	$IN_SPI 0000102,
	$IN_CIPHER fedcba9876543210dcba9876543210feba9876543210fed,
	$IN_DIGEST 101112131415161718191a1b1c1d1e1f2021222,
	$TUNNEL_MTU 1446                            // what fits into a packet of MTU0 with all that ESP adds
);

elementclass Out { $n | input -> ESPOut3DES(0x${OUT_SPI}$n, ${OUT_CIPHER}$n, ${OUT_DIGEST}$n) -> output }
elementclass In { $n | input -> ESPIn3DES(0x${IN_SPI}$n, ${IN_CIPHER}$n, ${IN_DIGEST}$n) -> output }

elementclass IntoTunnel {
	input -> to :: IPClassifier(dst net ${FAR}.0/27, dst net ${FAR}.32/27, dst net ${FAR}.64/27, dst net ${FAR}.96/27,
		dst net ${FAR}.128/27, dst net ${FAR}.160/27, dst net ${FAR}.192/27, dst net ${FAR}.224/27);
	to[0] -> Out(0) -> output;  to[1] -> Out(1) -> output;  to[2] -> Out(2) -> output;  to[3] -> Out(3) -> output;
	to[4] -> Out(4) -> output;  to[5] -> Out(5) -> output;  to[6] -> Out(6) -> output;  to[7] -> Out(7) -> output;
}

elementclass OutOfTunnel {
	input -> spi :: Classifier(0/${IN_SPI}0, 0/${IN_SPI}1, 0/${IN_SPI}2, 0/${IN_SPI}3,
		0/${IN_SPI}4, 0/${IN_SPI}5, 0/${IN_SPI}6, 0/${IN_SPI}7);
	spi[0] -> In(0) -> output;  spi[1] -> In(1) -> output;  spi[2] -> In(2) -> output;  spi[3] -> In(3) -> output;
	spi[4] -> In(4) -> output;  spi[5] -> In(5) -> output;  spi[6] -> In(6) -> output;  spi[7] -> In(7) -> output;
}

require(library lib/gateway.click);
