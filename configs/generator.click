// generator.click: send UDP packets at a rate, and count those that come back.
//
//     clickbpf load configs/generator.click DEV=enp1s0 RATE=10000 DST=10.0.0.2 DST_MAC=52:54:00:00:00:02
//     clickbpf write source.active true
//     clickbpf read sent.count
//     clickbpf read back.rate
//
// It sends COUNT packets of 60 bytes (without the checksum of the frame) once `source.active` is written, and again after
// `clickbpf write source.reset`.  The other end may be a host that answers, or a router whose other side is cabled to BACK,
// as in a measurement of its forwarding rate.  Packets that are no answers to ours go to Linux.

define(
	$DEV eth0,  $BACK $DEV,
	$RATE 1000,  $COUNT -1,             // packets per second; how many in all, -1 for no end
	$SRC 10.0.0.1,  $SRC_MAC 02:00:00:00:00:10,  $SPORT 1234,
	$DST 10.0.0.2,  $DST_MAC 02:00:00:00:00:20,  $DPORT 9
);

source :: RatedSource(DATA "clickbpf packet ->", LENGTH 18, RATE $RATE, LIMIT $COUNT, ACTIVE false)
	-> UDPIPEncap($SRC, $SPORT, $DST, $DPORT)
	-> EtherEncap(0x0800, $SRC_MAC, $DST_MAC)
	-> sent :: Counter
	-> Queue(1000)
	-> ToDevice($DEV);

FromDevice($BACK, PROMISC true) -> c :: Classifier(12/0800, -);
c[0] -> MarkIPHeader(14) -> ours :: IPClassifier(udp && src port $SPORT && dst port $DPORT || udp && src port $DPORT && dst port $SPORT, -);
ours[0] -> back :: Counter -> Discard;
ours[1] -> host :: ToHost;
c[1] -> host;
