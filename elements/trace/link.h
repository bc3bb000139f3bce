/* The offset of the IP header, after the link headers of dumps. Link types are libpcap's (DLT_). */
#pragma once

#include "common/link.h"

enum {
	LINK_NULL = 0,
	LINK_ETHER = 1,
	LINK_PPP = 9,
	LINK_FDDI = 10,
	LINK_ATM = 11,
	LINK_RAW = 12,
	LINK_PPP_HDLC = 50,
	LINK_HDLC = 104,
	LINK_802_11 = 105,
	LINK_SLL = 113,
	LINK_PRISM = 119,
	LINK_SUNATM = 123,
	LINK_802_11_RADIO = 127,
};

#define NO_IP (-1)

static bool link_is_known(int link)
{
	switch (link) {
	case LINK_NULL: case LINK_ETHER: case LINK_PPP: case LINK_FDDI: case LINK_ATM: case LINK_RAW: case LINK_PPP_HDLC:
	case LINK_HDLC: case LINK_802_11: case LINK_SLL: case LINK_PRISM: case LINK_SUNATM: case LINK_802_11_RADIO:
		return true;
	}
	return false;
}

/* After an Ethernet type at `at`, and possibly a VLAN tag. */
static int link_behind_type(struct pkt *p, int at)
{
	const __be16 *type = pkt_data(p, at, sizeof(*type)), *inner;

	if (!type)
		return NO_IP;
	if (is_ip_type(*type))
		return at + 2;
	inner = *type == htons(ETH_P_8021Q) ? pkt_data(p, at + 4, sizeof(*inner)) : NULL;
	return inner && is_ip_type(*inner) ? at + 6 : NO_IP;
}

static int link_behind_llc(struct pkt *p, int at);

/* FDDI (RFC 1390): frame control, two addresses, LLC. */
static int link_behind_fddi(struct pkt *p, int at)
{
	const __u8 *control = pkt_data(p, at, 21);

	return control && (*control & 0xf0) == 0x50 ? link_behind_llc(p, at + 13) : NO_IP;
}

/* SNAP with the OUI of bridged frames (RFC 2684, 5.2). */
static int link_behind_bridge(struct pkt *p, int at, __u16 frame)
{
	switch (frame) {
	case 0x0001: case 0x0007:
		return link_behind_type(p, at + 20);
	case 0x0004: case 0x000a:
		return link_behind_fddi(p, at + 9);
	}
	return NO_IP;
}

/* LLC, with or without SNAP (RFC 1042, RFC 2684). */
static int link_behind_llc(struct pkt *p, int at)
{
	const __u8 *llc = pkt_data(p, at, 4);

	if (llc && llc[0] == 0x06 && llc[1] == 0x06)
		return at + 4;
	llc = pkt_data(p, at, 8);
	if (!llc || llc[0] != 0xaa || llc[1] != 0xaa)
		return NO_IP;
	switch (llc[3] << 16 | llc[4] << 8 | llc[5]) {
	case 0x000000: case 0x0000f8:	/* Ethernet types; those of Cisco's bridges */
		return link_behind_type(p, at + 6);
	case 0x0080c2:
		return link_behind_bridge(p, at, llc[6] << 8 | llc[7]);
	}
	return NO_IP;
}

/* IEEE 802.11 data frames, with three or four addresses. */
static int link_behind_802_11(struct pkt *p, int at)
{
	const __u8 *control = pkt_data(p, at, 24);

	if (!control || (control[0] & 0x0c) != 0x08)
		return NO_IP;
	return link_behind_llc(p, at + ((control[1] & 3) == 3 ? 30 : 24));
}

static int link_behind_radio(struct pkt *p)
{
	const __u8 *head = pkt_data(p, 0, 4);
	int length = head ? head[2] | head[3] << 8 : 0;

	return length >= 8 ? link_behind_802_11(p, length) : NO_IP;
}

static bool link_is_ppp_ip(__u8 protocol)
{
	return protocol == 0x21 || protocol == 0x57;
}

/* PPP (RFC 1661): address and control, and the protocol's first byte, may be missing. */
static int link_behind_ppp(struct pkt *p)
{
	const __u8 *head = pkt_data(p, 0, 2);
	int at = head && head[0] == 0xff && head[1] == 0x03 ? 2 : 0;

	head = pkt_data(p, at, 2);
	if (!head)
		return NO_IP;
	if (link_is_ppp_ip(head[0]))
		return at + 1;
	return !head[0] && link_is_ppp_ip(head[1]) ? at + 2 : NO_IP;
}

/* PPP in HDLC framing (RFC 1662), or Cisco's HDLC. */
static int link_behind_ppp_hdlc(struct pkt *p)
{
	const __u8 *head = pkt_data(p, 0, 4);

	if (!head)
		return NO_IP;
	if (head[0] == 0xff)
		return !head[2] && link_is_ppp_ip(head[3]) ? 4 : NO_IP;
	return head[0] == 0x0f || head[0] == 0x8f ? link_behind_type(p, 2) : NO_IP;
}

/* The number of an address family, in the byte order of the machine that wrote the dump. */
static int link_behind_family(struct pkt *p)
{
	const __u8 *head = pkt_data(p, 0, 4);
	int family;

	if (!head)
		return NO_IP;
	family = head[0] | head[1] << 8 ?: head[2] << 8 | head[3];
	return family == 2 || family == 24 || family == 28 || family == 30 ? 4 : NO_IP;
}

static int link_ip_offset(struct pkt *p, int link)
{
	switch (link) {
	case LINK_RAW:
		return 0;
	case LINK_ETHER:
		return link_behind_type(p, 12);
	case LINK_NULL:
		return link_behind_family(p);
	case LINK_PPP:
		return link_behind_ppp(p);
	case LINK_PPP_HDLC:
		return link_behind_ppp_hdlc(p);
	case LINK_HDLC:
		return link_behind_type(p, 2);
	case LINK_SLL:
		return link_behind_type(p, 14);
	case LINK_FDDI:
		return link_behind_fddi(p, 0);
	case LINK_ATM:
		return link_behind_llc(p, 0);
	case LINK_SUNATM:
		return link_behind_llc(p, 4);
	case LINK_802_11:
		return link_behind_802_11(p, 0);
	case LINK_PRISM:
		return link_behind_802_11(p, 144);
	case LINK_802_11_RADIO:
		return link_behind_radio(p);
	}
	return NO_IP;
}
