/* Building TCP's packets. */
#include "element.h"
#include "tcpnumbers.h"
#include "tcp/bytes.h"
#include "tcp/packets.h"

#define TCP_TTL 64

static __u32 tcp_ip_length(bool is_ip4)
{
	return is_ip4 ? sizeof(struct iphdr) : sizeof(struct ip6_header);
}

static void tcp_fill_ip(struct pkt *p, const struct tcp_key *key, bool is_ip4, __u32 payload)
{
	struct iphdr *ip = (struct iphdr *)p->data;
	struct ip6_header *ip6 = (struct ip6_header *)p->data;

	if (!is_ip4) {
		*ip6 = (struct ip6_header){.first = htonl(6u << 28), .length = htons(payload), .next = PROTOCOL_TCP, .hops = TCP_TTL};
		ip6_copy(ip6->source, key->own);
		ip6_copy(ip6->destination, key->peer);
		return;
	}
	*ip = (struct iphdr){.version = 4, .ihl = 5, .tot_len = htons(sizeof(*ip) + payload), .ttl = TCP_TTL, .protocol = PROTOCOL_TCP,
			     .frag_off = htons(IP_DF)};
	memcpy(&ip->saddr, key->own + 12, 4);
	memcpy(&ip->daddr, key->peer + 12, 4);
}

struct pkt *tcp_packet(const struct tcp_key *key, bool is_ip4, __u32 options, __u32 length)
{
	const __u32 header = sizeof(struct tcp_header) + options, ip = tcp_ip_length(is_ip4);
	struct pkt *p = pkt_new(PKT_HEADROOM, ip + header + length);
	struct tcp_header *tcp;

	if (!p)
		return NULL;
	tcp_fill_ip(p, key, is_ip4, header + length);
	pkt_set_network_header(p, 0);
	pkt_set_transport_header(p, (int)ip);
	tcp = pkt_transport_header(p, sizeof(*tcp));
	*tcp = (struct tcp_header){.source = key->own_port, .destination = key->peer_port, .offset = header / 4 << 4};
	pkt_arrive_now(p);
	return p;
}

__u64 tcp_pseudo_sum(const struct iphdr *ip, __u32 length)
{
	const struct ip6_header *ip6 = (const struct ip6_header *)ip;

	if (ip->version == 4)
		return (__u64)ip->saddr + ip->daddr + htons((__u16)length) + htons(PROTOCOL_TCP);
	return ip6_pseudo_sum(ip6->source, ip6->destination, length, PROTOCOL_TCP);
}

void tcp_finish(struct pkt *p, bool is_ip4)
{
	const __u32 ip_length = tcp_ip_length(is_ip4), length = pkt_len(p) - ip_length;
	struct tcp_header *tcp = (struct tcp_header *)(p->data + ip_length);
	struct iphdr *ip = (struct iphdr *)p->data;

	if (is_ip4) {
		ip->check = checksum(ip, sizeof(*ip));
		pkt_set_dst_ip(p, ip->daddr);
	} else {
		pkt_set_dst_ip6(p, ((const struct ip6_header *)ip)->destination);
	}
	tcp->checksum = ~checksum_fold(tcp_pseudo_sum(ip, length) + (__u16)~checksum(tcp, length));
}

void tcp_key_sent(const void *header, const struct tcp_header *tcp, struct tcp_key *key)
{
	const struct iphdr *ip = header;
	const struct ip6_header *ip6 = header;

	*key = (struct tcp_key){.peer = {[10] = 0xff, 0xff}, .own = {[10] = 0xff, 0xff}, .own_port = tcp->source, .peer_port = tcp->destination};
	if (ip->version == 4) {
		memcpy(key->own + 12, &ip->saddr, 4);
		memcpy(key->peer + 12, &ip->daddr, 4);
	} else {
		ip6_copy(key->own, ip6->source);
		ip6_copy(key->peer, ip6->destination);
	}
}

bool tcp_key_of(struct pkt *p, struct tcp_key *key)
{
	const struct tcp_header *tcp = pkt_transport_header(p, sizeof(*tcp));
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	struct tcp_key sent;

	tcp_key_sent(ip, tcp, &sent);
	*key = (struct tcp_key){.own_port = sent.peer_port, .peer_port = sent.own_port};
	ip6_copy(key->own, sent.peer);
	ip6_copy(key->peer, sent.own);
	return ip->version == 4;
}

struct tcp *tcp_new_for(struct tcp_connections *c, struct pkt *p)
{
	struct tcp_key key;
	const bool is_ip4 = tcp_key_of(p, &key);
	struct tcp *t = tcp_new(c, &key, TCP_SYN_RECEIVED, now());

	if (t)
		t->is_ip4 = is_ip4;
	return t;
}

/* Queue a reset, if not too many wait. */
static void tcp_reset(struct tcp_connections *c, const struct tcp_key *key, bool is_ip4, __u8 flags, __u32 seq, __u32 ack)
{
	struct pkt **end = &c->answers, *p = c->answering < TCP_ANSWERS ? tcp_packet(key, is_ip4, 0, 0) : NULL;
	struct tcp_header *tcp;

	if (!p)
		return;
	tcp = pkt_transport_header(p, sizeof(*tcp));
	tcp->flags = flags;
	tcp->sequence = htonl(seq);
	tcp->acknowledgement = htonl(ack);
	tcp_finish(p, is_ip4);
	while (*end)
		end = &(*end)->next;
	p->next = NULL;
	*end = p;
	c->answering++;
	if (c->output)
		task_wake(c->output);
}

void tcp_refuse(struct tcp_connections *c, struct pkt *p)
{
	const struct tcp_segment s = tcp_segment_of(p);
	struct tcp_key key;
	const bool is_ip4 = tcp_key_of(p, &key);

	if (s.flags & TCP_RST)
		return;
	if (s.flags & TCP_ACK)
		tcp_reset(c, &key, is_ip4, TCP_RST, s.ack, 0);
	else
		tcp_reset(c, &key, is_ip4, TCP_RST | TCP_ACK, 0, s.seq + tcp_span(&s));
}

void tcp_abort(struct tcp_connections *c, struct tcp *t)
{
	/* At first the acknowledgement of the SYN isn't processed yet (tcp_establish). Flows that TCPNormalize watches send nothing. */
	if (t->una != t->iss || t->state == TCP_ESTABLISHED)
		tcp_reset(c, &t->key, t->is_ip4, TCP_RST | TCP_ACK, t->next, t->expected);
	c->counters->aborted++;
	tcp_end(c, t);
}

struct pkt *tcp_data_after(struct pkt *p, __u32 length)
{
	const __u32 headers = -pkt_network_offset(p);
	struct pkt *made = pkt_new(PKT_HEADROOM + headers, length);

	if (!made)
		return NULL;
	pkt_take_annotations(made, p);
	memcpy(made->data - headers, p->data - headers, headers);
	pkt_set_network_header(made, -(int)headers);
	pkt_set_transport_header(made, pkt_transport_offset(p));
	return made;
}
