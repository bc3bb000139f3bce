/* The rewriters' interface for other elements. */
#include "element.h"
#include "natstructures.h"
#include "nat/entry.h"

__u32 nat_entry(struct nat_rewriter *r, __u8 protocol, const struct nat_key *packet, int input)
{
	struct nat_key keys[2];
	const int count = r->keys(protocol, false, packet, keys);
	__u32 found = 0;

	for (int i = 0; i < count && !found; i++)
		found = nat_find(r, &keys[i]);
	if (found) {
		const __u8 other = r->flow[found >> 1].protocol;

		return protocol && other && other != protocol ? 0 : found;
	}
	return count && input >= 0 ? 2 * nat_make(r, input, &keys[0], protocol, now()) : 0;
}

struct nat_target nat_entry_target(const struct nat_rewriter *r, __u32 found, const struct nat_key *packet)
{
	const struct nat_flow *flow = &r->flow[found >> 1];
	const struct nat_key key = nat_flow_key(flow, found & 1);
	struct nat_target target;

	nat_read(flow, found & 1, &key, &target);
	nat_complete(&target, packet, r->uses_ports, r->uses_destination);
	return target;
}
