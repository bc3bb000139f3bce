/* libFuzzer in a process whose Python has made a router ready: each input is a few packets, and time between them.
 *
 * Preloaded before the sanitizer's library, whose empty hooks for coverage would be found first otherwise.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct runtime;

/* Where packets enter: a device, or an element's input. */
struct way {
	int32_t element;	/* or -1 */
	uint32_t number;	/* of the device, or the input's port */
};

/* What the runtime's library offers, and the router (elements.py fills it in). */
struct target {
	int (*inject)(struct runtime *, uint32_t, const void *, uint32_t);
	int (*push)(struct runtime *, uint32_t, uint32_t, const void *, uint32_t);
	long (*settle)(struct runtime *, long);
	long (*collect)(struct runtime *, uint32_t, int, void *, uint32_t);
	void (*set_clock)(struct runtime *, uint64_t);
	struct runtime *runtime;
	const struct way *way;
	uint32_t ways, devices, sides;
	uint64_t clock;
};

/* Turns of the driver after each packet: enough for what it causes, however long a source goes on. */
#define TURNS 100
#define ROOM 65536

int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*one)(const uint8_t *, size_t));

static struct target target;
static const uint64_t pauses[] = {0, 0, 0, 0, 1000000, 100000000, 5000000000, 400000000000};

/* A packet of its own memory, so that the sanitizer knows its end. */
static void send_packet(const struct way *way, const uint8_t *data, size_t length)
{
	uint8_t *copy = malloc(length ? length : 1);

	memcpy(copy, data, length);
	if (way->element < 0)
		target.inject(target.runtime, way->number, copy, length);
	else
		target.push(target.runtime, way->element, way->number, copy, length);
	free(copy);
}

static void collect_all(void)
{
	static uint8_t room[ROOM];

	for (uint32_t device = 0; device < target.devices; device++)
		for (uint32_t side = 0; side < target.sides; side++)
			while (target.collect(target.runtime, device, side, room, sizeof(room)) >= 0)
				continue;
}

/* Of each packet: where it enters, how long it was quiet before, its length in two bytes, its bytes. */
static int one(const uint8_t *data, size_t size)
{
	while (size >= 4) {
		size_t length = data[2] << 8 | data[3];

		if (length > size - 4)
			length = size - 4;
		target.clock += pauses[data[1] % (sizeof(pauses) / sizeof(*pauses))];
		target.set_clock(target.runtime, target.clock);
		send_packet(&target.way[data[0] % target.ways], data + 4, length);
		target.settle(target.runtime, TURNS);
		collect_all();
		data += 4 + length;
		size -= 4 + length;
	}
	return 0;
}

/* Does not return: libFuzzer ends the process. */
int fuzz(const struct target *given, int argc, char **argv)
{
	target = *given;
	return LLVMFuzzerRunDriver(&argc, &argv, one);
}
