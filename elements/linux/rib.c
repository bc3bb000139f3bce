/* The runtime's copy of Linux's routes (rib.h). */
#include <errno.h>
#include <linux/types.h>
#include <stdlib.h>
#include <string.h>
#include "routestructures.h"
#include "linux/rib.h"
#include "siphash.h"

#define LEAST 1024u

int rib_open(struct rib *rib, const __u64 key[2])
{
	*rib = (struct rib){ .buckets = LEAST, .room = LEAST, .used = 1, .key = { key[0], key[1] } };
	rib->route = malloc(rib->room * sizeof(*rib->route));
	rib->bucket = calloc(rib->buckets, sizeof(*rib->bucket));
	return rib->route && rib->bucket ? 0 : -ENOMEM;
}

void rib_close(struct rib *rib)
{
	free(rib->route);
	free(rib->bucket);
	*rib = (struct rib){ 0 };
}

/* Prefixes of different lengths with the same address share a bucket: at most as many as an address has bits. */
static __u32 *bucket_of(const struct rib *rib, const __u8 *address)
{
	__u64 half[2];

	memcpy(half, address, sizeof(half));
	return &rib->bucket[siphash13_2(rib->key, half[0], half[1]) & (rib->buckets - 1)];
}

static bool same_prefix(const struct rib_route *route, const __u8 *address, __u32 length)
{
	return route->length == length && !memcmp(route->address, address, sizeof(route->address));
}

struct rib_route *rib_find(const struct rib *rib, const struct rib_route *like)
{
	for (__u32 i = *bucket_of(rib, like->address); i; i = rib->route[i].next) {
		struct rib_route *route = &rib->route[i];

		if (same_prefix(route, like->address, like->length) && route->priority == like->priority && route->tos == like->tos &&
		    route->first == like->first)
			return route;
	}
	return NULL;
}

/* Double the number of buckets. */
static void spread(struct rib *rib)
{
	__u32 *bucket = calloc(2 * rib->buckets, sizeof(*bucket)), *place;

	if (!bucket)
		return;
	free(rib->bucket);
	rib->bucket = bucket;
	rib->buckets *= 2;
	for (__u32 i = 1; i < rib->used; i++)
		if (!rib->route[i].gone) {
			place = bucket_of(rib, rib->route[i].address);
			rib->route[i].next = *place;
			*place = i;
		}
}

static __u32 number(struct rib *rib)
{
	const __u32 found = rib->unused;
	struct rib_route *more;

	if (found) {
		rib->unused = rib->route[found].next;
		return found;
	}
	if (rib->used == rib->room) {
		more = realloc(rib->route, 2ul * rib->room * sizeof(*more));
		if (!more)
			return 0;
		rib->route = more;
		rib->room *= 2;
	}
	return rib->used++;
}

struct rib_route *rib_add(struct rib *rib, const struct rib_route *route)
{
	__u32 i, *bucket;

	if (rib->count == rib->buckets)
		spread(rib);
	i = number(rib);
	if (!i)
		return NULL;
	rib->count++;
	bucket = bucket_of(rib, route->address);
	rib->route[i] = *route;
	rib->route[i].next = *bucket;
	rib->route[i].gone = 0;
	*bucket = i;
	rib->lengths[route->first][route->length]++;
	return &rib->route[i];
}

void rib_remove(struct rib *rib, struct rib_route *route)
{
	const __u32 i = route - rib->route;
	__u32 *place = bucket_of(rib, route->address);

	while (*place != i)
		place = &rib->route[*place].next;
	*place = route->next;
	rib->lengths[route->first][route->length]--;
	rib->count--;
	route->gone = 1;
	route->next = rib->unused;
	rib->unused = i;
}

static bool better(const struct rib_route *one, const struct rib_route *other)
{
	return one->first != other->first ? one->first : one->priority < other->priority;
}

/* The best route of a prefix, or NULL. *by_tos is whether it depends on the type of service; such prefixes are left to Linux. */
static const struct rib_route *best(const struct rib *rib, const __u8 *address, __u32 length, bool *by_tos)
{
	const struct rib_route *found = NULL;

	*by_tos = false;
	for (__u32 i = *bucket_of(rib, address); i; i = rib->route[i].next) {
		const struct rib_route *route = &rib->route[i];

		if (!same_prefix(route, address, length))
			continue;
		*by_tos |= route->tos;
		if (!found || better(route, found))
			found = route;
	}
	return found;
}

static void cut(__u8 *address, __u32 length)
{
	if (length % 8)
		address[length / 8] &= 0xff00 >> length % 8;
	for (__u32 i = (length + 7) / 8; i < 16; i++)
		address[i] = 0;
}

__u32 rib_value(const struct rib *rib, const __u8 *address, __u32 length)
{
	const struct rib_route *found = NULL;
	__u8 shorter[16];
	__u32 value = 0;

	memcpy(shorter, address, sizeof(shorter));
	for (int l = length; l >= 0 && !(found && found->first); l--) {
		const struct rib_route *route;
		bool by_tos;

		if (!rib->lengths[1][l] && (found || !rib->lengths[0][l]))
			continue;
		cut(shorter, l);
		route = best(rib, shorter, l, &by_tos);
		if (route && (!found || route->first)) {
			found = route;
			value = cells_value(rib_rank(route), by_tos ? HOP_LINUX : route->hop);
		}
	}
	return value;
}

bool rib_counts(const struct rib *rib, const struct rib_route *route, __u32 *value)
{
	bool by_tos;

	if (best(rib, route->address, route->length, &by_tos) != route)
		return false;
	*value = cells_value(rib_rank(route), by_tos ? HOP_LINUX : route->hop);
	return true;
}
