ELEMENT(Suppressor)
{
	const struct SELF(ports) *port = at(ports, input);

	return port && !port->shut ? OUTPUT(input) : DROP(DISCARDED);
}

#if USERSPACE

PULL()
{
	return at(ports, output)->shut ? NULL : pull(output);
}

/* For EtherSpanTree, which shuts and opens ports. */
static __attribute__((unused)) void SELF(set_shut)(__u32 number, bool shut)
{
	struct SELF(ports) *port = at(ports, number);

	if (port)
		port->shut = shut;
	wake_pullers();
}

#include "common/wake.inc.h"

#endif
