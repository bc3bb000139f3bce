// etherswitch.click: an Ethernet switch that speaks the spanning tree protocol, with two ports.
//
// From the Click paper's section on other kinds of routers (Figure 16).  The elements keep apart what IEEE 802.1D's standard
// describes together: EtherSwitch learns and forwards; EtherSpanTree talks to the neighbours' switches and decides which
// ports are in the tree; two Suppressors, before and after the switch, carry that out, so that the switch need not know.
// A port that isn't in the tree drops what comes in and what should go out, but for the protocol's own messages, which
// go around the Suppressors.
//
//     clickbpf load -n switch configs/papers/etherswitch.click P0=enp1s0 P1=enp2s0 ADDR=$(cat /sys/class/net/enp1s0/address)
//     clickbpf read tree.states tree.msgs switch.table
//
// With the standard's times a port forwards half a minute after the start.  PRIORITY decides which switch becomes
// the root: the least.

define(
	$P0 eth0, $P1 eth1,
	$ADDR 02:00:00:00:00:01, $PRIORITY 0x8000,
	$HELLO_TIME 2s, $MAX_AGE 20s, $FORWARD_DELAY 15s
);

tree :: EtherSpanTree($ADDR, in, out, switch, BRIDGE_PRIORITY $PRIORITY,
	HELLO_TIME $HELLO_TIME, MAX_AGE $MAX_AGE, FORWARD_DELAY $FORWARD_DELAY);
switch :: EtherSwitch;
in, out :: Suppressor;

// The protocol's messages are the packets of IEEE 802.2 with the access point 0x42.

c0 :: Classifier(14/4242, -);
c1 :: Classifier(14/4242, -);
q0 :: Queue(1000);
q1 :: Queue(1000);

FromDevice($P0, PROMISC true) -> c0;
c0[0] -> [0] tree [0] -> q0;
c0[1] -> [0] in [0] -> [0] switch [0] -> [0] out [0] -> q0 -> ToDevice($P0);

FromDevice($P1, PROMISC true) -> c1;
c1[0] -> [1] tree [1] -> q1;
c1[1] -> [1] in [1] -> [1] switch [1] -> [1] out [1] -> q1 -> ToDevice($P1);
