/* The IP options that a router fills in (RFC 1812, 4.2.2.2 and 5.2.4). */
#include "element.h"
#include "ip/gatewayoptions.h"
#include "ip/ip.h"

#include <string.h>

/* The next two functions fill in one option; they return the index of a wrong byte in it, or 0. Like Click's, they read the
 * pointer and flags even of an option that is too short for them.
 */
static __u32 record_route(__u8 *option, __u32 length, const struct ip_router *router)
{
	int place = option[2] - 1;

	if (place >= 3 && place + 4 <= (int)length) {
		word32(option + place) = router->address;
		option[2] += 4;
		return 0;
	}
	return place == (int)length ? 0 : 2;
}

static __u32 timestamp(__u8 *option, __u32 length, const struct ip_router *router)
{
	int place = option[2] - 1, overflows = option[3] >> 4, flag = option[3] & 15;
	int wanted = flag == IPOPT_TS_TSONLY ? 4 : 8;
	bool fits = place + wanted <= (int)length;

	if (place < 4)
		return 2;
	switch (flag) {
	case IPOPT_TS_TSONLY:
	case IPOPT_TS_TSANDADDR:
		if (!fits && overflows == 15)
			return 3;
		if (!fits) {
			option[3] = (overflows + 1) << 4 | flag;
			return 0;
		}
		if (flag == IPOPT_TS_TSANDADDR)
			word32(option + place) = router->address;
		break;
	case IPOPT_TS_PRESPEC:
		if (!fits)
			return 3;
		if (!router->is_own(word32(option + place)))
			return 0;
		break;
	default:
		return 3;
	}
	word32(option + place + wanted - 4) = htonl(wall_clock() / 1000000 % (24 * 60 * 60 * 1000));
	option[2] += wanted;
	return 0;
}

/* Returns the offset of the first wrong byte, or 0. Sets `*ours` if there is an option for a router. */
static __u32 process(__u8 *header, __u32 length, const struct ip_router *router, bool *ours)
{
	__u32 at, size, wrong;

	for (at = sizeof(struct iphdr); at < length && header[at] != IPOPT_END; at += size) {
		size = ip_option_length(header + at, header + length);
		if (!size)
			return at + 1;
		if (header[at] != IPOPT_RR && header[at] != IPOPT_TIMESTAMP)
			continue;
		*ours = true;
		wrong = header[at] == IPOPT_RR ? record_route(header + at, size, router) : timestamp(header + at, size, router);
		if (wrong)
			return at + wrong;
	}
	return 0;
}

__u32 ip_fill_options(struct iphdr *ip, __u32 length, const struct ip_router *router, bool *ours)
{
	__u8 copy[IP_HEADER_MAX + 4] = {};	/* room for the pointer and flags of an option that ends with the header */
	__u32 wrong;

	*ours = false;
	memcpy(copy, ip, length);
	wrong = process(copy, length, router, ours);
	memcpy(ip, copy, length);
	return wrong;
}
