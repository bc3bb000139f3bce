/* Packets from the kernel path: reads the handover record in front of each, and continues at the element that it names. */
#include "look.h"
#include <errno.h>
#include "runtime.h"
#include "runtime_element.h"

/* Counted for the element that reads the device, since the record names no element of this router: it is invalid, or another
 * router's.
 */
static int refuse(struct runtime *runtime, int device, enum drop_reason reason, int error)
{
	device_account(runtime, device, reason, 1);
	return error;
}

static int header(int start, __s16 offset)
{
	return offset < 0 ? NO_HEADER : start + offset;
}

void runtime_set_handed(struct runtime *runtime, struct handed *handed, __u32 queues)
{
	runtime->handed = handed;
	runtime->handed_queues = queues;
}

int runtime_set_handovers(struct runtime *runtime, __u32 hash, const struct anno_range *range, __u32 ranges)
{
	struct handovers handovers = {.hash = hash, .ranges = ranges};

	if (ranges > CARRIED_SIZE)
		return -EINVAL;
	for (__u32 i = 0; i < ranges; i++) {
		if (range[i].offset + range[i].length > CARRIED_SIZE)
			return -EINVAL;
		handovers.range[i] = range[i];
		handovers.length += range[i].length;
	}
	runtime->handovers = handovers;
	return 0;
}

/* Copy annotations from the record. `time`, when the packet arrived, is its timestamp unless the record has one. */
static void read_carried(const struct handovers *handovers, struct pkt *p, const __u8 *from, __u64 time)
{
	p->timestamp = time;
	for (__u32 i = 0; i < handovers->ranges; i++) {
		memcpy(p->carried + handovers->range[i].offset, from, handovers->range[i].length);
		from += handovers->range[i].length;
	}
	if (p->timestamp == NO_TIME)
		p->timestamp = time;
}

/* The packet that a record describes. Of the frame's `length` bytes the first `copied` are at `frame`; the others become zero. */
static struct pkt *packet(const struct handover *record, int device, const __u8 *frame, __u32 copied, __u32 length)
{
	struct pkt *p = pkt_new(PKT_HEADROOM, length);
	int start;

	if (!p)
		return NULL;
	memcpy(p->data, frame, copied);
	memset(p->data + copied, 0, length - copied);
	start = pkt_data_start(p);
	p->mac = header(start, record->mac);
	p->net = header(start, record->net);
	p->trans = header(start, record->trans);
	p->data += record->off;
	pkt_trim(p, pkt_len(p) - record->trim);
	p->type = record->type & ~HANDOVER_MADE;
	p->device = record->type & HANDOVER_MADE ? -1 : device;
	return p;
}

/* Called as the socket's thread. For packets from the inlet, the record has their device. Returns 0, or -errno if the packet was
 * dropped and counted.
 */
int handover_receive(struct runtime *runtime, const void *bytes, __u32 length, int device, __u64 time)
{
	const struct handovers *handovers = &runtime->handovers;
	const int inlet = runtime->code->devices;
	struct handover record;
	struct pkt *p;

	if (length < sizeof(record))
		return refuse(runtime, device, DROP_MALFORMED, -EBADMSG);
	memcpy(&record, bytes, sizeof(record));
	if (device == inlet && record.device < inlet)
		device = record.device;
	if (record.hash != handovers->hash)
		return refuse(runtime, device, DROP_NO_RUNTIME, -ESTALE);
	if (record.size < sizeof(record) + handovers->length || record.size > length || record.off < 0 ||
	    (__u32)record.off + record.trim > length - record.size || device == inlet)
		return refuse(runtime, device, DROP_MALFORMED, -EBADMSG);
	p = packet(&record, device, (const __u8 *)bytes + record.size, length - record.size, length - record.size);
	if (!p)
		return refuse(runtime, device, DROP_NO_MEMORY, -ENOMEM);
	read_carried(handovers, p, (const __u8 *)bytes + sizeof(record), time);
	if (runtime->code->push(record.element, record.port, p))
		return 0;
	pkt_free(p);
	return refuse(runtime, device, DROP_MALFORMED, -ENXIO);
}

/* Run an element's action on a copy of a packet that has continued in the kernel. Invalid records are ignored. */
void handover_look(struct runtime *runtime, const struct look *look, __u32 length)
{
	const struct handovers *handovers = &runtime->handovers;
	const __u8 *bytes = (const __u8 *)(look + 1);
	struct handover record;
	struct pkt *p;

	if (length < sizeof(*look) + sizeof(record))
		return;
	memcpy(&record, bytes, sizeof(record));
	if (record.hash != handovers->hash || record.size < sizeof(record) + handovers->length || look->copied > look->length ||
	    sizeof(*look) + record.size + look->copied > length || record.off < 0 || (__u32)record.off + record.trim > look->length)
		return;
	p = packet(&record, look->device, bytes + record.size, look->copied, look->length);
	if (!p)
		return;
	read_carried(handovers, p, bytes + sizeof(record), wall_clock_at(look->time));
	if (!runtime->code->look(record.element, record.port, p))
		pkt_free(p);
}

/* Whether the record is for this configuration, and not for another. */
bool handover_is_for(const struct runtime *runtime, const void *bytes, __u32 length)
{
	struct handover record;

	if (length < sizeof(record))
		return true;
	memcpy(&record, bytes, sizeof(record));
	return record.hash == runtime->handovers.hash;
}

int runtime_handover(struct runtime *runtime, const void *bytes, __u32 length, int device)
{
	return LOCKED(runtime, after_deferred(handover_receive(runtime, bytes, length, device, wall_clock())));
}
