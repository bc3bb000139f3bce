// print-pings.click: print the pings (ICMP echo requests) that arrive on a device; Linux answers them as ever.
//
//     clickbpf run configs/print-pings.click DEV=enp1s0        (ends with Ctrl-C)
//
// Printing is not for the kernel, but it takes no more than a look: the pings stay in the kernel, which shows copies of their
// headers to the runtime.

define($DEV eth0);

FromDevice($DEV) -> frames :: Classifier(12/0800, -);
host :: ToHost;

frames[0] -> check :: CheckIPHeader(14)            // the IP header begins after 14 bytes of Ethernet header
	-> packets :: IPClassifier(icmp type echo, -);
frames[1] -> host;                                 // not IP
check[1] -> host;                                  // not well-formed: for Linux to judge

packets[0] -> IPPrint(ping) -> host;
packets[1] -> host;
