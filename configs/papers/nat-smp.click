// nat-smp.click: a NAT gateway on several CPUs, after the one of "Flexible Control of Parallelism in a Multiprocessor PC
// Router" (Chen and Morris, USENIX 2001, Figure 8).
//
// The paper's point: packets of both directions of a connection change the same flow, and so want the same CPU; the
// devices want one each.  Here the kernel has taken most of that over.  Each device's packets are rewritten on the CPU
// that receives them, and what a packet writes into its flow is at most the time, once in a millisecond.  The table is
// changed by the runtime alone, whose threads StaticThreadSched places; only first packets, ends of connections and
// errors come there.
//
//     clickbpf load -j 2 configs/papers/nat-smp.click INSIDE=enp2s0 OUTSIDE=enp1s0 ...

define(
	$INSIDE eth0,   $IN_ADDR 10.0.0.1/8,         $IN_MAC 02:00:00:00:00:10,
	$OUTSIDE eth1,  $OUT_ADDR 198.51.100.1/24,   $OUT_MAC 02:00:00:00:01:10,
	$GW 198.51.100.254,
	$FLOWS 1000000,
	$REWRITERS rw/one
);

elementclass Rewriters {
	input[0], input[1] => one :: IPRewriter(pattern out 1024-65535 - - 0 1, drop, MAPPING_CAPACITY $FLOWS) => [0] output, [1] output;
}

require(library lib/nat.click);
