/* Reads and writes messages of the spanning tree protocol (IEEE 802.1D). */
#include "element.h"
#include "bridge/bpdu.h"

#include <string.h>

static __u64 bpdu_get(const __u8 *at, int bytes)
{
	__u64 value = 0;

	for (int i = 0; i < bytes; i++)
		value = value << 8 | at[i];
	return value;
}

static void bpdu_put(__u8 *at, int bytes, __u64 value)
{
	for (int i = bytes; i-- > 0; value >>= 8)
		at[i] = value;
}

void bpdu_write_head(struct bpdu_wire *wire, const __u8 *from, __u8 type, int size)
{
	static const __u8 all_bridges[6] = {0x01, 0x80, 0xc2, 0x00, 0x00, 0x00};

	memset(wire, 0, BPDU_FRAME);
	ether_copy(wire->to, all_bridges);
	ether_copy(wire->from, from);
	wire->length = htons(BPDU_LLC + size);
	wire->sap[0] = wire->sap[1] = 0x42;
	wire->control = 3;
	wire->type = type;
}

void bpdu_write(struct bpdu_wire *wire, const struct bpdu *message)
{
	wire->flags = message->flags;
	bpdu_put(wire->root, 8, message->root);
	bpdu_put(wire->cost, 4, message->cost);
	bpdu_put(wire->bridge, 8, message->bridge);
	bpdu_put(wire->port, 2, message->port);
	bpdu_put(wire->age, 2, message->age);
	bpdu_put(wire->max_age, 2, message->max_age);
	bpdu_put(wire->hello_time, 2, message->hello_time);
	bpdu_put(wire->forward_delay, 2, message->forward_delay);
}

void bpdu_read(const struct bpdu_wire *wire, struct bpdu *message)
{
	message->flags = wire->flags;
	message->root = bpdu_get(wire->root, 8);
	message->cost = bpdu_get(wire->cost, 4);
	message->bridge = bpdu_get(wire->bridge, 8);
	message->port = bpdu_get(wire->port, 2);
	message->age = bpdu_get(wire->age, 2);
	message->max_age = bpdu_get(wire->max_age, 2);
	message->hello_time = bpdu_get(wire->hello_time, 2);
	message->forward_delay = bpdu_get(wire->forward_delay, 2);
}

int bpdu_type(const struct bpdu_wire *wire, __u32 frame_size)
{
	const __u32 head = offsetof(struct bpdu_wire, protocol);
	__u32 size;

	if (frame_size < head + BPDU_CHANGE_SIZE || ntohs(wire->length) < BPDU_LLC || ntohs(wire->length) > 1500)
		return -1;
	size = ntohs(wire->length) - BPDU_LLC;
	if (wire->sap[0] != 0x42 || wire->sap[1] != 0x42 || wire->control != 3 || wire->protocol || size > frame_size - head)
		return -1;
	if (wire->type == BPDU_CHANGE && size >= BPDU_CHANGE_SIZE)
		return BPDU_CHANGE;
	return wire->type == BPDU_CONFIG && size >= BPDU_CONFIG_SIZE ? BPDU_CONFIG : -1;
}
