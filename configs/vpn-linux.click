// vpn-linux.click: the gateway of a site, joined to another site by an IPsec tunnel to a Linux gateway.
//
// What the site's hosts send to the other site's network travels encrypted and authenticated between the gateways: ESP in
// tunnel mode (RFC 4303), AES and HMAC-SHA1-96.  Keys are set by hand on both sides; on Linux, with this file's values:
//
//     ip xfrm state add src 192.0.2.1 dst 192.0.2.2 proto esp spi 0x1001 mode tunnel \
//         enc 'cbc(aes)' 0x000102030405060708090a0b0c0d0e0f \
//         auth-trunc 'hmac(sha1)' 0x000102030405060708090a0b0c0d0e0f10111213 96
//     ip xfrm state add src 192.0.2.2 dst 192.0.2.1 proto esp spi 0x1002 mode tunnel \
//         enc 'cbc(aes)' 0x101112131415161718191a1b1c1d1e1f \
//         auth-trunc 'hmac(sha1)' 0x101112131415161718191a1b1c1d1e1f20212223 96
//     ip xfrm policy add dir out src 10.2.0.0/24 dst 10.1.0.0/24 \
//         tmpl src 192.0.2.2 dst 192.0.2.1 proto esp mode tunnel
//     ip xfrm policy add dir fwd src 10.1.0.0/24 dst 10.2.0.0/24 \
//         tmpl src 192.0.2.1 dst 192.0.2.2 proto esp mode tunnel
//     ip xfrm policy add dir in src 10.1.0.0/24 dst 10.2.0.0/24 \
//         tmpl src 192.0.2.1 dst 192.0.2.2 proto esp mode tunnel
//
// The other site may also run this file, with the values the other way round.  Choose keys of your own, at random: one who
// knows them reads and forges everything.  Nobody changes them here, as IKE would: after 2^32 packets, or better long
// before, start again with others.  Write them into a copy of this file that only you can read (chmod 600), because all users
// of a machine see what is on its command lines; -C configs finds the library that the copy needs.
//
//     clickbpf load -n vpn -C configs vpn-of-mine.click ETH0=enp1s0 ETH1=enp2s0
//     clickbpf read -r vpn received.count
//     clickbpf read -r vpn outof/IPsecAuthHMACSHA1@1.drops

require(library papers/lib/esp.click);

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

elementclass IntoTunnel { input -> ESPOut($OUT_SPI, $OUT_CIPHER, $OUT_DIGEST) -> output }
elementclass OutOfTunnel { input -> ESPIn($IN_SPI, $IN_CIPHER, $IN_DIGEST) -> output }

require(library papers/lib/gateway.click);
