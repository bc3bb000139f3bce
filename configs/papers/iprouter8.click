// iprouter8.click: the IP router with eight Ethernet interfaces.
//
// The router of the Click paper's Figure 8 (configs/iprouter.click, where each element is explained), grown: every interface
// is an `Interface` of lib/interface.click, and the routing table joins them.
//
//     clickbpf load configs/papers/iprouter8.click ETH0=enp1s0 ADDR0=192.168.1.1/24 MAC0=52:54:00:00:00:01 ...

require(library lib/interface.click);

define(
	$ETH0 eth0,  $ADDR0 10.0.0.1/24,  $MAC0 02:00:00:00:00:10,  $MTU0 1500,
	$ETH1 eth1,  $ADDR1 10.0.1.1/24,  $MAC1 02:00:00:00:01:10,  $MTU1 1500,
	$ETH2 eth2,  $ADDR2 10.0.2.1/24,  $MAC2 02:00:00:00:02:10,  $MTU2 1500,
	$ETH3 eth3,  $ADDR3 10.0.3.1/24,  $MAC3 02:00:00:00:03:10,  $MTU3 1500,
	$ETH4 eth4,  $ADDR4 10.0.4.1/24,  $MAC4 02:00:00:00:04:10,  $MTU4 1500,
	$ETH5 eth5,  $ADDR5 10.0.5.1/24,  $MAC5 02:00:00:00:05:10,  $MTU5 1500,
	$ETH6 eth6,  $ADDR6 10.0.6.1/24,  $MAC6 02:00:00:00:06:10,  $MTU6 1500,
	$ETH7 eth7,  $ADDR7 10.0.7.1/24,  $MAC7 02:00:00:00:07:10,  $MTU7 1500,
	$GW 10.0.0.254                      // the next hop, on the first interface, for all other networks
);

AddressInfo(
	if0 $ADDR0 $MAC0,
	if1 $ADDR1 $MAC1,
	if2 $ADDR2 $MAC2,
	if3 $ADDR3 $MAC3,
	if4 $ADDR4 $MAC4,
	if5 $ADDR5 $MAC5,
	if6 $ADDR6 $MAC6,
	if7 $ADDR7 $MAC7
);

define($NETS if0:ipnet if1:ipnet if2:ipnet if3:ipnet if4:ipnet if5:ipnet if6:ipnet if7:ipnet);

p0 :: Interface($ETH0, 1, if0, $MTU0, $NETS);
p1 :: Interface($ETH1, 2, if1, $MTU1, $NETS);
p2 :: Interface($ETH2, 3, if2, $MTU2, $NETS);
p3 :: Interface($ETH3, 4, if3, $MTU3, $NETS);
p4 :: Interface($ETH4, 5, if4, $MTU4, $NETS);
p5 :: Interface($ETH5, 6, if5, $MTU5, $NETS);
p6 :: Interface($ETH6, 7, if6, $MTU6, $NETS);
p7 :: Interface($ETH7, 8, if7, $MTU7, $NETS);

// ---- The routing table: a column for this router's own addresses, a column for the network of each interface ---------

rt :: StaticIPLookup(
	if0:ip/32 0,  if0:bcast/32 0,  if0:ipnet 1,
	if1:ip/32 0,  if1:bcast/32 0,  if1:ipnet 2,
	if2:ip/32 0,  if2:bcast/32 0,  if2:ipnet 3,
	if3:ip/32 0,  if3:bcast/32 0,  if3:ipnet 4,
	if4:ip/32 0,  if4:bcast/32 0,  if4:ipnet 5,
	if5:ip/32 0,  if5:bcast/32 0,  if5:ipnet 6,
	if6:ip/32 0,  if6:bcast/32 0,  if6:ipnet 7,
	if7:ip/32 0,  if7:bcast/32 0,  if7:ipnet 8,
	255.255.255.255/32 0,
	0.0.0.0/0 $GW 1
);

rt[1] -> p0 -> Queue(200) -> ToDevice($ETH0);
rt[2] -> p1 -> Queue(200) -> ToDevice($ETH1);
rt[3] -> p2 -> Queue(200) -> ToDevice($ETH2);
rt[4] -> p3 -> Queue(200) -> ToDevice($ETH3);
rt[5] -> p4 -> Queue(200) -> ToDevice($ETH4);
rt[6] -> p5 -> Queue(200) -> ToDevice($ETH5);
rt[7] -> p6 -> Queue(200) -> ToDevice($ETH6);
rt[8] -> p7 -> Queue(200) -> ToDevice($ETH7);

// Linux answers for the router itself, on the interface by which the packet came in, which its paint says.

rt[0] -> mine :: PaintSwitch;
mine[0] -> Discard;                     // made by this router, about itself: nobody waits for it
host :: ToHost;

p0[1] -> rt;  p0[2] -> host;  mine[1] -> [1] p0;
p1[1] -> rt;  p1[2] -> host;  mine[2] -> [1] p1;
p2[1] -> rt;  p2[2] -> host;  mine[3] -> [1] p2;
p3[1] -> rt;  p3[2] -> host;  mine[4] -> [1] p3;
p4[1] -> rt;  p4[2] -> host;  mine[5] -> [1] p4;
p5[1] -> rt;  p5[2] -> host;  mine[6] -> [1] p5;
p6[1] -> rt;  p6[2] -> host;  mine[7] -> [1] p6;
p7[1] -> rt;  p7[2] -> host;  mine[8] -> [1] p7;
