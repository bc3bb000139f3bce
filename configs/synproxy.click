// synproxy.click: a wire between the world and servers, which meet only clients that answer.
//
//     clickbpf load configs/synproxy.click WORLD=enp1s0 SERVERS=enp2s0 PORTS="80, 443"
//     clickbpf read proxy.answered proxy.open
//
// SYNs to PORTS of any server are answered here, in the kernel, until a client has acknowledged the answer: a flood of SYNs from forged
// addresses reaches neither the servers nor the runtime, and takes no memory.  All else passes: ARP, other ports, and what servers ask of
// others.  Load it before clients connect: segments to PORTS of connections that it hasn't seen begin are answered with resets.

define($WORLD eth0, $SERVERS eth1, $PORTS 80);

proxy :: SYNProxy($PORTS);

FromDevice($WORLD, PROMISC true) -> in :: Classifier(12/0800, 12/86dd, -);
FromDevice($SERVERS, PROMISC true) -> out :: Classifier(12/0800, 12/86dd, -);

to_servers :: Queue(1000) -> ToDevice($SERVERS);
to_world :: Queue(1000) -> ToDevice($WORLD);

in[0] -> CheckIPHeader(14) -> asked :: IPClassifier(tcp, -);
out[0] -> CheckIPHeader(14) -> told :: IPClassifier(tcp, -);

asked[0] -> CheckTCPHeader -> to_proxy :: Null -> [0] proxy [0] -> to_servers;
told[0] -> CheckTCPHeader -> from_proxy :: Null -> [1] proxy [1] -> to_world;

asked[1] -> to_proxy;
told[1] -> from_proxy;

in[1] -> MarkIP6Header(14) -> to_proxy;
out[1] -> MarkIP6Header(14) -> from_proxy;

in[2] -> to_servers;
out[2] -> to_world;
