/* Names for the capability field of management frames (IEEE 802.11, 9.4.1.4).
 *
 * Runtime only.
 */
#pragma once

#include <stdio.h>

/* Print the names of the set bits, separated by spaces; returns whether there are any. */
static inline bool wifi_print_abilities(FILE *to, __u16 field)
{
	static const char *const names[] = {"ESS", "IBSS", "CF_POLLABLE", "CF_POLLREQ", "PRIVACY"};
	bool any = false;

	for (__u32 i = 0; i < sizeof(names) / sizeof(*names); i++) {
		if (!(field >> i & 1))
			continue;
		fprintf(to, "%s%s", any ? " " : "", names[i]);
		any = true;
	}
	return any;
}
