/* DHCPServer: leases addresses to hosts (RFC 2131, 4.3). */
#include "common/clock.h"
#include "siphash.h"
#include "tcpudp/dhcp.h"

#define LEASES_MOST 548		/* bytes of a message that every host accepts (RFC 2131, 2) */
#define LEASES_LEAST 300	/* bytes that BOOTP relays expect (RFC 1542, 2.1) */
#define OFFER_TIME (60 * NS_PER_SECOND)
#define NOBODY 0

/* Options by their codes (RFC 2132). */
enum { SELF(WANTED) = 50, SELF(TIME), SELF(TYPE) = 53, SELF(SERVER), SELF(RENEW) = 58, SELF(REBIND), SELF(CLIENT) = 61 };

/* The options of a request; `client` and `agent` are whole options as in the message, or zeros. */
struct SELF(options) {
	__u8 type;
	__be32 wanted, server;
	__u8 client[2 + 255], agent[2 + 255];
};

/* The value of an option of four bytes; 0 for another length. */
static __be32 SELF(word)(const __u8 *option)
{
	return option[1] == sizeof(__be32) ? word32(option + 2) : 0;
}

/* Parse the options. False if they are truncated, or not DHCP's. */
static bool SELF(parse)(struct pkt *p, const struct dhcp_message *message, struct SELF(options) *options)
{
	const __u8 *bytes = (const __u8 *)message;
	const __u32 end = dhcp_find(p, message, DHCP_END);

	*options = (struct SELF(options)){};
	for (__u32 at = sizeof(*message); at < end;) {
		const __u8 *option = bytes + at;

		if (*option == DHCP_PAD) {
			at++;
			continue;
		}
		at += 2u + option[1];
		switch (*option) {
		case SELF(TYPE):
			options->type = option[1] == 1 ? option[2] : 0;
			break;
		case SELF(WANTED):
			options->wanted = SELF(word)(option);
			break;
		case SELF(SERVER):
			options->server = SELF(word)(option);
			break;
		case SELF(CLIENT):
			memcpy(options->client, option, 2u + option[1]);
			break;
		case DHCP_AGENT:
			memcpy(options->agent, option, 2u + option[1]);
			break;
		}
	}
	return options->type;
}

/* A keyed hash, so that nobody can choose it, of the client identifier or else of the hardware address (4.2). */
static __u64 SELF(identify)(const struct dhcp_message *message, const struct SELF(options) *options)
{
	__u64 words[33] = {0};

	if (options->client[1]) {
		words[0] = options->client[1];
		memcpy(words + 1, options->client + 2, options->client[1]);
	} else {
		words[0] = 1u << 16 | message->htype << 8 | message->hlen;
		memcpy(words + 1, message->chaddr, sizeof(message->chaddr));
	}
	return siphash(var(secret)->key, words, 33, 1, 3) ?: 1;
}

static bool SELF(is_free)(const struct SELF(leases) *lease)
{
	return lease->ends <= now();
}

/* The lease of an address; NULL if it isn't from FIRST to LAST. */
static struct SELF(leases) *SELF(of)(__be32 address)
{
	return at(leases, ntohl(address) - cfg.first_address);
}

/* The lease that a client has, or had last. */
static struct SELF(leases) *SELF(own)(__u64 client)
{
	for (__u32 i = 0; i < cfg.count; i++)
		if (at(leases, i)->client == client)
			return at(leases, i);
	return NULL;
}

/* The address to offer (4.3.1): the client's own, the one that it asks for, the one free for longest, or else one offered to
 * another client, which may still request it first.
 */
static struct SELF(leases) *SELF(choose)(__u64 client, __be32 wanted)
{
	struct SELF(leases) *best = SELF(own)(client), *lease = SELF(of)(wanted);

	if (best)
		return best;
	if (lease && SELF(is_free)(lease))
		return lease;
	for (__u32 i = 0; i < cfg.count; i++) {
		lease = at(leases, (i + (__u32)client) % cfg.count);
		if ((SELF(is_free)(lease) || lease->use == SELF(OFFERED)) && (!best || lease->ends < best->ends))
			best = lease;
	}
	return best;
}

static void SELF(give)(struct SELF(leases) *lease, const struct dhcp_message *message, __u64 client, __u8 use, __u64 time)
{
	struct SELF(leases) *before = client ? SELF(own)(client) : NULL;

	if (before && before != lease)
		*before = (struct SELF(leases)){};
	lease->client = client;
	lease->ends = now() + time;
	lease->use = use;
	ether_copy(lease->ether, message->chaddr);
}

static __u8 *SELF(put)(__u8 *to, __u8 code, __u32 value)
{
	*to++ = code;
	*to++ = sizeof(value);
	word32(to) = htonl(value);
	return to + sizeof(value);
}

/* Copy an identifying option of the host or its relay (RFC 6842; RFC 3046, 2.2), if there is room. */
static __u8 *SELF(repeat)(__u8 *to, const __u8 *end, const __u8 *option)
{
	if (!option[0] || to + 2 + option[1] >= end)
		return to;
	memcpy(to, option, 2u + option[1]);
	return to + 2 + option[1];
}

/* Turn the message into an answer with an address and, if `timed`, the lease time. False without memory. */
static bool SELF(fill)(struct pkt *p, const struct SELF(options) *options, __u8 type, __be32 yours, bool timed)
{
	const __u32 lease = (__u32)(cfg.lease / NS_PER_SECOND);
	struct dhcp_message *message;
	__u8 *to;

	if (pkt_len(p) < LEASES_MOST && !pkt_put(p, LEASES_MOST - pkt_len(p)))
		return false;
	message = pkt_data(p, 0, LEASES_MOST);
	to = (__u8 *)(message + 1);
	message->op = BOOTREPLY;
	message->hops = message->secs = 0;
	message->yiaddr = yours;
	message->siaddr = 0;
	memset(message->sname, 0, LEASES_MOST - offsetof(struct dhcp_message, sname));
	message->cookie = htonl(DHCP_COOKIE);
	*to++ = SELF(TYPE);
	*to++ = 1;
	*to++ = type;
	to = SELF(put)(to, SELF(SERVER), ntohl(cfg.ip));
	if (timed) {
		to = SELF(put)(to, SELF(TIME), lease);
		to = SELF(put)(to, SELF(RENEW), lease / 2);
		to = SELF(put)(to, SELF(REBIND), lease / 8 * 7);
	}
	if (type != SELF(NAK)) {
		memcpy(to, SELF(network_options), cfg.options_length);
		to += cfg.options_length;
	}
	to = SELF(repeat)(to, (__u8 *)message + LEASES_MOST, options->client);
	to = SELF(repeat)(to, (__u8 *)message + LEASES_MOST, options->agent);
	*to++ = DHCP_END;
	return pkt_trim(p, to - (__u8 *)message > LEASES_LEAST ? (__u32)(to - (__u8 *)message) : LEASES_LEAST);
}

/* Send the answer to the relay, to the host, or as a broadcast (4.1). */
static int SELF(answer)(struct pkt *p, const struct SELF(options) *options, __u8 type, __be32 yours, bool timed)
{
	struct dhcp_message *message;
	__be32 away;

	if (!SELF(fill)(p, options, type, yours, timed))
		return DROP(NO_MEMORY);
	message = pkt_data(p, 0, sizeof(*message));
	away = message->giaddr ?: cfg.local ? 0 : message->ciaddr;
	if (type != SELF(ACK))
		message->ciaddr = 0;
	if (type == SELF(NAK) && away)
		message->flags |= htons(DHCP_BROADCAST);
	if (away && SELF(noutputs) < 2)
		return DROP(UNCONNECTED);
	if (away)
		return dhcp_wrap(p, cfg.ip, away, message->giaddr ? DHCP_SERVER_PORT : DHCP_HOST_PORT) ? OUTPUT(1) : DROP(NO_MEMORY);
	yours = message->ciaddr ?: message->flags & htons(DHCP_BROADCAST) ? 0 : yours;
	return dhcp_frame(p, message, cfg.ip, cfg.eth, yours) ? OUTPUT(0) : DROP(NO_MEMORY);
}

/* DHCPREQUEST (4.3.2). A request from an unknown host is only answered if it is addressed to this server: another server may know
 * the host.
 */
static int SELF(request)(struct pkt *p, const struct dhcp_message *message, const struct SELF(options) *options, __u64 client,
			 bool is_to_us)
{
	const __be32 wanted = options->wanted ?: message->ciaddr;
	struct SELF(leases) *own = SELF(own)(client), *lease = SELF(of)(wanted);
	const bool is_free = lease && (SELF(is_free)(lease) || (options->server && lease->use == SELF(OFFERED)));

	if (options->server && options->server != cfg.ip) {
		if (own && own->use == SELF(OFFERED))
			own->ends = 0;
		return DROP(FILTERED);
	}
	is_to_us = is_to_us || options->server;
	if (!own && !is_to_us && (lease ? is_free : (wanted & cfg.mask) == cfg.net))
		return DROP(FILTERED);
	if (!lease || (lease != own && !(is_free && is_to_us)))
		return SELF(answer)(p, options, SELF(NAK), 0, false);
	SELF(give)(lease, message, client, SELF(BOUND), cfg.lease);
	return SELF(answer)(p, options, SELF(ACK), wanted, true);
}

/* DHCPDECLINE: another host uses the address (4.3.3). DHCPRELEASE: the address is no longer needed (4.3.4). */
static int SELF(end)(struct pkt *p, const struct dhcp_message *message, const struct SELF(options) *options, __u64 client)
{
	struct SELF(leases) *lease = SELF(of)(options->type == SELF(DECLINE) ? options->wanted : message->ciaddr);

	if (options->server != cfg.ip || !lease || lease->client != client)
		return DROP(FILTERED);
	if (options->type == SELF(DECLINE))
		SELF(give)(lease, message, NOBODY, SELF(DECLINED), cfg.lease);
	else
		lease->ends = now();
	pkt_free(p);
	return STOLEN;
}

static int SELF(serve)(struct pkt *p, const struct dhcp_message *message, bool is_to_us)
{
	struct SELF(leases) *lease;
	struct SELF(options) options;
	__u64 client;
	__be32 net;

	if (message->op != BOOTREQUEST || !SELF(parse)(p, message, &options))
		return DROP(MALFORMED);
	net = message->giaddr ?: cfg.local ? cfg.ip : message->ciaddr;
	if ((net & cfg.mask) != cfg.net)
		return DROP(FILTERED);
	client = SELF(identify)(message, &options);
	switch (options.type) {
	case SELF(DISCOVER):
		lease = SELF(choose)(client, options.wanted);
		if (!lease)
			return DROP(FULL);
		if (lease->client != client || SELF(is_free)(lease))
			SELF(give)(lease, message, client, SELF(OFFERED), OFFER_TIME);
		return SELF(answer)(p, &options, SELF(OFFER), htonl(cfg.first_address + (__u32)(lease - at(leases, 0))), true);
	case SELF(REQUEST):
		return SELF(request)(p, message, &options, client, is_to_us);
	case SELF(DECLINE):
	case SELF(RELEASE):
		return SELF(end)(p, message, &options, client);
	case SELF(INFORM):
		return (message->ciaddr & cfg.mask) == cfg.net ? SELF(answer)(p, &options, SELF(ACK), 0, false) : DROP(FILTERED);
	}
	return DROP(FILTERED);
}

MARKED_ELEMENT(DHCPServer, const struct iphdr, ip)
{
	const struct dhcp_message *message;
	bool is_to_us;

	is_to_us = ip->daddr == cfg.ip;
	message = dhcp_unwrap(p);
	return message ? SELF(serve)(p, message, is_to_us) : DROP(MALFORMED);
}

INIT()
{
	hash_key_keep(var(secret)->key);
	return 0;
}

#undef LEASES_MOST
#undef LEASES_LEAST
#undef OFFER_TIME
#undef NOBODY
