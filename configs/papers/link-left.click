// link-left.click: a router at the left end of a point-to-point link.
//
// The optimisation paper's example of what can be gained when routers are looked at together: each of two routers asks by
// ARP for the only neighbour that there is on their link.  Alone, neither can know that; combined, a pattern can.
//
//     clickbpf combine left=link-left.click right=link-right.click left.eth1=right.eth1 right.eth1=left.eth1 >both
//     clickbpf xform -p lib/noarp.clickpat both | clickbpf undead >better
//     clickbpf uncombine better left >left.click
//     clickbpf uncombine better right >right.click
//
// What comes out has fewer elements for each packet.  link-right.click is the other end.

define(
	$LAN eth0,  $LAN_IP 10.0.1.1,  $LAN_NET 10.0.1.0/24,  $LAN_MAC 02:00:00:00:01:10,
	$LINK eth1,  $LINK_IP 10.9.0.1,  $LINK_MAC 02:00:00:00:01:20,
	$PEER 10.9.0.2                       // the only neighbour on the link, and the next hop to everywhere else
);

rt :: StaticIPLookup($LAN_IP/32 0, $LINK_IP/32 0, $LAN_NET 1, $PEER/32 2, 0.0.0.0/0 $PEER 2);
rt[0] -> ICMPPingResponder -> rt;

// ---- The network ---------------------------------------------------------------------------------------------------

lan_queue :: Queue(200) -> ToDevice($LAN);
lan_arp :: ARPQuerier($LAN_IP, $LAN_MAC) -> lan_queue;

FromDevice($LAN) -> lan :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
lan[0] -> ARPResponder($LAN_IP $LAN_MAC) -> lan_queue;
lan[1] -> [1] lan_arp;
lan[2] -> Paint(1) -> ip :: Strip(14);
lan[3] -> Discard;

ip -> CheckIPHeader -> GetIPAddress(16) -> rt;

rt[1] -> DropBroadcasts -> lan_ttl :: DecIPTTL -> lan_arp;
lan_ttl[1] -> ICMPError($LAN_IP, timeexceeded) -> rt;

// ---- The link: both ends take whatever comes, for it can only be meant for them -------------------------------------

link_queue :: Queue(200) -> ToDevice($LINK);
link_arp :: ARPQuerier($LINK_IP, $LINK_MAC) -> link_queue;

FromDevice($LINK, PROMISC true) -> link :: Classifier(12/0806 20/0001, 12/0806 20/0002, 12/0800, -);
link[0] -> ARPResponder($LINK_IP $LINK_MAC) -> link_queue;
link[1] -> [1] link_arp;
link[2] -> Paint(2) -> ip;
link[3] -> Discard;

rt[2] -> DropBroadcasts -> link_ttl :: DecIPTTL -> link_arp;
link_ttl[1] -> ICMPError($LINK_IP, timeexceeded) -> rt;
