// tcpload.click: open TCP connections at a rate, and send data by each.
//
//     clickbpf load configs/tcpload.click SERVER=192.0.2.1 PORT=7 RATE=1000 LENGTH=10000 AT_A_TIME=500
//     clickbpf read source.over
//     clickbpf read tcp.retransmitted
//
// The connections begin at CLIENT, an address behind a tun device where HOST is Linux's own.  A server that isn't this host
// needs a route to CLIENT.

define($HOST 192.0.2.1/24, $CLIENT 192.0.2.9, $SERVER 192.0.2.1, $PORT 7, $RATE 10, $LENGTH 1000, $AT_A_TIME 100, $COUNT -1);

tcp :: TCPConnections(20000, EXTENSIONS delayack slowstart fastrecovery headerprediction);

source :: TCPSource(tcp, $CLIENT, $SERVER, $PORT, RATE $RATE, LENGTH $LENGTH, CONNECTIONS $AT_A_TIME, LIMIT $COUNT)
	-> TCPOutput(tcp)
	-> tun :: KernelTun($HOST)
	-> TCPLookup(tcp)
	-> TCPListen(tcp)
	-> TCPSynSent(tcp)
	-> TCPTrim(tcp)
	-> TCPReset(tcp)
	-> TCPAcknowledge(tcp)
	-> TCPReassemble(tcp)
	-> TCPFin(tcp)
	-> source;
