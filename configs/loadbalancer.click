// loadbalancer.click: TCP connections to one address are spread over several servers.
//
//     clickbpf load -n web configs/loadbalancer.click OUTSIDE=enp1s0 INSIDE=enp2s0 SERVICE=203.0.113.80/24 ...
//
// Every new connection gets the next server; its packets then go there, and the answers back, by the kernel alone.  A client
// that shall always meet the same server: replace RoundRobinIPMapper by SourceIPHashMapper, as in the comment below.
//
// Servers come and go while connections go on:
//
//     clickbpf write -r web servers.active1 false             take server 1 out: no new connections; those it has finish
//     clickbpf read -r web nat.tcp_table                      ... and here they are seen to
//     clickbpf write -r web servers.pattern1 '- - 10.0.0.9 - 0 1'   the place is another machine's now,
//     clickbpf write -r web health1/asks.dst 10.0.0.9               which is asked whether it is there
//     clickbpf write -r web servers.active1 true              back again
//     clickbpf read -r web servers.patterns
//
// A server that answers no ping for PATIENCE is taken out, and comes back when it answers again; nothing else is changed by that, so a
// server that was taken out by hand stays out.  A health check of another kind calls the same handlers.  The servers have this machine's
// inner address as their gateway.

define(
	$OUTSIDE eth0,  $SERVICE 203.0.113.80/24,  $OUT_MAC 02:00:00:00:00:10,   // what clients connect to
	$INSIDE eth1,   $GATEWAY 10.0.0.254/24,    $IN_MAC 02:00:00:00:01:10,    // the servers' side
	$ROUTER 203.0.113.1,                                                     // the next hop to clients
	$S0 10.0.0.1, $S1 10.0.0.2, $S2 10.0.0.3, $S3 10.0.0.4,
	$CONNECTIONS 262144,
	$PATIENCE 3s
);

AddressInfo(out $SERVICE $OUT_MAC, in $GATEWAY $IN_MAC);

// ---- Who gets a connection -----------------------------------------------------------------------------------------

servers :: RoundRobinIPMapper(- - $S0 - 0 1, - - $S1 - 0 1, - - $S2 - 0 1, - - $S3 - 0 1);
// servers :: SourceIPHashMapper(40 1, - - $S0 - 0 1 0, - - $S1 - 0 1 1, - - $S2 - 0 1 2, - - $S3 - 0 1 3);

// What the servers send and is no answer is dropped.
nat :: IPRewriter(servers, drop, MAPPING_CAPACITY $CONNECTIONS);
errors :: ICMPRewriter(nat);

// ---- Clients' side -------------------------------------------------------------------------------------------------

out_queue :: Queue(1000) -> ToDevice($OUTSIDE);
in_queue :: Queue(1000) -> ToDevice($INSIDE);
out_arp :: ARPQuerier(out) -> out_queue;
in_arp :: ARPQuerier(in) -> in_queue;

from_out :: FromDevice($OUTSIDE) -> co :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
co[0] -> ARPResponder(out) -> out_queue;
co[1] -> [1] out_arp;
co[2] -> Strip(14) -> CheckIPHeader
	-> outside :: IPClassifier(dst host out and tcp, dst host out and icmp type echo, dst host out and icmp, -);
co[3], outside[3] -> Discard;

outside[0] -> DecIPTTL -> [0] nat;
outside[1] -> ICMPPingResponder -> to_clients :: Null;
outside[2] -> errors;

// ---- Servers' side -------------------------------------------------------------------------------------------------

from_in :: FromDevice($INSIDE) -> ci :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
ci[0] -> ARPResponder(in) -> in_queue;
ci[1] -> [1] in_arp;
ci[2] -> Strip(14) -> CheckIPHeader
	-> inside :: IPClassifier(tcp, dst host in and icmp type echo, dst host in and icmp type echo-reply, icmp, -);
ci[3], inside[4] -> Discard;

inside[0] -> DecIPTTL -> [1] nat;
inside[1] -> ICMPPingResponder -> [0] in_arp;
inside[3] -> errors_out :: ICMPRewriter(nat);

nat[0], errors -> [0] in_arp;
nat[1], errors_out -> to_clients;
to_clients -> StaticIPLookup(out:ipnet 0, 0.0.0.0/0 $ROUTER 0) -> [0] out_arp;

// ---- Which servers are there ---------------------------------------------------------------------------------------
//
// Pings are told apart by their identifiers, which are in this machine's byte order.

elementclass Health { $server, $number, $active |
	asks :: ICMPPingSource(in, $server, IDENTIFIER $number, VERBOSE false) -> output;
	input -> answers :: Counter -> Discard;
	Script(set up true, label again, wait $PATIENCE, set now $(gt $(answers.count) 0), write answers.reset, goto again $(eq $now $up),
		set up $now, write $active $up, goto again);
}

inside[2] -> by_server :: Classifier(24/0000, 24/0100, 24/0200, 24/0300, -);
by_server[0] -> health0 :: Health($S0, 0, servers.active0) -> [0] in_arp;
by_server[1] -> health1 :: Health($S1, 1, servers.active1) -> [0] in_arp;
by_server[2] -> health2 :: Health($S2, 2, servers.active2) -> [0] in_arp;
by_server[3] -> health3 :: Health($S3, 3, servers.active3) -> [0] in_arp;
by_server[4] -> Discard;
