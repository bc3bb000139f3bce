/* Network devices, by their index in the router.
 *
 * Packets leave by one of a device's three sides: the wire, this machine's Linux stack (ToHost), and packet sockets such as
 * tcpdump's (ToHostSniffers). Each side has a backend: AF_XDP or AF_PACKET sockets for real devices, memory for tests.
 */
#pragma once

#include "pkt.h"

enum device_side { SIDE_WIRE, SIDE_HOST, SIDE_SNIFFERS, SIDES };

struct device_output;
struct runtime;

struct output_ops {
	int (*send)(struct device_output *output, struct pkt *p);	/* as device_send, for p->element */
	void (*flush)(struct device_output *output);	/* NULL if nothing waits */
	void (*destroy)(struct device_output *output);
	/* For backends that also receive: move the device to another router. */
	int (*adopt)(struct device_output *output, struct runtime *runtime, __u32 device);
};

struct device_output {
	const struct output_ops *ops;
};

#define DEVICE_BUSY (-11)	/* -EAGAIN */

/* For element code: queue a packet for a side of a device. Returns 0 if the device has taken the packet, DEVICE_BUSY if it has no
 * room now (flush and try again later), or another -errno if it can't send this packet; on error the caller keeps the packet.
 * Callers flush at the end of a burst.
 */
#define device_send(device, side, p) device_send_for(SELF(index), device, side, p)
EXPORT int device_send_for(__u32 element, int device, enum device_side side, struct pkt *p);
EXPORT void device_flush(int device, enum device_side side);
/* The device's Ethernet address, zero if unknown. */
EXPORT const __u8 *device_address(int device);
/* Whether packets of the device begin with their IP header. */
EXPORT bool device_is_l3(int device);
