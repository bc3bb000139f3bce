/* DHCPRelay: forwards hosts' requests and servers' answers (RFC 1542, 4; RFC 2131, 4.1; RFC 3046, 2). */
#include "tcpudp/dhcp.h"

#define RELAY_MOST (1500 - DHCP_HEADERS)	/* the longest message after adding the option */

/* Append the relay agent option. False without memory. */
static bool SELF(append_option)(struct pkt *p, __u32 end)
{
	const __u32 length = pkt_len(p), needed = end + cfg.option_length + 1;
	__u8 *bytes;

	if (!cfg.option_length || !end || needed > RELAY_MOST)
		return true;
	if (needed > length && !pkt_put(p, needed - length))
		return false;
	bytes = pkt_data(p, (int)end, pkt_len(p) - end);
	memset(bytes, DHCP_PAD, pkt_len(p) - end);
	memcpy(bytes, SELF(option), cfg.option_length);
	bytes[cfg.option_length] = DHCP_END;
	return true;
}

static int SELF(forward)(struct pkt *p, struct dhcp_message *message)
{
	const bool is_first = !message->giaddr;
	__u32 end;

	if (message->op != BOOTREQUEST)
		return DROP(MALFORMED);
	if (message->hops > cfg.hops)
		return DROP(EXPIRED);
	end = dhcp_find(p, message, DHCP_AGENT);
	if (message->giaddr == cfg.ip || (is_first && end && end < pkt_len(p) && ((__u8 *)message)[end] == DHCP_AGENT))
		return DROP(FILTERED);
	message->hops++;
	if (is_first) {
		message->giaddr = cfg.ip;
		if (!SELF(append_option)(p, end))
			return DROP(NO_MEMORY);
	}
	for (__u32 i = 1; i < cfg.count; i++) {
		struct pkt *copy = pkt_clone(p);

		if (!copy || !dhcp_wrap(copy, cfg.ip, SELF(servers)[i], DHCP_SERVER_PORT)) {
			lose(1, NO_MEMORY);
			if (copy)
				pkt_free(copy);
		} else {
			emit(copy, 0);
		}
	}
	return dhcp_wrap(p, cfg.ip, SELF(servers)[0], DHCP_SERVER_PORT) ? OUTPUT(0) : DROP(NO_MEMORY);
}

/* Remove the relay agent option; the message keeps its length. */
static void SELF(remove_option)(struct pkt *p, struct dhcp_message *message)
{
	__u8 *bytes = (__u8 *)message;
	const __u32 length = pkt_len(p), at = dhcp_find(p, message, DHCP_AGENT);
	__u32 after;

	if (!at || at + 1 >= length || bytes[at] != DHCP_AGENT)
		return;
	after = at + 2 + bytes[at + 1];
	if (after > length)
		return;
	memmove(bytes + at, bytes + after, length - after);
	memset(bytes + at + (length - after), DHCP_PAD, after - at);
}

static int SELF(answer)(struct pkt *p, struct dhcp_message *message)
{
	__be32 to;

	if (message->op != BOOTREPLY)
		return DROP(MALFORMED);
	if (message->giaddr != cfg.ip)
		return DROP(FILTERED);
	to = message->flags & htons(DHCP_BROADCAST) ? 0 : message->yiaddr;
	SELF(remove_option)(p, message);
	return dhcp_frame(p, message, cfg.ip, cfg.eth, to) ? OUTPUT(1) : DROP(NO_MEMORY);
}

ELEMENT(DHCPRelay)
{
	struct dhcp_message *message;

	if (!pkt_has_network_header(p))
		return DROP(UNMARKED);
	message = dhcp_unwrap(p);
	if (!message)
		return DROP(MALFORMED);
	return input ? SELF(answer)(p, message) : SELF(forward)(p, message);
}

#undef RELAY_MOST
