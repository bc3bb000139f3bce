/* Programs that send many XDP frames at once. */
#pragma once

#include "base.h"

/* The number of programs, and of frames that the smallest and the largest one sends. A veth device's ring has room for 256 frames,
 * and the receiver is scheduled only after all of a program's.
 */
#define VOLLEYS 5
#define VOLLEY_FEWEST 32
#define VOLLEY_MOST 128

struct volleys {
	int program[VOLLEYS];
};

/* Load the programs for a device; `filling` is the program that turns frames into packets (bpf/sending.bpf.c). 0, or a negative
 * errno.
 */
int volleys_open(struct volleys **to, int filling, __u32 ifindex);
void volleys_close(struct volleys *volleys);
/* The largest number of frames, up to `packets`, that one program sends; 0 if `packets` is too small for any. */
__u32 volley_size(__u32 packets);
/* Run the program that sends `size` copies of the frame. 0, or a negative errno. */
int volley_send(const struct volleys *volleys, __u32 size, const void *frame, __u32 length);
