/* Fields of the Ethernet header. */
#include "summary/field.h"
#include <linux/if_ether.h>
#include "summary/number.h"

/* The Ethernet header, if one precedes the IP packet or is the whole packet. */
static struct ethhdr *header_of(struct pkt *p)
{
	__u8 *mac = p->data, *network = pkt_has_network_header(p) ? p->head + p->net : p->tail;

	if (pkt_has_mac_header(p))
		mac = p->head + p->mac;
	else if (pkt_has_network_header(p) && mac >= network)
		return NULL;
	return mac + sizeof(struct ethhdr) == network ? (struct ethhdr *)mac : NULL;
}

static bool has(const struct summary_view *v)
{
	return header_of(v->p) || summary_missing(v, OF_ETHERNET, 0);
}

static struct ethhdr *made(const struct summary_maker *m)
{
	return (struct ethhdr *)(m->p->head + m->p->mac);
}

/* Ensure that a packet has an Ethernet header, prepended if missing; false when out of memory. */
static bool make(struct summary_maker *m)
{
	if (pkt_has_mac_header(m->p))
		return true;
	if (!pkt_push(m->p, sizeof(struct ethhdr))) {
		m->failed = true;
		return false;
	}
	pkt_set_mac_header(m->p, 0);
	pkt_set_network_header(m->p, sizeof(struct ethhdr));
	memset(made(m), 0, sizeof(struct ethhdr));
	made(m)->h_proto = __builtin_bswap16(ETH_P_IP);
	return true;
}

GET_AS(eth_src, has(v) && got_bytes(v, header_of(v->p)->h_source, ETH_ALEN))
SET_AS(eth_src, make(m), memcpy(made(m)->h_source, m->value.bytes, ETH_ALEN))
GET_AS(eth_dst, has(v) && got_bytes(v, header_of(v->p)->h_dest, ETH_ALEN))
SET_AS(eth_dst, make(m), memcpy(made(m)->h_dest, m->value.bytes, ETH_ALEN))
GET_AS(eth_type, has(v) && got_number(v, __builtin_bswap16(header_of(v->p)->h_proto)))

SET(eth_type)
{
	if (!make(m))
		return;
	made(m)->h_proto = __builtin_bswap16(m->value.number);
	if (m->value.number != ETH_P_IP && m->value.number != ETH_P_IPV6)
		m->is_ip = false;
}

/* -- formats -------------------------------------------------------------------------------------------------------- */

static void print_ether(const struct summary_view *v, struct text *out)
{
	const __u8 *a = v->value.bytes;

	text_format(out, "%02X-%02X-%02X-%02X-%02X-%02X", a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* Six groups of one or two hexadecimal digits between equal separators, - or :. */
static bool ether_is(const char *at, const char *end, __u64 *address)
{
	char separator = 0;

	*address = 0;
	for (int group = 0; group < ETH_ALEN; group++) {
		const char *digits = at;
		__u64 byte;

		if (group) {
			if (at == end || (*at != '-' && *at != ':') || (separator && *at != separator))
				return false;
			separator = *at++;
			digits = at;
		}
		while (at < end && at - digits < 2 && *at != '-' && *at != ':')
			at++;
		if (!number_is(digits, at, 16, 8, &byte))
			return false;
		*address = *address << 8 | byte;
	}
	return at == end;
}

static bool scan_ether(struct summary_maker *m, const char *at, const char *end)
{
	__u64 address;

	if (!ether_is(at, end, &address) && !summary_name_value(m->names, SUMMARY_ETHER, at, end, &address))
		return false;
	text_clear(&m->scratch);
	text_big_endian(&m->scratch, address, ETH_ALEN);
	m->value.bytes = (__u8 *)m->scratch.bytes;
	return true;
}

static void pack_ether(const struct summary_view *v, bool found, struct text *out)
{
	pack_bytes(v, found, ETH_ALEN, out);
}

FORMAT(ether) = {ETH_ALEN, print_ether, scan_ether, pack_ether, unpack_bytes};

static void print_hex(const struct summary_view *v, struct text *out)
{
	text_format(out, "%04llX", v->value.number);
}

static bool scan_hex(struct summary_maker *m, const char *at, const char *end)
{
	return number_is(at, end, 16, 16, &m->value.number);
}

FORMAT(hex16) = {2, print_hex, scan_hex, NULL, NULL};
