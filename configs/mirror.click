// mirror.click: a cable with a tap.  Whatever passes in either direction is also sent to a third device.
//
//     clickbpf load configs/mirror.click ONE=enp1s0 OTHER=enp2s0 TAP=enp3s0
//     clickbpf read onward.count
//
// The copies carry no sign of their direction but the Ethernet addresses.  To look at some packets only, put an
// IPClassifier or a Classifier before a `tap`; to look at the beginning of packets, Truncate(128).

define($ONE eth0, $OTHER eth1, $TAP eth2);

tap :: Queue(1000) -> tapped :: Counter -> ToDevice($TAP);

FromDevice($ONE, PROMISC true) -> onward :: Counter -> t0 :: Tee(2);
FromDevice($OTHER, PROMISC true) -> back :: Counter -> t1 :: Tee(2);

t0[0] -> Queue -> ToDevice($OTHER);
t1[0] -> Queue -> ToDevice($ONE);
t0[1] -> tap;
t1[1] -> tap;
