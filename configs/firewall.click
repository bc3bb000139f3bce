// firewall.click: the packet filter of a router between the Internet and a network of servers, 17 rules.
//
// The rules have the shape of the "interior router" in Zwicky, Cooper and Chapman, "Building Internet Firewalls" (second
// edition), on which Click's authors showed what optimising a filter is worth.  They let in answers to what the inside
// asked, and mail, news and name service between the hosts that provide them.  The rule before the last is for questions
// to the name server by TCP: a packet that it lets through has been refused by the fifteen before it.
//
//     clickbpf load configs/firewall.click OUTSIDE=enp1s0 INSIDE=enp2s0
//
// Compiled, a packet is not compared with one rule after another: it is asked for its protocol, its addresses and its
// ports once each, and every answer is used by all rules.  `clickbpf read filter.program` shows how.

define($OUTSIDE eth0, $INSIDE eth1);

AddressInfo(
	internal 192.0.2.0/24,          // the network that is protected
	bastion 198.51.100.10,          // the host outside that does mail, news and the web for it
	feed 203.0.113.119,             // where news comes from
	internal_mail 192.0.2.25, internal_news 192.0.2.119, internal_dns 192.0.2.53
);

// ---- The rules -----------------------------------------------------------------------------------------------------

filter :: IPFilter(
	// Spoofing: our own addresses don't come from outside.
	deny src net internal,
	// The web, through the bastion's proxy.
	allow src bastion && dst net internal && tcp && src port www && dst port > 1023 && ack,
	// Telnet and SSH: answers.
	allow dst net internal && tcp && src port telnet && dst port > 1023 && ack,
	allow dst net internal && tcp && src port ssh && ack,
	// SSH into the network.
	allow dst net internal && tcp && dst port ssh,
	// FTP: answers, and data connections that we opened.
	allow dst net internal && tcp && src port ftp && dst port > 1023 && ack,
	allow dst net internal && tcp && src port > 1023 && dst port > 1023 && ack,
	// FTP through the bastion's proxy, which opens data connections.
	allow src bastion && dst net internal && tcp && src port ftp && dst port > 1023 && ack,
	allow src bastion && dst net internal && tcp && src port > 1023 && dst port > 1023,
	// Mail between the bastion and the mail server.
	allow src bastion && dst internal_mail && tcp && src port smtp && dst port > 1023 && ack,
	allow src bastion && dst internal_mail && tcp && src port > 1023 && dst port smtp,
	// News between the feed and the news server.
	allow src feed && dst internal_news && tcp && src port nntp && dst port > 1023 && ack,
	allow src feed && dst internal_news && tcp && src port > 1023 && dst port nntp,
	// Names: servers ask each other by UDP, zones are transferred by TCP.
	allow src bastion && dst internal_dns && udp && src port domain && dst port domain,
	allow src bastion && dst internal_dns && tcp && src port domain && dst port > 1023 && ack,
	allow src bastion && dst internal_dns && tcp && src port > 1023 && dst port domain,
	// Nothing else.
	deny all
);

// ---- Inwards -------------------------------------------------------------------------------------------------------
//
// IP goes through the filter, ARP passes, the rest doesn't.

from_outside :: FromDevice($OUTSIDE, PROMISC true)
	-> c :: Classifier(12/0800, 12/0806, -);

to_inside :: Queue -> ToDevice($INSIDE);

c[0] -> Strip(14) -> CheckIPHeader -> filter -> Unstrip(14) -> passed :: Counter -> to_inside;
c[1] -> to_inside;
c[2] -> other :: Counter -> Discard;

// ---- Outwards ------------------------------------------------------------------------------------------------------

FromDevice($INSIDE, PROMISC true) -> Queue -> ToDevice($OUTSIDE);
