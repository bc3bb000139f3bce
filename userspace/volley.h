/* Programs by which many XDP frames leave at once. */
#pragma once

#include "base.h"

/* How many frames leave by each. A veth device's ring has room for 256, and a driver sees it only when all of them are there. */
#define VOLLEYS 5
#define VOLLEY_FEWEST 32
#define VOLLEY_MOST 128

struct volleys {
	int program[VOLLEYS];
};

/* Those for a device; `filling` is the program that makes packets of the frames (bpf/sending.bpf.c). 0, or a negative errno. */
int volleys_open(struct volleys **to, int filling, __u32 ifindex);
void volleys_close(struct volleys *volleys);
/* The most frames that can leave at once, of so many that there are; 0 if they are too few. */
__u32 volley_size(__u32 packets);
/* Run the program that sends so many frames, which begin as this one. 0, or a negative errno. */
int volley_send(const struct volleys *volleys, __u32 size, const void *frame, __u32 length);
