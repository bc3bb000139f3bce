// smp-pipeline.click: the work on a packet is divided among threads, as in a pipeline.
//
// From the paper on Click on several processors (Chen and Morris, USENIX 2001, Figure 14), where this is compared with splitting flows
// (smp-flows.click).  A Queue stands wherever a packet goes from one thread to the next; an Unqueue is the task that takes it
// on.  It suits work that can't be split by flows, for every packet meets the same elements.  The slowest stage sets
// the pace, and a packet's data moves from cache to cache.
//
//     clickbpf load -j 3 configs/papers/smp-pipeline.click IN=enp1s0 OUT=enp2s0
//     clickbpf read handed.highwater_length
//
// The router stands in a cable, between IN and OUT.

define($IN eth0, $OUT eth1);

FromDevice($IN, PROMISC true)
	-> taken :: Queue(1000)

	// The first stage looks at headers.
	-> first :: Unqueue
	-> c :: Classifier(12/0800, -);
c[0] -> CheckIPHeader(14) -> IPFilter(deny tcp dst port 23, allow all)
	-> handed :: Queue(1000)

	// The second looks at all of a packet.
	-> second :: Unqueue
	-> checked :: IPClassifier(tcp, udp, -);
checked[0] -> CheckTCPHeader -> done :: Counter;
checked[1] -> CheckUDPHeader -> done;
checked[2] -> done;

// The last sends.
done -> out :: Queue(1000) -> ToDevice($OUT);
c[1] -> out;

FromDevice($OUT, PROMISC true) -> Queue -> ToDevice($IN);

StaticThreadSched(first 0, second 1);
