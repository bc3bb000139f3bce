// syncookies.click: an echo server of elements whose SYNs the kernel answers, so that a flood of them takes nothing.
//
//     clickbpf load configs/syncookies.click DEV=enp1s0 ADDR=10.0.0.1 MAC=02:00:00:00:00:10
//     clickbpf read flooded.rate
//     clickbpf read tcp.table
//
// ADDR is the router's own address on DEV; packets for others go to Linux.  Whoever acknowledges an answer of SYNCookies has a
// connection, and only then the runtime hears of it.

define($DEV eth0, $ADDR 10.0.0.1, $MAC 02:00:00:00:00:10, $PORT 7);

tcp :: TCPConnections(10000, EXTENSIONS delayack slowstart fastrecovery headerprediction);

FromDevice($DEV) -> c :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
out :: Queue(1000) -> ToDevice($DEV);

c[0] -> ARPResponder($ADDR $MAC) -> out;
c[1] -> [1] arp :: ARPQuerier($ADDR, $MAC) -> out;
c[2] -> CheckIPHeader(14) -> ours :: IPClassifier(dst host $ADDR && tcp, -);
c[3] -> linux :: ToHost;
ours[1] -> linux;

ours[0] -> CheckTCPHeader
	-> cookies :: SYNCookies($PORT)
	-> Strip(14)
	-> TCPLookup(tcp)
	-> TCPListen(tcp, $PORT, COOKIES cookies)
	-> TCPSynSent(tcp)
	-> TCPTrim(tcp)
	-> TCPReset(tcp)
	-> TCPAcknowledge(tcp)
	-> TCPReassemble(tcp)
	-> TCPFin(tcp)
	-> TCPEcho(tcp)
	-> TCPOutput(tcp)
	-> arp;

cookies[1] -> EtherMirror -> flooded :: Counter -> out;
