// tcpproxy.click: a TCP proxy. Whoever connects to PORT of any address here talks to a server, which sees the proxy only.
//
//     clickbpf load configs/tcpproxy.click SERVER=192.0.2.1 SPORT=8080
//     curl http://192.0.2.9/
//     clickbpf read tcp.table
//
// It has all addresses of HOST's network but HOST, which is Linux's own on the tun device; OWN is the one that the server sees.  A
// server that isn't this host needs a route to OWN.

define($HOST 192.0.2.1/24, $OWN 192.0.2.9, $PORT 80, $SERVER 192.0.2.1, $SPORT 8080, $CAPACITY 10000,
	$EXTENSIONS delayack slowstart cubic fastrecovery sack sackrecovery windowscale timestamps);

tcp :: TCPConnections($CAPACITY, EXTENSIONS $EXTENSIONS, BUFFER 131072, MEMORY 1073741824);

tun :: KernelTun($HOST)
	-> TCPLookup(tcp)
	-> TCPListen(tcp, $PORT)
	-> TCPSynSent(tcp)
	-> TCPTrim(tcp)
	-> TCPReset(tcp)
	-> TCPAcknowledge(tcp)
	-> TCPReassemble(tcp)
	-> TCPFin(tcp)
	-> TCPSplice(tcp, $PORT, $OWN, $SERVER, $SPORT)
	-> TCPOutput(tcp)
	-> tun;
