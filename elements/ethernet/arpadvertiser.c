#include "ethernet/gratuitous.inc.h"

static void SELF(advertise)(void)
{
	for (__u32 i = 0; i < var(vars)->count; i++) {
		const struct SELF(table) *entry = at(table, i);

		SELF(send)(entry->dsteth, entry->dstip, entry->srceth, entry->srcip);
	}
}
