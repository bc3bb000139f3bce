// lib/gateway.click: an IP router with two interfaces, one of whose routes is an IPsec tunnel, to require(library).
//
// Who requires it defines its variables ($ETH0 and so on, see papers/vpn.click) and two element classes:
//
//   IntoTunnel     IP packets in, ESP packets out, for an IP header of protocol 50
//   OutOfTunnel    the reverse

require(library interface.click);

AddressInfo(if0 $ADDR0 $MAC0, if1 $ADDR1 $MAC1);

p0 :: Interface($ETH0, 1, if0, $MTU0, if0:ipnet if1:ipnet);
p1 :: Interface($ETH1, 2, if1, $MTU1, if0:ipnet if1:ipnet);

rt :: StaticIPLookup(
	if0:ip/32 0,  if0:bcast/32 0,  if1:ip/32 0,  if1:bcast/32 0,  255.255.255.255/32 0,
	if0:ipnet 1,  if1:ipnet 2,  $REMOTE 3,  0.0.0.0/0 $GW 1
);

rt[1] -> p0 -> Queue(1000) -> ToDevice($ETH0);
rt[2] -> p1 -> Queue(1000) -> ToDevice($ETH1);

// Into the tunnel: only from the site.  Packets too long for it are cut, or refused if they must not be.  An ESP packet is
// routed to the peer as any other.

rt[3] -> enter :: IPClassifier(src net if1:ipnet, -);
enter[0] -> ttl :: DecIPTTL
	-> fits :: IPFragmenter($TUNNEL_MTU)
	-> into :: IntoTunnel
	-> IPEncap(50, if0, $PEER)
	-> sent :: Counter
	-> rt;
enter[1] -> strangers :: Counter -> Discard;
ttl[1] -> ICMPError(if1, timeexceeded) -> rt;
fits[1] -> ICMPError(if1, unreachable, needfrag, PMTU $TUNNEL_MTU) -> rt;

// Out of the tunnel: what the peer has sent, from the network behind it to the site.  Others, Linux for one, cut ESP packets
// that are too long for a link, and not what goes into them.

rt[0] -> mine :: IPClassifier(ip proto 50 && src host $PEER && dst host if0, -);
mine[0] -> IPReassembler
	-> StripIPHeader
	-> outof :: OutOfTunnel
	-> CheckIPHeader
	-> leave :: IPClassifier(src net $REMOTE && dst net if1:ipnet, -);
leave[0] -> received :: Counter -> GetIPAddress(16) -> rt;
leave[1] -> forged :: Counter -> Discard;

// What claims to come from there must not come in the clear.

p0[1] -> clear :: IPClassifier(src net $REMOTE, -);
clear[0] -> forged;
clear[1] -> rt;

// For this router.

mine[1] -> local :: PaintSwitch;
local[0] -> Discard;
local[1] -> [1] p0;
local[2] -> [1] p1;
host :: ToHost;

p0[2] -> host;
p1[1] -> rt;  p1[2] -> host;
