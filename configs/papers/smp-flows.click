// smp-flows.click: flows are split over threads, so that each flow is one thread's.
//
// From the paper on Click on several processors (Chen and Morris, "Flexible Control of Parallelism in a Multiprocessor PC
// Router", USENIX 2001, Figure 3).  A HashSwitch sends packets by their addresses to one of two lines of the same work, each with a
// thread of its own.  Packets of a flow stay in order, and what a line keeps of its flows stays in its processor's cache.
//
//     clickbpf load -j 2 configs/papers/smp-flows.click IN=enp1s0 OUT=enp2s0
//     clickbpf read line0/done.count line1/done.count
//
// With `--spread 0,1` the lines run in the kernel, on these CPUs.  The router stands in a cable, between IN and OUT.  The work is a
// filter with a table of hosts that it counts.

define($IN eth0, $OUT eth1);

elementclass Line {
	input -> Queue(1000)
		-> work :: Unqueue
		-> CheckIPHeader(14)
		-> filter :: IPFilter(deny tcp dst port 23, allow all)
		-> users :: AggregateIP(ip src)
		-> AggregateCounter
		-> done :: Counter
		-> output;
}

line0, line1 :: Line;
StaticThreadSched(line0/work 0, line1/work 1);

out :: Queue(1000) -> ToDevice($OUT);

FromDevice($IN, PROMISC true) -> c :: Classifier(12/0800, -);
c[0] -> split :: HashSwitch(26, 8);             // source and destination address
c[1] -> out;

split[0] -> line0 -> out;
split[1] -> line1 -> out;

FromDevice($OUT, PROMISC true) -> Queue -> ToDevice($IN);
