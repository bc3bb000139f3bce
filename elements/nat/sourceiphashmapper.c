#include "nat/flow.h"

#if USERSPACE
#include "nat/pattern.h"

/* The index of the first point at or after a number. */
static __u32 SELF(point)(__u32 number)
{
	__u32 low = 0, high = cfg.points;

	while (low < high) {
		const __u32 middle = (low + high) / 2;

		if (at(ring, middle)->key < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < cfg.points ? low : var(vars)->wrap;
}

/* An address's place on the ring, as in Click. Its low-order bits, which differ most, are in its last byte in memory. */
static __u32 SELF(place)(__be32 address)
{
	return address * ((address & 0xff) << 24 | 1) % 0x7fffffff;
}

static bool SELF(choose)(struct nat_request *request)
{
	const __u32 first = SELF(point)(SELF(place)(request->key.saddr));

	for (__u32 step = 0; step < cfg.points; step++) {
		struct nat_spec *spec = (struct nat_spec *)at(specs, at(ring, (first + step) % cfg.points)->spec);

		if (spec->active)
			return nat_apply_spec(request, spec);
	}
	return false;
}

#include "nat/mapper.inc.h"
#endif
