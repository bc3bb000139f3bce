// bounce.click: a host that isn't there.  It answers ARP queries for its address, and pings.
//
//     clickbpf load configs/bounce.click DEV=enp1s0 ADDR=192.168.1.77 MAC=52:54:00:00:00:4d
//     ping 192.168.1.77                                  (from another machine)
//     clickbpf unload bounce
//
// The device is put in promiscuous mode, as the address MAC isn't its own.  Requests are turned into replies in place, in the kernel.  All other packets go to Linux.

define($DEV eth0, $ADDR 10.0.0.77, $MAC 02:00:00:00:00:4d);

out :: Queue(1000) -> ToDevice($DEV);
host :: ToHost;

FromDevice($DEV, PROMISC true) -> frames :: Classifier(12/0806 20/0001, 12/0800, -);

frames[0] -> asked :: ARPResponder($ADDR $MAC) -> out;
asked[1] -> host;                                  // queries for other addresses
frames[2] -> host;

frames[1] -> check :: CheckIPHeader(14)
	-> packets :: IPClassifier(dst host $ADDR and icmp type echo, -);
packets[0] -> ICMPPingResponder                    // swaps the IP addresses, makes it a reply, mends the checksum
	-> EtherMirror                             // swaps the Ethernet addresses
	-> out;
packets[1] -> host;
check[1] -> host;
