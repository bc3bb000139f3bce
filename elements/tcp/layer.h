/* How the layers of TCP are written: the base (base.inc.h) and the extensions, each a file that is included once for each
 * TCPConnections that names it. _extensions.py lists the hooks.
 *
 *	struct STATE { __u32 waiting; };	at most 64 bytes in each connection, zero at first: own(t)
 *
 *	HOOK(void, new_ack, __u32 bytes)	`t` is the connection
 *	{
 *		own(t)->waiting = 0;
 *		BELOW(new_ack)(t, bytes);	the same hook of the extension named before, or the base
 *	}
 *
 * all() is struct tcp_connections. TOP(name) is the hook of the last layer, as the elements call it.
 */
#pragma once

#include "tcp/bytes.h"
#include "tcp/packets.h"

#define HOOK(result, name, ...) static __always_inline result PASTE(LAYER, name)(struct tcp *t UNUSED, ##__VA_ARGS__)
#define BELOW(name) PASTE(LOWER, name)
#define TOP(name) SELF(hook_##name)
#define STATE PASTE(LAYER, state)
#define own(t)                                                                                                    \
	({                                                                                                        \
		_Static_assert(sizeof(struct STATE) <= TCP_EXTRA_WORDS * 8, "an extension has 64 bytes");         \
		(struct STATE *)&(t)->own[OWN_PLACE];                                                             \
	})
#define all() SELF(all)
