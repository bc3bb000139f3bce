/* Hot swap: a router that replaces another in this process takes over the devices' sockets, with the packets in them.
 *
 * The host holds the locks of both while it calls these.
 */
#include <errno.h>
#include <linux/if_ether.h>
#include "xsk.h"

/* Process what is still on its way into this router: copies for elements that look, packets in the devices' sockets, and deferred
 * packets. Tasks don't run.
 */
void runtime_drain(struct runtime *runtime)
{
	current = &runtime->thread[0];
	looks_drain_own(runtime->looks);
	xsk_drain(runtime);
	for (__u32 i = 0; i < runtime->threads; i++) {
		current = &runtime->thread[i];
		while (current->deferred.first)
			deferred_run(current);
	}
	current = &runtime->thread[0];
}

/* Move a device from `from` to `to`. Packet sockets and the address that `to` has already been given for it stay. */
int runtime_adopt_device(struct runtime *to, __u32 device, struct runtime *from, __u32 before)
{
	static const __u8 unknown[ETH_ALEN];

	if (device > to->code->devices || before > from->code->devices)
		return -EINVAL;
	for (int side = 0; side < SIDES; side++) {
		struct device_output *output = from->device[before].output[side];
		int error;

		if (!output || to->device[device].output[side])
			continue;
		error = output->ops->adopt ? output->ops->adopt(output, to, device) : 0;
		if (error)
			return error;
		to->device[device].output[side] = output;
		from->device[before].output[side] = NULL;
	}
	to->device[device].l3 = from->device[before].l3;
	if (!memcmp(to->device[device].address, unknown, ETH_ALEN))
		memcpy(to->device[device].address, from->device[before].address, ETH_ALEN);
	return 0;
}

/* Adjust the counts for packets that moved from elements of `from` to elements of `to`. */
void runtime_adopt_packets(struct runtime *to, struct runtime *from, long packets)
{
	to->thread[0].allocated += packets;
	from->thread[0].allocated -= packets;
}
