// smp-qos.click: a router with priorities whose queues are replicated, one set for each thread.
//
// From the paper on Click on several processors (Chen and Morris, USENIX 2001, Figure 16).  Threads that put packets into the same
// queue wait for each other.  Here a HashSwitch gives each thread its flows, and a set of queues of its own; only the scheduler looks
// at all of them, and serves queues of one priority in turn.  To the link it is one queue for each priority.
//
//     clickbpf load -j 2 configs/papers/smp-qos.click IN=enp1s0 OUT=enp2s0 LINK=10Mbps
//     clickbpf read set0/urgent.length
//
// The router stands in a cable, between IN and OUT; the link after OUT takes LINK.

define($IN eth0, $OUT eth1, $LINK 10Mbps, $URGENT B8);     // the TOS byte that goes first, in hexadecimal

elementclass Set {
	input -> c :: Classifier(12/0800 15/$URGENT%FC, -);
	c[0] -> urgent :: Queue(100) -> [0] output;
	c[1] -> bulk :: Queue(200) -> [1] output;
}

// Two lines of work, as in smp-flows.click.
FromDevice($IN, PROMISC true) -> split :: HashSwitch(26, 8);
split[0] -> Queue(1000) -> work0 :: Unqueue -> set0 :: Set;
split[1] -> Queue(1000) -> work1 :: Unqueue -> set1 :: Set;
StaticThreadSched(work0 0, work1 1);

set0[0] -> [0] urgent :: RoundRobinSched;
set1[0] -> [1] urgent;
set0[1] -> [0] bulk :: RoundRobinSched;
set1[1] -> [1] bulk;

urgent -> [0] prio :: PrioSched -> BandwidthShaper($LINK) -> ToDevice($OUT);
bulk -> [1] prio;

FromDevice($OUT, PROMISC true) -> Queue -> ToDevice($IN);
