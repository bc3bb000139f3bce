// iprouter-sfq.click: the IP router with stochastic fairness queueing.
//
// From the Click paper's section on scheduling (Figure 10): where there was a Queue there are several, with a
// HashSwitch before and a scheduler after them.  To the elements around it the whole looks like a Queue: packets are pushed
// in and pulled out.  A sender that floods the link fills the queue that its own flow is in, and the others pass by.
//
//     clickbpf load configs/papers/iprouter-sfq.click ETH0=enp1s0 ADDR0=... LINK1=1536kbps
//     clickbpf read sfq1/q3.drops
//
// LINK0 and LINK1 are how fast the links are, for a queue can only grow before a link that is slower than the device.

require(library lib/interface.click);
require(library lib/sfq.click);

define(
	$ETH0 eth0,  $ADDR0 10.0.0.1/24,  $MAC0 02:00:00:00:00:10,  $MTU0 1500,  $LINK0 100Mbps,
	$ETH1 eth1,  $ADDR1 10.0.1.1/24,  $MAC1 02:00:00:00:01:10,  $MTU1 1500,  $LINK1 10Mbps,
	$GW 10.0.0.254
);

AddressInfo(if0 $ADDR0 $MAC0, if1 $ADDR1 $MAC1);

p0 :: Interface($ETH0, 1, if0, $MTU0, if0:ipnet if1:ipnet);
p1 :: Interface($ETH1, 2, if1, $MTU1, if0:ipnet if1:ipnet);

rt :: StaticIPLookup(
	if0:ip/32 0,  if0:bcast/32 0,  if1:ip/32 0,  if1:bcast/32 0,  255.255.255.255/32 0,
	if0:ipnet 1,  if1:ipnet 2,  0.0.0.0/0 $GW 1
);

// A flow is a pair of addresses: 8 bytes, 26 from the start of an Ethernet frame with IP.

rt[1] -> p0 -> sfq0 :: SFQ(26, 8, 50) -> BandwidthShaper($LINK0) -> ToDevice($ETH0);
rt[2] -> p1 -> sfq1 :: SFQ(26, 8, 50) -> BandwidthShaper($LINK1) -> ToDevice($ETH1);

rt[0] -> mine :: PaintSwitch;
mine[0] -> Discard;
host :: ToHost;

p0[1] -> rt;  p0[2] -> host;  mine[1] -> [1] p0;
p1[1] -> rt;  p1[2] -> host;  mine[2] -> [1] p1;
