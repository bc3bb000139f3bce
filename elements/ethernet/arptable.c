#include "ethernet/arp.h"
#include "ethernet/arptables.h"
#include "ethernet/arpkeeper.inc.h"

TIMER()
{
	const __s64 next = arp_clean(SELF(arp), now());

	if (next != ARP_NEVER)
		timer_at(next);
}

INIT()
{
	const int error = SELF(open_table)();

	if (!error)
		SELF(timer)();
	return error;
}

CLEANUP()
{
	arp_close(SELF(arp));
}

CONTROL()
{
	SELF(control_table)(op, argument);
	return 0;
}
