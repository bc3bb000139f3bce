/* TCP's packets. */
#include "element.h"
#include "tcpnumbers.h"
#include "icmp/icmp.h"
#include "ip/encap.h"
#include "tcp/packets.h"

#define TCP_TTL 64

/* -- that arrive --------------------------------------------------------------------------------------------------- */

bool payload_find(struct pkt *p, struct payload *payload)
{
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct ip6_header *ip6 = pkt_network_header(p, sizeof(*ip6));
	const int start = pkt_network_offset(p);

	if (ip->version == 4) {
		*payload = (struct payload){ip->protocol, start + (int)ip_header_length(ip), start + ntohs(ip->tot_len)};
		return !ip_is_fragment(ip) && ip_header_length(ip) >= sizeof(*ip);
	}
	if (!ip6 || ip6_version(ip6) != 6)
		return false;
	*payload = (struct payload){ip6->next, start + (int)sizeof(*ip6), start + (int)sizeof(*ip6) + ntohs(ip6->length)};
	return true;
}

/* The sum of the pseudo-header before so many bytes; ICMP has none. */
static __u64 tcp_pseudo_sum(const void *header, __u8 protocol, __u32 length)
{
	const struct iphdr *ip = header;
	const struct ip6_header *ip6 = header;

	if (ip->version == 4)
		return protocol == PROTOCOL_ICMP ? 0 : (__u64)ip->saddr + ip->daddr + htons((__u16)length) + htons(protocol);
	return ip6_pseudo_sum(ip6->source, ip6->destination, length, protocol);
}

bool payload_is_right(struct pkt *p, const struct payload *payload)
{
	const __u32 length = payload->end - payload->header;
	__u64 sum = tcp_pseudo_sum(pkt_network_header(p, sizeof(struct iphdr)), payload->protocol, length);

	return sum_bytes(p, payload->header, length, &sum) && checksum_fold(sum) == 0xffff;
}

struct tcp_key tcp_key_of(const void *header, const struct tcp_header *tcp)
{
	struct tcp_key key = {.own = {{[10] = 0xff, 0xff}, tcp->destination}, .peer = {{[10] = 0xff, 0xff}, tcp->source}};
	const struct iphdr *ip = header;
	const struct ip6_header *ip6 = header;

	if (ip->version == 4) {
		word32(key.own.address + 12) = ip->daddr;
		word32(key.peer.address + 12) = ip->saddr;
	} else {
		ip6_copy(key.own.address, ip6->destination);
		ip6_copy(key.peer.address, ip6->source);
	}
	return key;
}

struct tcp_key tcp_key_for(struct pkt *p)
{
	return tcp_key_of(pkt_network_header(p, sizeof(struct iphdr)), tcp_segment_of(p).header);
}

/* -- that leave ---------------------------------------------------------------------------------------------------- */

static void tcp_write_ip6(struct pkt *p, const struct tcp_key *key)
{
	struct ip6_header *ip = (struct ip6_header *)p->data;

	*ip = (struct ip6_header){.first = htonl(6u << 28), .length = htons(pkt_len(p) - sizeof(*ip)), .next = PROTOCOL_TCP, .hops = TCP_TTL};
	ip6_copy(ip->source, key->own.address);
	ip6_copy(ip->destination, key->peer.address);
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, sizeof(*ip));
	pkt_set_dst_ip6(p, ip->destination);
}

struct pkt *tcp_packet(const struct tcp_key *key, const struct tcp_segment *s, __u32 options, bool fragments)
{
	const bool is_ip4 = tcp_is_mapped(key->own.address);
	const __u32 ip = is_ip4 ? sizeof(struct iphdr) : sizeof(struct ip6_header), header = sizeof(struct tcp_header) + options;
	const struct ip_fields fields = {.ttl = TCP_TTL, .protocol = PROTOCOL_TCP, .df = !fragments, .id = fragments ? random_u32() : 0,
					 .source = word32(key->own.address + 12), .destination = word32(key->peer.address + 12)};
	struct pkt *p = pkt_new(PKT_HEADROOM, ip + header + s->length);

	if (!p)
		return NULL;
	if (is_ip4)
		ip_write(p, (struct iphdr *)p->data, &fields);
	else
		tcp_write_ip6(p, key);
	*(struct tcp_header *)(p->data + ip) = (struct tcp_header){
		.source = key->own.port, .destination = key->peer.port, .sequence = htonl(s->seq), .acknowledgement = htonl(s->ack),
		.offset = header / 4 << 4, .flags = s->flags, .window = htons(s->window)};
	pkt_arrive_now(p);
	return p;
}

void tcp_finish(struct pkt *p)
{
	struct tcp_header *tcp = pkt_transport_header(p, sizeof(*tcp));
	const __u32 length = pkt_len(p) - pkt_transport_offset(p);

	tcp->checksum = ~checksum_fold(tcp_pseudo_sum(p->data, PROTOCOL_TCP, length) + (__u16)~checksum(tcp, length));
}

/* Queue a reset, if not too many wait. */
static void tcp_reset(struct tcp_connections *c, const struct tcp_key *key, const struct tcp_segment reset)
{
	struct pkt *p = c->answering < TCP_ANSWERS ? tcp_packet(key, &reset, 0, false) : NULL;

	if (!p)
		return;
	tcp_finish(p);
	c->answers[c->answering++] = p;
	if (c->output)
		task_wake(c->output);
}

void tcp_refuse(struct tcp_connections *c, struct pkt *p)
{
	const struct tcp_segment s = tcp_segment_of(p);
	const struct tcp_key key = tcp_key_for(p);

	if (s.flags & TCP_RST)
		return;
	if (s.flags & TCP_ACK)
		tcp_reset(c, &key, (struct tcp_segment){.flags = TCP_RST, .seq = s.ack});
	else
		tcp_reset(c, &key, (struct tcp_segment){.flags = TCP_RST | TCP_ACK, .ack = s.seq + tcp_span(&s)});
}

void tcp_abort(struct tcp *t)
{
	/* At first the acknowledgement of the SYN isn't processed yet (tcp_establish). Flows that TCPNormalize watches send nothing. */
	if (t->una != t->iss || t->state == TCP_ESTABLISHED)
		tcp_reset(t->all, &t->key, (struct tcp_segment){.flags = TCP_RST | TCP_ACK, .seq = t->max, .ack = t->expected});
	t->all->counters->aborted++;
	tcp_end(t);
}
