#include "nat/ftp.h"
#include "nat/ports.h"

LASTING_OF(struct nat_rewriter, OTHER(control_rewriter, rewriter));
LASTING_OF(struct nat_rewriter, OTHER(data_rewriter, rewriter));

/* "PORT " */
#define COMMAND_LENGTH 5

/* Whether the packet's data begins with a PORT command; *header is the length of the TCP header. */
static bool SELF(is_command)(struct pkt *p, struct nat_packet *n, __u32 *header)
{
	const __u8 *data;

	if (!nat_parse_ports(p, n) || !n->tcp)
		return false;
	*header = (n->tcp->offset >> 4) * 4;
	if (*header < sizeof(*n->tcp))
		return false;
	data = pkt_data(p, pkt_transport_offset(p) + *header, COMMAND_LENGTH);
	/* Ignores case, which is one bit. */
	return data && (data[0] & 0xdf) == 'P' && (data[1] & 0xdf) == 'O' && (data[2] & 0xdf) == 'R' && (data[3] & 0xdf) == 'T' &&
	       data[4] == ' ';
}

ELEMENT(FTPPortMapper)
{
	struct nat_packet n = {};
	__u32 header;

	if (!SELF(is_command)(p, &n, &header))
		return OUTPUT(0);
	ftp_translate(p, &n, header, OTHER(control_rewriter, rewriter), OTHER(data_rewriter, rewriter), var(vars)->input);
	return OUTPUT(0);
}
