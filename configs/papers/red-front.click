// red-front.click: RED that drops from the front of the queue.
//
// A variant of RED from the Click paper (Figure 11).  The same element after the queue instead of before it: packets are
// pulled through it, so it drops those that have waited longest.  Their sender hears of the congestion sooner, by the
// time that a packet waits.  The RED finds its queue by itself: pulled, it looks upstream.
//
// The router stands in a cable, between SLOW and FAST; the link on the side of SLOW takes LINK.
//
//     clickbpf load configs/papers/red-front.click FAST=enp1s0 SLOW=enp2s0 LINK=2Mbps
//     clickbpf read red.stats

define($FAST eth0, $SLOW eth1, $LINK 2Mbps);

FromDevice($FAST, PROMISC true)
	-> q :: Queue(200)
	-> red :: RED(10, 50, 0.1)
	-> BandwidthShaper($LINK)
	-> ToDevice($SLOW);

FromDevice($SLOW, PROMISC true) -> Queue -> ToDevice($FAST);
