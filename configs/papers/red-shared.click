// red-shared.click: one RED for several queues.
//
// A variant of RED from the Click paper (Figure 11).  A RED that is followed by more than one queue watches them all: the
// length that it compares with its thresholds is the sum of theirs.  Here voice has a queue of its own that goes first,
// and both queues together must not grow long.  No argument says so: the element asks the router what comes after it.
//
// The router stands in a cable, between SLOW and FAST; the link on the side of SLOW takes LINK.
//
//     clickbpf load configs/papers/red-shared.click FAST=enp1s0 SLOW=enp2s0 LINK=2Mbps
//     clickbpf read red.queues

define($FAST eth0, $SLOW eth1, $LINK 2Mbps);

FromDevice($FAST, PROMISC true)
	-> red :: RED(10, 50, 0.1)
	-> c :: Classifier(12/0800 15/B8%FC, -);        // DSCP 46, expedited forwarding, and the rest

c[0] -> first :: Queue(100) -> [0] sched :: PrioSched;
c[1] -> later :: Queue(100) -> [1] sched;
sched -> BandwidthShaper($LINK) -> ToDevice($SLOW);

FromDevice($SLOW, PROMISC true) -> Queue -> ToDevice($FAST);
