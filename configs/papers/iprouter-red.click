// iprouter-red.click: the IP router with random early detection before its output queues.
//
// The Click paper's example of what one more element does (its section on dropping policies): RED between the routing
// path and a queue drops packets at random before the queue is full, the more the longer it was of late, so that TCP
// senders slow down one after another and not all at once.  It finds the queue that it watches by itself: the nearest one
// after it.
//
//     clickbpf load configs/papers/iprouter-red.click ETH0=enp1s0 ADDR0=... LINK1=1536kbps
//     clickbpf read red1.stats
//
// LINK0 and LINK1 are how fast the links are, for a queue can only grow before a link that is slower than the device.

require(library lib/interface.click);

define(
	$ETH0 eth0,  $ADDR0 10.0.0.1/24,  $MAC0 02:00:00:00:00:10,  $MTU0 1500,  $LINK0 100Mbps,
	$ETH1 eth1,  $ADDR1 10.0.1.1/24,  $MAC1 02:00:00:00:01:10,  $MTU1 1500,  $LINK1 10Mbps,
	$GW 10.0.0.254,
	$MIN 10,  $MAX 50,  $MAX_P 0.02     // packets where dropping begins, where it is MAX_P; it is certain at twice MAX
);

AddressInfo(if0 $ADDR0 $MAC0, if1 $ADDR1 $MAC1);

p0 :: Interface($ETH0, 1, if0, $MTU0, if0:ipnet if1:ipnet);
p1 :: Interface($ETH1, 2, if1, $MTU1, if0:ipnet if1:ipnet);

rt :: StaticIPLookup(
	if0:ip/32 0,  if0:bcast/32 0,  if1:ip/32 0,  if1:bcast/32 0,  255.255.255.255/32 0,
	if0:ipnet 1,  if1:ipnet 2,  0.0.0.0/0 $GW 1
);

rt[1] -> p0 -> red0 :: RED($MIN, $MAX, $MAX_P) -> q0 :: Queue(200) -> BandwidthShaper($LINK0) -> ToDevice($ETH0);
rt[2] -> p1 -> red1 :: RED($MIN, $MAX, $MAX_P) -> q1 :: Queue(200) -> BandwidthShaper($LINK1) -> ToDevice($ETH1);

rt[0] -> mine :: PaintSwitch;
mine[0] -> Discard;
host :: ToHost;

p0[1] -> rt;  p0[2] -> host;  mine[1] -> [1] p0;
p1[1] -> rt;  p1[2] -> host;  mine[2] -> [1] p1;
