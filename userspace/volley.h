/* Sends many XDP frames at once: a frame written into a tap device is copied to all entries of a devmap, which are the same device. */
#pragma once

#include "base.h"

/* There are volleys of 1, 3, 7, ... 127 packets. A veth device's ring has room for 256 frames, and the receiver is scheduled only after
 * all of a volley's.
 */
#define VOLLEYS 7
#define VOLLEY_MOST ((1u << VOLLEYS) - 1)

struct volleys {
	int maps;		/* the map of all volleys */
	__u32 first;		/* the number of the smallest one there */
};

/* Make the volleys for a device, numbered from `first`, in `maps`; `filling` is the program that turns frames into packets
 * (bpf/sending.bpf.c). 0, or a negative errno.
 */
int volleys_open(struct volleys **to, int maps, __u32 first, int filling, __u32 ifindex);
void volleys_close(struct volleys *volleys);
/* The packets of the largest volley that has at most so many, which are 1 or more. */
__u32 volley_size(__u32 packets);
/* Send a volley of that size by writing `frame`, which then begins with its number, into the tap device. What has been sent is known
 * from the batch.
 */
void volley_send(const struct volleys *volleys, int tap, __u32 size, void *frame, __u32 length);
