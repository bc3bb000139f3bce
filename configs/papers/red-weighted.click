// red-weighted.click: weighted RED, where some packets are dropped earlier than others.
//
// A variant of RED from the Click paper (Figure 11).  Several REDs before one queue watch the same length with different
// thresholds: as the queue grows, packets that were marked as expendable on their way are dropped first.  The marks
// are the drop precedences of assured forwarding class 1 (RFC 2597): AF11, AF12 and AF13.
//
// The router stands in a cable, between SLOW and FAST; the link on the side of SLOW takes LINK.
//
//     clickbpf load configs/papers/red-weighted.click FAST=enp1s0 SLOW=enp2s0 LINK=2Mbps
//     clickbpf read high.drops

define($FAST eth0, $SLOW eth1, $LINK 2Mbps);

FromDevice($FAST, PROMISC true)
	-> c :: Classifier(12/0800 15/38%FC, 12/0800 15/30%FC, -);      // DSCP 14 (AF13), DSCP 12 (AF12), the rest

q :: Queue(200);
c[0] -> high :: RED(10, 30, 0.5) -> q;
c[1] -> medium :: RED(30, 60, 0.1) -> q;
c[2] -> low :: RED(60, 90, 0.02) -> q;
q -> BandwidthShaper($LINK) -> ToDevice($SLOW);

FromDevice($SLOW, PROMISC true) -> Queue -> ToDevice($FAST);
