/* The layers of TCP: the base (base.inc.h) and the extensions, each a file included once for each TCPConnections that names it.
 * _extensions.py lists the hooks.
 *
 *	struct STATE { __u32 waiting; };	memory in each connection, zero at first: own(t)
 *
 *	HOOK(void, new_ack, __u32 bytes)	`t` is the connection
 *	{
 *		own(t)->waiting = 0;
 *		BELOW(new_ack)(t, bytes);	the same hook of the extension named before, or the base
 *	}
 *
 * t->all is struct tcp_connections. TOP(name) is the hook of the last layer, as the elements call it.
 */
#pragma once

#include "tcp/bytes.h"
#include "tcp/packets.h"
#include "tcp/scoreboard.h"

#define HOOK(result, name, ...) static __always_inline result PASTE(LAYER, name)(struct tcp *t UNUSED, ##__VA_ARGS__)
#define BELOW(name) PASTE(LOWER, name)
#define TOP(name) SELF(hook_##name)
#define STATE PASTE(LAYER, state)
#define own(t) ((struct STATE *)&(t)->own[PASTE(LOWER, end)])
/* After a layer: the beginning of the next one's memory, in words. */
#define STATE_ENDS(bytes) enum { PASTE(LAYER, end) = PASTE(LOWER, end) + ((bytes) + 7) / 8 }
