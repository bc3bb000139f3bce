// two-t1.click: a network's way out over two slow lines, which share the traffic.
//
// The Click paper's example of what dropping and scheduling elements do together (Figure 12): a gateway between a network
// and two T1 lines to the same provider.
//
//   - Both lines pull from the same scheduler.  A line that has sent a packet takes the next, so that both are busy
//     while anything waits: the load is balanced by whoever is ready.
//   - What somebody waits for, by its TOS or because it is a terminal session, has priority over the bulk.
//   - Bulk is queued with stochastic fairness, so that no transfer takes the lines for itself.
//   - RED keeps all these queues short; it watches the sum of their lengths.  It is before the classifier, as in the paper, and so
//     drops from all flows alike.  After SFQ, as `bulk -> RED(20, 80, 0.05) -> [1] prio`, it would act where fairness has been
//     done, and spare what is urgent.
//
// One file for both ends: the other end has NET, LAN_ADDR and the Ethernet addresses the other way round.
//
//     clickbpf load configs/papers/two-t1.click LAN=enp1s0 LINE0=enp2s0 LINE1=enp3s0 ...

require(library lib/sfq.click);

define(
	$LAN eth0,  $LAN_ADDR 10.0.0.1/24,  $LAN_MAC 02:00:00:00:00:10,
	$LINE0 eth1,  $LINE0_MAC 02:00:00:00:01:10,  $PEER0_MAC 02:00:00:00:01:20,
	$LINE1 eth2,  $LINE1_MAC 02:00:00:00:02:10,  $PEER1_MAC 02:00:00:00:02:20,
	$T1 1536kbps
);

AddressInfo(lan $LAN_ADDR $LAN_MAC, line0 $LINE0_MAC, peer0 $PEER0_MAC, line1 $LINE1_MAC, peer1 $PEER1_MAC);

// ---- From the network ----------------------------------------------------------------------------------------------

FromDevice($LAN) -> c :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
to_lan :: Queue(200) -> ToDevice($LAN);
arpq :: ARPQuerier(lan) -> to_lan;

c[0] -> ARPResponder(lan) -> to_lan;
c[1] -> [1] arpq;
c[3] -> Discard;

c[2] -> Strip(14)
	-> CheckIPHeader(INTERFACES lan:ipnet)
	-> out :: IPClassifier(dst host lan, dst net lan:ipnet, -);

out[0] -> ICMPPingResponder -> arpq;            // the gateway can be pinged from its own side
out[1] -> Discard;                              // neighbours don't need it to talk to each other

out[2] -> ttl :: DecIPTTL
	-> red :: RED(20, 80, 0.05)
	-> urgent :: IPClassifier(ip dscp 46 || ip tos 16, icmp || udp port 53 || tcp port 22 || tcp port 23, -);
ttl[1] -> ICMPError(lan, timeexceeded) -> arpq;

// ---- What waits for the lines --------------------------------------------------------------------------------------

urgent[0] -> first :: Queue(50) -> [0] prio :: PrioSched;
urgent[1] -> first;
urgent[2] -> bulk :: SFQ(12, 8, 50) -> [1] prio;       // a flow is a pair of addresses

prio -> EtherEncap(0x0800, line0, peer0) -> BandwidthShaper($T1) -> sent0 :: Counter -> ToDevice($LINE0);
prio -> EtherEncap(0x0800, line1, peer1) -> BandwidthShaper($T1) -> sent1 :: Counter -> ToDevice($LINE1);

// ---- From the lines ------------------------------------------------------------------------------------------------

FromDevice($LINE0) -> in :: Classifier(12/0800);
FromDevice($LINE1) -> in;

in -> Strip(14)
	-> CheckIPHeader(INTERFACES lan:ipnet)
	-> home :: IPClassifier(dst net lan:ipnet)
	-> home_ttl :: DecIPTTL
	-> arpq;
home_ttl[1] -> Discard;
