/* PORT commands of FTP (RFC 959, 4.1.2) through a NAT: reading and rewriting them. */
#include "element.h"
#include "natstructures.h"
#include "ip/sum.h"
#include "nat/ftp.h"
#include "nat/ports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A command's argument: its position in the data, and its value. */
struct ftp_port {
	__u32 start, length;
	__be32 address;
	__be16 port;
};

/* Read the argument of a command, whose line must end within `length` bytes of data. False if it is malformed. */
static bool ftp_parse_port(const char *data, __u32 length, __u32 start, struct ftp_port *found)
{
	unsigned int numbers[6] = {};
	int which = 0;
	__u32 at;

	while (start < length && data[start] == ' ')
		start++;
	for (at = start; at < length && data[at] != '\r' && data[at] != '\n'; at++) {
		if (data[at] == ',' && which < 5)
			which++;
		else if (data[at] >= '0' && data[at] <= '9' && numbers[which] < 256)
			numbers[which] = 10 * numbers[which] + data[at] - '0';
		else
			return false;
	}
	for (int i = 0; i < 6; i++)
		if (numbers[i] > 255)
			return false;
	*found = (struct ftp_port){.start = start, .length = at - start,
				   .address = IPV4(numbers[0], numbers[1], numbers[2], numbers[3]),
				   .port = htons(numbers[4] << 8 | numbers[5])};
	return which == 5 && at < length;
}

static int ftp_unparse_port(char text[32], __be32 address, __be16 port)
{
	const __u32 a = ntohl(address), number = ntohs(port);

	return snprintf(text, 32, "%u,%u,%u,%u,%u,%u", a >> 24, a >> 16 & 0xff, a >> 8 & 0xff, a & 0xff, number >> 8, number & 0xff);
}

/* Replace `old` bytes at `offset` by `new` bytes of `text`, and move the rest. False when out of memory. */
static bool ftp_replace(struct pkt *p, __u32 offset, __u32 old, const char *text, __u32 new)
{
	const __u32 behind = pkt_len(p) - offset - old;

	if (new > old && !pkt_put(p, new - old))
		return false;
	memmove(p->data + offset + new, p->data + offset + old, behind);
	memcpy(p->data + offset, text, new);
	return pkt_trim(p, offset + new + behind);
}

/* Update the packet's length: the IP header's field and both checksums. */
static void ftp_set_lengths(struct pkt *p)
{
	struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct tcp_header *tcp = pkt_transport_header(p, sizeof(*tcp));
	const __be16 length = htons(pkt_len(p) - pkt_network_offset(p));
	__u64 sum = 0;

	ip->check = checksum_update(ip->check, ip->tot_len, length);
	ip->tot_len = length;
	tcp->checksum = 0;
	if (transport_sum(p, ip, transport_length(p), &sum))
		tcp->checksum = ~checksum_fold(sum);
}

/* From sequence number `from` on, one direction of a flow is `by` bytes longer. */
static void nat_shift_flow(struct nat_rewriter *r, __u32 found, __u32 from, int by)
{
	struct nat_flow *flow = &r->flow[found >> 1];
	struct nat_changes **changes = &r->changes[found >> 1];
	const int direction = found & 1;

	if (!*changes)
		*changes = calloc(1, sizeof(**changes));
	if (!*changes || !nat_change_sequence(*changes, direction, from, by))
		return;
	nat_set(flow, sequence_delta[direction], (*changes)->latest[direction]->by);
	nat_set(flow, marks, flow->marks | NAT_SHIFTED);
}

void ftp_translate(struct pkt *p, const struct nat_packet *n, __u32 header, struct nat_rewriter *control,
				 struct nat_rewriter *data, int input)
{
	const __u32 offset = pkt_transport_offset(p) + header, length = n->length - header;
	const __u32 sequence = ntohl(n->tcp->sequence);
	const __u32 connection = nat_entry(control, PROTOCOL_TCP, &n->key, -1);
	const __u32 generation = control->flow[connection >> 1].generation;
	struct nat_key key = {.daddr = n->ip->daddr, .dport = htons(ntohs(n->tcp->destination) - 1)};
	struct nat_target target;
	struct ftp_port port;
	char text[32];
	__u32 found;
	int size;

	if (!connection || !ftp_parse_port((const char *)p->data + offset, length, 5, &port))
		return;
	/* The client may name only its own address, so that it can't open another host to the peer, or use up that host's share of
	 * flows (RFC 2577, 3). The peer may name any address, as in Click: it is opened only to the connection's own rewritten
	 * address.
	 */
	if (connection % 2 == 0 && port.address != n->ip->saddr)
		return;
	key.saddr = port.address;
	key.sport = port.port;
	/* Both connections may share a full table: the data connection must not replace the control connection. */
	data->set->kept = &control->flow[connection >> 1];
	found = nat_entry(data, PROTOCOL_TCP, &key, input);
	data->set->kept = NULL;
	if (!found || control->flow[connection >> 1].generation != generation)
		return;
	target = nat_entry_target(data, found, &key);
	size = ftp_unparse_port(text, target.saddr, target.sport);
	if (!ftp_replace(p, offset + port.start, port.length, text, size))
		return;
	ftp_set_lengths(p);
	if (size != (int)port.length)
		nat_shift_flow(control, connection, sequence + length, size - (int)port.length);
	/* Replies of the data connection get the same annotation as the control connection's. */
	nat_set(&data->flow[found >> 1], reply_anno, control->flow[connection >> 1].reply_anno);
}
