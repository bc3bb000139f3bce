#include "common/bucket.h"
#include "icmp/error.h"
#include "ip/ip.h"

/* Numbers of messages count up over all elements, as their packets may meet. */
#ifndef ICMP_ERROR_NUMBER
#define ICMP_ERROR_NUMBER
static __u32 icmp_error_number;
#endif

/* RFC 1812, 4.3.2.8: no more messages than the rate permits. */
static bool SELF(is_in_rate)(void)
{
	struct SELF(bucket) *bucket = private(bucket);

	return !bucket->per_tick || bucket_take(BUCKET(bucket), 1, 1);
}

/* The packet becomes the error, around what was in it, so that the element works where packets are pulled, too. */
ELEMENT(ICMPError)
{
	const struct SELF(vars) *vars = var(vars);
	const struct iphdr *ip = pkt_network_header(p, sizeof(*ip));
	const struct icmp_error error = {.type = cfg.type, .code = cfg.code, .fix = cfg.fix, .source = vars->src, .mtu = vars->mtu,
					 .pmtu = vars->pmtu, .is_bad = SELF(bad_address), .number = &icmp_error_number};

	if (!ip)
		return DROP(MALFORMED);
	if (!icmp_error_is_due(&error, p, ip))
		return DROP(FILTERED);
	if (!SELF(is_in_rate)())
		return DROP(LIMITED);
	return icmp_error_make(&error, p, ip);
}
