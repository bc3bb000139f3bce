#include "ethernet/addressline.inc.h"
#include "ethernet/arp.h"

#define ETH_P_TRAILER 0x1000	/* a trailer (RFC 893), printed like IP */

/* Operations besides those of ARP: RFC 903, RFC 2390. */
enum {
	SELF(REVERSE_REQUEST) = 3,
	SELF(REVERSE_REPLY) = 4,
	SELF(INVERSE_REQUEST) = 8,
	SELF(INVERSE_REPLY) = 9,
};

/* An ARP packet for Ethernet and IP: an arp_frame without its Ethernet header. */
struct SELF(packet) {
	__be16 hardware, protocol;
	__u8 hardware_length, protocol_length;
	__be16 operation;
	__u8 sender[6], sender_ip[4];
	__u8 target[6], target_ip[4];
};

static void SELF(request)(struct line *line, const struct SELF(packet) *arp)
{
	static const __u8 unknown[6];
	const int length = arp->hardware_length < 6 ? arp->hardware_length : 6;

	fputs("arp who-has ", line->to);
	line_ip(line, arp->target_ip);
	if (memcmp(arp->target, unknown, length)) {
		fputs(" (", line->to);
		line_ether(line, arp->target);
		fputc(')', line->to);
	}
	fputs(" tell ", line->to);
	line_ip(line, arp->sender_ip);
}

static void SELF(reply)(struct line *line, const struct SELF(packet) *arp)
{
	fputs("arp reply ", line->to);
	line_ip(line, arp->sender_ip);
	fputs(" is-at ", line->to);
	line_ether(line, arp->sender);
}

/* Requests and replies of RARP and InARP, which begin with an Ethernet address. */
static void SELF(who_is)(struct line *line, const struct SELF(packet) *arp, const char *protocol)
{
	fprintf(line->to, "%s who-is ", protocol);
	line_ether(line, arp->target);
	fputs(" tell ", line->to);
	line_ether(line, arp->sender);
}

static void SELF(is_at)(struct line *line, const struct SELF(packet) *arp, const char *protocol)
{
	fprintf(line->to, "%s reply ", protocol);
	line_ether(line, arp->target);
	fputs(" at ", line->to);
	line_ip(line, arp->target_ip);
}

static void SELF(operation)(struct line *line, const struct SELF(packet) *arp)
{
	switch (ntohs(arp->operation)) {
	case ARP_REQUEST:
		return SELF(request)(line, arp);
	case ARP_REPLY:
		return SELF(reply)(line, arp);
	case SELF(REVERSE_REQUEST):
		return SELF(who_is)(line, arp, "rarp");
	case SELF(REVERSE_REPLY):
		return SELF(is_at)(line, arp, "rarp");
	case SELF(INVERSE_REQUEST):
		return SELF(who_is)(line, arp, "invarp");
	case SELF(INVERSE_REPLY):
		return SELF(is_at)(line, arp, "invarp");
	}
	fprintf(line->to, "arp-#%u", ntohs(arp->operation));
}

/* False for packets about other addresses than IP. A packet too short to tell is printed as too short. */
static bool SELF(is_about_ip)(struct pkt *p)
{
	const struct SELF(packet) *arp = pkt_network_header(p, offsetof(struct SELF(packet), sender));

	if (!arp)
		return true;
	return (arp->protocol == htons(ETH_P_IP) || arp->protocol == htons(ETH_P_TRAILER)) && arp->protocol_length == 4 &&
	       arp->hardware_length;
}

static void SELF(print)(struct line *line, struct pkt *p)
{
	const struct SELF(packet) *arp = pkt_network_header(p, sizeof(*arp));

	if (cfg.ether)
		SELF(ethernet)(line, p);
	if (!arp) {
		fprintf(line->to, "truncated-arp (%d)", (int)pkt_len(p) - pkt_network_offset(p));
		return;
	}
	if (arp->protocol == htons(ETH_P_TRAILER))
		fputs("trailer-", line->to);
	SELF(operation)(line, arp);
	if (arp->hardware != htons(ARP_ETHERNET))
		fprintf(line->to, "hardware #%u", ntohs(arp->hardware));
}

ELEMENT(ARPPrint)
{
	const struct SELF(printer) *printer = private(printer);
	struct line line;

	if (!var(vars)->active || !pkt_has_network_header(p) || !SELF(is_about_ip)(p))
		return OUTPUT(0);
	if (!line_begin(&line, cfg.label, cfg.timestamp ? p : NULL))
		return OUTPUT(0);
	SELF(print)(&line, p);
	line_end(&line, printer->fd);
	return OUTPUT(0);
}
