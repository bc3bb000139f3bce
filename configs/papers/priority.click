// priority.click: three strict priorities, of which the highest is limited.
//
// The router of the Click paper's measurement of priorities (Figure 19).  A PrioSched serves the second queue only while
// the first is empty, and the third only while both are.  So that high priority can't starve the others, its packets pass
// a splitter that lets so many of them through each second and no more.  Offer it ever more packets of all three kinds
// (Figure 20), and high priority grows to its limit and stays there, medium priority gets the rest of the link, and low
// priority, which had what was left, gets nothing at last.
//
// The router stands in a cable, between IN and OUT; the link after OUT takes LINK.
//
//     clickbpf load configs/papers/priority.click IN=enp1s0 OUT=enp2s0 LINK=5000
//     clickbpf read limited.count

define(
	$IN eth0,  $OUT eth1,
	$LINK 5000,                         // packets per second
	$HIGH_RATE 1000,                    // of them high priority
	$HIGH B8,  $MEDIUM 28               // TOS bytes (DSCP 46 and 10), in hexadecimal; all others are low priority
);

FromDevice($IN, PROMISC true)
	-> c :: Classifier(12/0800 15/$HIGH%FC, 12/0800 15/$MEDIUM%FC, -);

c[0] -> limit :: RatedSplitter($HIGH_RATE) -> high :: Queue(100) -> [0] prio :: PrioSched;
limit[1] -> limited :: Counter -> Discard;
c[1] -> medium :: Queue(100) -> [1] prio;
c[2] -> low :: Queue(100) -> [2] prio;

prio -> Shaper($LINK) -> ToDevice($OUT);

FromDevice($OUT, PROMISC true) -> Queue -> ToDevice($IN);
