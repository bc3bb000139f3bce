// ratelimit.click: a cable that lets no more than a rate through in one direction.
//
//     clickbpf load configs/ratelimit.click INSIDE=enp1s0 OUTSIDE=enp2s0 TOTAL=20Mbps
//     clickbpf write total.rate 50Mbps
//     clickbpf read slow.drops
//
// Outwards everything is shaped to TOTAL: packets wait up to a queue's length and are sent evenly.  Pings and what else is
// not TCP have to keep below OTHERS, or the excess is dropped: a token bucket, nothing waits.  Inwards nothing is
// limited, for what has come here has passed the slow line already.

define($INSIDE eth0, $OUTSIDE eth1, $TOTAL 10Mbps, $OTHERS 1Mbps);

FromDevice($INSIDE, PROMISC true)
	-> c :: Classifier(12/0800 23/06, 12/0800, -);          // TCP, other IP, ARP and the like

c[0] -> slow :: Queue(200) -> [1] turn :: PrioSched;
c[1] -> others :: BandwidthRatedSplitter($OTHERS) -> slow;
others[1] -> excess :: Counter -> Discard;
c[2] -> Queue(50) -> [0] turn;

turn -> total :: BandwidthShaper($TOTAL) -> ToDevice($OUTSIDE);

FromDevice($OUTSIDE, PROMISC true) -> Queue -> ToDevice($INSIDE);
