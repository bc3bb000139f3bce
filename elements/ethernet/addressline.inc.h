/* Prints the addresses of the Ethernet header before a packet's network header; included once for each instance. */
#include "common/line.h"

static void SELF(ethernet)(struct line *line, struct pkt *p)
{
	const int mac = pkt_has_mac_header(p) ? pkt_mac_offset(p) : 0;
	const struct ethhdr *eth = pkt_data(p, mac, sizeof(*eth));

	if (!eth || mac + ETH_HLEN > pkt_network_offset(p))
		return;
	line_ether(line, eth->h_source);
	fputs(" > ", line->to);
	line_ether(line, eth->h_dest);
	fputs(": ", line->to);
}
