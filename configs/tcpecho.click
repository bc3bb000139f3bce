// tcpecho.click: a TCP made of elements, which echoes at port 7 (RFC 862) and discards at port 9 (RFC 863).
//
//     clickbpf load configs/tcpecho.click HOST=192.0.2.1/24
//     nc 192.0.2.9 7
//     clickbpf read tcp.table
//
// It has all addresses of HOST's network but HOST, which is Linux's own on the tun device.  docs/tcp.md explains the line.

define($HOST 192.0.2.1/24, $CAPACITY 10000, $EXTENSIONS delayack slowstart cubic fastrecovery sack sackrecovery
	headerprediction windowscale timestamps);

tcp :: TCPConnections($CAPACITY, EXTENSIONS $EXTENSIONS);

tun :: KernelTun($HOST)
	-> TCPLookup(tcp)
	-> TCPListen(tcp, 7, 9)
	-> TCPSynSent(tcp)
	-> TCPTrim(tcp)
	-> TCPReset(tcp)
	-> TCPAcknowledge(tcp)
	-> TCPReassemble(tcp)
	-> TCPFin(tcp)
	-> port :: IPClassifier(dst tcp port 7, -);

port[0] -> TCPEcho(tcp) -> TCPOutput(tcp) -> tun;
port[1] -> TCPDiscard(tcp);
