#include "common/rows.inc.h"

ELEMENT(EtherCount)
{
	const struct ethhdr *eth = pkt_data(p, 0, sizeof(*eth));
	struct SELF(row) *row;
	__u64 source = 0;

	if (!eth)
		return OUTPUT(0);
	__builtin_memcpy(&source, eth->h_source, ETH_ALEN);
	row = table_get(SELF(table)(), source);
	if (row)
		row->packets++;
	return OUTPUT(0);
}
