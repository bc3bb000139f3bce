/* How long flows and pairs of hosts have been silent, in seconds of packets' timestamps. Runtime only. */
#pragma once

#include "ip/ip.h"

static inline bool is_older(__s32 time, __s32 than)
{
	return (__s32)((__u32)time - (__u32)than) < 0;
}

/* Packets without a timestamp get the present time; the first one is reported. `class` is a string. */
#define need_timestamp(p, class)                                                                             \
	do {                                                                                                 \
		if ((p)->timestamp)                                                                          \
			break;                                                                               \
		warn(1, "%s :: " class ": warning: packet received without timestamp", SELF(name));          \
		(p)->timestamp = wall_clock();                                                               \
	} while (0)
