/* Devices, independent of their backend; and the backend that keeps packets in memory. */
#include "device.h"
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <stdlib.h>
#include "runtime.h"
#include "trace.h"

/* Send a packet and report it. The backend frees the packet, so the report needs a clone from before. */
static int send_traced(struct trace *trace, struct device_output *output, int device, enum device_side side, struct pkt *p)
{
	static const enum traced_event event[SIDES] = {
		[SIDE_WIRE] = TRACED_SENT,
		[SIDE_HOST] = TRACED_HOST,
		[SIDE_SNIFFERS] = TRACED_SNIFFED,
	};
	struct pkt *copy = pkt_clone(p);
	int error = output->ops->send(output, p);

	if (copy && !error)
		trace_event(trace, copy, 0xffff, 0, event[side], device);
	if (copy)
		pkt_free(copy);
	return error;
}

/* The Ethernet type for an IP packet, by the version in its header, in network byte order; 0 for other packets. */
__be16 packet_protocol(const struct pkt *p)
{
	const __u8 version = p->data < p->tail ? *p->data >> 4 : 0;

	return version == 4 ? htons(ETH_P_IP) : version == 6 ? htons(ETH_P_IPV6) : 0;
}

int device_send_for(__u32 element, int device, enum device_side side, struct pkt *p)
{
	const struct device *to = &current->runtime->device[device];
	struct device_output *output = to->output[side];

	if (to->l3 ? !packet_protocol(p) : pkt_len(p) < ETH_HLEN)
		return -EINVAL;
	if (unlikely(!output))
		return -ENODEV;
	p->element = element;
	if (unlikely(current->runtime->trace))
		return send_traced(current->runtime->trace, output, device, side, p);
	return output->ops->send(output, p);
}

void device_flush(int device, enum device_side side)
{
	struct device_output *output = current->runtime->device[device].output[side];

	if (likely(output && output->ops->flush))
		output->ops->flush(output);
}

/* The packet type, as eth_type_trans() in Linux and packet_type() in bpf/exits.h set it. */
static __u8 packet_type(const struct device *device, const __u8 *frame, __u32 length)
{
	static const __u8 broadcast[ETH_ALEN] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff};

	if (length < ETH_HLEN || device->l3)
		return PACKET_HOST;
	if (frame[0] & 1)
		return memcmp(frame, broadcast, ETH_ALEN) ? PACKET_MULTICAST : PACKET_BROADCAST;
	return memcmp(frame, device->address, ETH_ALEN) ? PACKET_OTHERHOST : PACKET_HOST;
}

/* Count drops of packets that no element has seen, if there is an element to count them for. The caller acts as a thread. */
static void account(struct runtime *runtime, int element, enum drop_reason reason, __u64 packets)
{
	if (element >= 0)
		runtime->drops[element * runtime->slots + current->slot].reason[reason] += packets;
}

/* The inlet has no reader: its drops are counted for element 0, on behalf of the router as a whole. */
void device_account(struct runtime *runtime, __u32 device, enum drop_reason reason, __u64 packets)
{
	account(runtime, device < runtime->code->devices ? runtime->code->reader[device] : 0, reason, packets);
}

void device_refused(struct runtime *runtime, __u32 device, __u64 packets)
{
	account(runtime, runtime->code->sender[device], DROP_TRANSMIT, packets);
}

/* Push a received frame into the router; -ENXIO if no element reads the device. */
int device_receive(struct runtime *runtime, __u32 device, const void *frame, __u32 length, __u64 time)
{
	struct pkt *p;

	if (device >= runtime->code->devices)
		return -ENODEV;
	p = pkt_copy_in(frame, length);
	if (!p)
		return -ENOMEM;
	p->device = device;
	p->type = packet_type(&runtime->device[device], frame, length);
	p->timestamp = time;
	if (runtime->device[device].l3)
		pkt_set_network_header(p, 0);
	else
		pkt_set_mac_header(p, 0);
	if (runtime->code->receive(device, p))
		return 0;
	pkt_free(p);
	return -ENXIO;
}

struct memory_output {
	struct device_output output;
	struct lock lock;
	struct pkt_list sent;
};

static int memory_send(struct device_output *output, struct pkt *p)
{
	struct memory_output *memory = container_of(output, struct memory_output, output);

	lock_take(&memory->lock);
	pkt_list_add(&memory->sent, p);
	lock_release(&memory->lock);
	return 0;
}

static void memory_destroy(struct device_output *output)
{
	struct memory_output *memory = container_of(output, struct memory_output, output);
	struct pkt *p;

	while ((p = pkt_list_take(&memory->sent)))
		pkt_free(p);
	free(memory);
}

static const struct output_ops memory_ops = {
	.send = memory_send,
	.destroy = memory_destroy,
};

int device_set_output(struct runtime *runtime, __u32 device, enum device_side side, struct device_output *output)
{
	if (device >= runtime->code->devices || runtime->device[device].output[side])
		return -EINVAL;
	runtime->device[device].output[side] = output;
	return 0;
}

int runtime_add_memory(struct runtime *runtime, __u32 device, enum device_side side)
{
	struct memory_output *memory = aligned_alloc(CACHE_LINE, sizeof(*memory));
	int error;

	if (!memory)
		return -ENOMEM;
	memset(memory, 0, sizeof(*memory));
	memory->output.ops = &memory_ops;
	memory->sent.end = &memory->sent.first;
	error = device_set_output(runtime, device, side, &memory->output);
	if (error)
		free(memory);
	return error;
}

long runtime_uncollected(struct runtime *runtime)
{
	long packets = 0;

	runtime_lock(runtime);
	for (__u32 device = 0; device < runtime->code->devices; device++)
		for (int side = 0; side < SIDES; side++) {
			struct device_output *output = runtime->device[device].output[side];

			if (output && output->ops == &memory_ops)
				packets += container_of(output, struct memory_output, output)->sent.length;
		}
	runtime_unlock(runtime);
	return packets;
}

long runtime_collect(struct runtime *runtime, __u32 device, enum device_side side, void *bytes, __u32 room)
{
	struct device_output *output = device < runtime->code->devices ? runtime->device[device].output[side] : NULL;
	struct memory_output *memory;
	struct pkt *p;
	long length;

	if (!output || output->ops != &memory_ops)
		return -EINVAL;
	memory = container_of(output, struct memory_output, output);
	runtime_lock(runtime);
	p = memory->sent.first;
	length = !p ? -ENOENT : pkt_len(p) > room ? -EMSGSIZE : (long)pkt_len(p);
	if (length >= 0) {
		memcpy(bytes, p->data, length);
		pkt_free(pkt_list_take(&memory->sent));
	}
	runtime_unlock(runtime);
	return length;
}

const __u8 *device_address(int device)
{
	return current->runtime->device[device].address;
}

bool device_is_l3(int device)
{
	return current->runtime->device[device].l3;
}

void runtime_set_l3(struct runtime *runtime, __u32 device)
{
	runtime->device[device].l3 = true;
}

void runtime_set_address(struct runtime *runtime, __u32 device, const __u8 address[6])
{
	memcpy(runtime->device[device].address, address, ETH_ALEN);
}
