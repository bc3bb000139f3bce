/* Filters in tcpdump's language, by libpcap. */
#pragma once

#include "base.h"

/* An instruction of classic BPF, as libpcap's struct bpf_insn. */
struct filter_row {
	__u16 code;
	__u8 jt, jf;
	__u32 k;
};

struct filter {
	struct filter_row *row;	/* NULL: everything matches */
	bool none;		/* nothing matches */
};

/* Compile a filter for packets of a link type (libpcap's DLT_ numbers). Returns the number of rows, at most `room`; or -errno,
 * with an error message in `complaint` (256 bytes).
 */
EXPORT int filter_compile(const char *text, int link_type, struct filter_row *row, __u32 room, char *complaint);
/* Keep a copy of the rows, to be freed with free(). 0 or -ENOMEM. */
int filter_keep(struct filter *filter, const struct filter_row *row, __u32 rows);
bool filter_takes(const struct filter *filter, const __u8 *bytes, __u32 length);
