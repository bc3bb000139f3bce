/* Filters in tcpdump's language: libpcap's compiler and interpreter. */
#include "filter.h"
#include <errno.h>
#include <pcap/pcap.h>
#include <stdlib.h>
#include <string.h>

/* The limit of a filter before optimisation, which takes seconds for more instructions. */
#define MOST_PLAIN 8192

/* Compile without optimisation, to refuse mistakes and filters that are too long. */
static int filter_compile_plainly(pcap_t *pcap, const char *text, char *complaint)
{
	struct bpf_program program;
	bool is_long;

	if (pcap_compile(pcap, &program, text, 0, PCAP_NETMASK_UNKNOWN)) {
		snprintf(complaint, 256, "%s", pcap_geterr(pcap));
		return -EINVAL;
	}
	is_long = program.bf_len > MOST_PLAIN;
	if (is_long)
		snprintf(complaint, 256, "it takes %u instructions, and may take %u", program.bf_len, MOST_PLAIN);
	pcap_freecode(&program);
	return is_long ? -E2BIG : 0;
}

int filter_compile(const char *text, int link_type, struct filter_row *row, __u32 room, char *complaint)
{
	pcap_t *pcap = pcap_open_dead(link_type, 65535);
	struct bpf_program program;
	int rows;

	_Static_assert(sizeof(*row) == sizeof(struct bpf_insn), "rows are libpcap's");
	if (!pcap)
		return -ENOMEM;
	rows = filter_compile_plainly(pcap, text, complaint);
	if (rows) {
		pcap_close(pcap);
		return rows;
	}
	if (pcap_compile(pcap, &program, text, 1, PCAP_NETMASK_UNKNOWN)) {
		snprintf(complaint, 256, "%s", pcap_geterr(pcap));
		pcap_close(pcap);
		return -EINVAL;
	}
	rows = program.bf_len <= room ? (int)program.bf_len : -E2BIG;
	if (rows > 0)
		memcpy(row, program.bf_insns, rows * sizeof(*row));
	else
		snprintf(complaint, 256, "it takes more than %u instructions", room);
	pcap_freecode(&program);
	pcap_close(pcap);
	return rows;
}

int filter_keep(struct filter *filter, const struct filter_row *row, __u32 rows)
{
	if (!rows)
		return 0;
	filter->row = malloc(rows * sizeof(*row));
	if (!filter->row)
		return -ENOMEM;
	memcpy(filter->row, row, rows * sizeof(*row));
	return 0;
}

bool filter_takes(const struct filter *filter, const __u8 *bytes, __u32 length)
{
	return !filter->none && (!filter->row || bpf_filter((const struct bpf_insn *)filter->row, bytes, length, length));
}
