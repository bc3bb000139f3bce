// pcap-flows.click: one line for each TCP and UDP flow of a capture file.
//
//     clickbpf run configs/pcap-flows.click FILE=some.pcap
//
// Each line has the times of the flow's first and last packet, addresses, ports and protocol of the last, and how many packets
// there were, both directions together.

define($FILE -, $OUT -);

FromDump($FILE, STOP true, FORCE_IP true)
	-> flows :: AggregateIPFlows
	-> last :: AggregateLast(NOTIFIER flows)
	-> ToIPSummaryDump($OUT, FIELDS first_timestamp timestamp ip_src sport ip_dst dport ip_proto count);

// Flows that are not over at the end of the file are written then.
DriverManager(pause, write flows.clear, write last.clear, wait 1ms, stop);
