// diffserv.click: a DiffServ traffic conditioner with four classes.
//
// From the Click paper's section on Differentiated Services (Figure 15).  Packets are distinguished by their DSCP.  Three
// classes have a rate each that they must not pass, and three ways to be held to it are shown; they have priority over
// the fourth, which is best effort:
//
//   A   7500 packets/s; while there are more, all are dropped
//   B   10000 packets/s; the rest waits
//   C   12500 packets/s; while there are more, all become best effort: they get D's code, and go where D goes
//   D   what is left, with RED
//
// A, B and C are served in turn.  A Meter sends the whole stream aside while it is too fast.  RatedSplitters in their place would let
// what may pass do so, and send only the rest aside.
//
// The conditioner stands in a cable, between IN and OUT; the link after OUT takes LINK packets a second.
//
//     clickbpf load configs/papers/diffserv.click IN=enp1s0 OUT=enp2s0 LINK=40000
//     clickbpf read policed.count

define(
	$IN eth0,  $OUT eth1,  $LINK 60000,
	$A 10,  $A_RATE 7500,               // the classes' DSCPs and rates
	$B 12,  $B_RATE 10000,
	$C 14,  $C_RATE 12500,
	$D 0
);

FromDevice($IN, PROMISC true) -> c :: Classifier(12/0800, -);

c[0] -> CheckIPHeader(14)
	-> class :: IPClassifier(ip dscp $A, ip dscp $B, ip dscp $C, -);
c[1] -> other :: Queue -> [0] link :: PrioSched;                    // ARP and the like are few, and must not wait

best :: RED(5, 50, 0.02) -> qd :: Queue(200);

class[0] -> a :: Meter($A_RATE) -> qa :: Queue(50);
a[1] -> policed :: Counter -> Discard;
class[1] -> qb :: Queue(50);
class[2] -> cc :: Meter($C_RATE) -> qc :: Queue(50);
cc[1] -> SetIPDSCP($D) -> demoted :: Counter -> best;
class[3] -> best;

qa -> [0] turn :: RoundRobinSched;
qb -> Shaper($B_RATE) -> [1] turn;
qc -> [2] turn;
turn -> [1] link;
qd -> [2] link;

link -> Shaper($LINK) -> ToDevice($OUT);

FromDevice($OUT, PROMISC true) -> Queue -> ToDevice($IN);
