// pcap-count.click: count the packets of a capture file.
//
//     clickbpf run configs/pcap-count.click FILE=some.pcap -h c.count -h c.byte_count
//
// No device, no kernel, no rights needed: user space runs every element.  The router ends with the file (STOP).

define($FILE -);

FromDump($FILE, STOP true) -> c :: Counter -> Discard;
