// nat-smp32.click: a NAT gateway with 32 rewriters, so that few flows share a table.
//
// From "Flexible Control of Parallelism in a Multiprocessor PC Router" (Chen and Morris, USENIX 2001, section 5.4).  Hosts inside are spread
// over the rewriters by their addresses.  Each rewriter has 2048 ports of its own, by which replies find it.
//
//     clickbpf load -j 2 configs/papers/nat-smp32.click INSIDE=enp2s0 OUTSIDE=enp1s0 ...

define(
	$INSIDE eth0,   $IN_ADDR 10.0.0.1/8,         $IN_MAC 02:00:00:00:00:10,
	$OUTSIDE eth1,  $OUT_ADDR 198.51.100.1/24,   $OUT_MAC 02:00:00:00:01:10,
	$GW 198.51.100.254,
	$FLOWS 30000,
	$REWRITERS rw/n0/rw rw/n1/rw rw/n2/rw rw/n3/rw rw/n4/rw rw/n5/rw rw/n6/rw rw/n7/rw
		rw/n8/rw rw/n9/rw rw/n10/rw rw/n11/rw rw/n12/rw rw/n13/rw rw/n14/rw rw/n15/rw
		rw/n16/rw rw/n17/rw rw/n18/rw rw/n19/rw rw/n20/rw rw/n21/rw rw/n22/rw rw/n23/rw
		rw/n24/rw rw/n25/rw rw/n26/rw rw/n27/rw rw/n28/rw rw/n29/rw rw/n30/rw rw/n31/rw
);

elementclass One { $ports |
	input[0], input[1] => rw :: IPRewriter(pattern out $ports - - 0 1, drop, MAPPING_CAPACITY $FLOWS) => [0] output, [1] output;
}

elementclass Rewriters {
	input[0] -> to :: HashSwitch(12, 4);
	input[1] -> from :: IPClassifier(
		dst port & 0xf800 0x0000, dst port & 0xf800 0x0800, dst port & 0xf800 0x1000, dst port & 0xf800 0x1800,
		dst port & 0xf800 0x2000, dst port & 0xf800 0x2800, dst port & 0xf800 0x3000, dst port & 0xf800 0x3800,
		dst port & 0xf800 0x4000, dst port & 0xf800 0x4800, dst port & 0xf800 0x5000, dst port & 0xf800 0x5800,
		dst port & 0xf800 0x6000, dst port & 0xf800 0x6800, dst port & 0xf800 0x7000, dst port & 0xf800 0x7800,
		dst port & 0xf800 0x8000, dst port & 0xf800 0x8800, dst port & 0xf800 0x9000, dst port & 0xf800 0x9800,
		dst port & 0xf800 0xa000, dst port & 0xf800 0xa800, dst port & 0xf800 0xb000, dst port & 0xf800 0xb800,
		dst port & 0xf800 0xc000, dst port & 0xf800 0xc800, dst port & 0xf800 0xd000, dst port & 0xf800 0xd800,
		dst port & 0xf800 0xe000, dst port & 0xf800 0xe800, dst port & 0xf800 0xf000, dst port & 0xf800 0xf800);

	to[0], from[0] => n0 :: One(1024-2047) => [0] output, [1] output;
	to[1], from[1] => n1 :: One(2048-4095) => [0] output, [1] output;
	to[2], from[2] => n2 :: One(4096-6143) => [0] output, [1] output;
	to[3], from[3] => n3 :: One(6144-8191) => [0] output, [1] output;
	to[4], from[4] => n4 :: One(8192-10239) => [0] output, [1] output;
	to[5], from[5] => n5 :: One(10240-12287) => [0] output, [1] output;
	to[6], from[6] => n6 :: One(12288-14335) => [0] output, [1] output;
	to[7], from[7] => n7 :: One(14336-16383) => [0] output, [1] output;
	to[8], from[8] => n8 :: One(16384-18431) => [0] output, [1] output;
	to[9], from[9] => n9 :: One(18432-20479) => [0] output, [1] output;
	to[10], from[10] => n10 :: One(20480-22527) => [0] output, [1] output;
	to[11], from[11] => n11 :: One(22528-24575) => [0] output, [1] output;
	to[12], from[12] => n12 :: One(24576-26623) => [0] output, [1] output;
	to[13], from[13] => n13 :: One(26624-28671) => [0] output, [1] output;
	to[14], from[14] => n14 :: One(28672-30719) => [0] output, [1] output;
	to[15], from[15] => n15 :: One(30720-32767) => [0] output, [1] output;
	to[16], from[16] => n16 :: One(32768-34815) => [0] output, [1] output;
	to[17], from[17] => n17 :: One(34816-36863) => [0] output, [1] output;
	to[18], from[18] => n18 :: One(36864-38911) => [0] output, [1] output;
	to[19], from[19] => n19 :: One(38912-40959) => [0] output, [1] output;
	to[20], from[20] => n20 :: One(40960-43007) => [0] output, [1] output;
	to[21], from[21] => n21 :: One(43008-45055) => [0] output, [1] output;
	to[22], from[22] => n22 :: One(45056-47103) => [0] output, [1] output;
	to[23], from[23] => n23 :: One(47104-49151) => [0] output, [1] output;
	to[24], from[24] => n24 :: One(49152-51199) => [0] output, [1] output;
	to[25], from[25] => n25 :: One(51200-53247) => [0] output, [1] output;
	to[26], from[26] => n26 :: One(53248-55295) => [0] output, [1] output;
	to[27], from[27] => n27 :: One(55296-57343) => [0] output, [1] output;
	to[28], from[28] => n28 :: One(57344-59391) => [0] output, [1] output;
	to[29], from[29] => n29 :: One(59392-61439) => [0] output, [1] output;
	to[30], from[30] => n30 :: One(61440-63487) => [0] output, [1] output;
	to[31], from[31] => n31 :: One(63488-65535) => [0] output, [1] output;
}

require(library lib/nat.click);
