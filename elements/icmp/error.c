/* ICMP errors about source-routed packets, which go back along the route (RFC 1812, 4.3.2.6). */
#include "element.h"
#include "icmp/error.h"

#include <string.h>

/* The packet's source route option, with a valid pointer, or NULL. */
static const __u8 *source_route(struct pkt *p, const struct iphdr *ip)
{
	const __u8 *option = (const __u8 *)(ip + 1), *end = (const __u8 *)ip + ip_header_length(ip);
	__u32 length;

	if (!pkt_network_header(p, ip_header_length(ip)))
		return NULL;
	for (; option < end && *option != IPOPT_END; option += length) {
		length = ip_option_length(option, end);
		if (!length)
			return NULL;
		if ((*option == IPOPT_LSRR || *option == IPOPT_SSRR) && length >= 3 && option[2] >= 4 &&
		    option[2] % 4 == 0 && option[2] <= length + 1)
			return option;
	}
	return NULL;
}

/* Whether the error is about a byte of the option, which must then not be used. */
static bool is_about(const struct icmp_error *e, const __u8 *byte, const __u8 *option)
{
	return e->type == ICMP_PARAMETER_PROBLEM && e->code == ICMP_ERROR_AT_POINTER && byte >= option &&
	       byte < option + option[1];
}

/* Write a source route of the visited addresses, in reverse order, followed by IPOPT_END. Returns the length, in whole words. */
static __u32 reverse_route(__u8 *to, const __u8 *route)
{
	__u32 length = route[2] - 1;

	to[0] = route[0];
	to[1] = length;
	to[2] = 4;
	for (__u32 at = 3; at + 4 <= length; at += 4)
		memcpy(to + at, route + length - at - 1, 4);
	to[length] = IPOPT_END;
	return length + 1;
}

bool icmp_error_is_source_routed(struct pkt *p, const struct iphdr *ip)
{
	return source_route(p, ip);
}

void icmp_error_reverse(const struct icmp_error *e, struct icmp_cause *cause, struct pkt *p, const struct iphdr *ip)
{
	const __u8 *route = source_route(p, ip);

	if (route && !is_about(e, (const __u8 *)ip + cause->pointer, route))
		cause->options = reverse_route(cause->route, route);
}
