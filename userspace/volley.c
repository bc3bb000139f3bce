/* Sends many XDP frames at once: a frame written into a tap device is copied to all entries of a devmap, which are the same device.
 *
 * The kernel runs the tap device's program in the call that writes, and has sent everything when that returns. A map has one entry
 * more than a volley has packets: the last entry gets the frame itself, which has no room for a longer packet, and is dropped. It mustn't
 * be alone in the kernel's last bulk of 16 frames, in which the driver learns that no more will come: so entries are powers of two. The
 * receiver frees the pages of the copies. The kernel skips a device that is down or takes no frames, without making copies.
 */
#include "volley.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <linux/bpf.h>

/* The number, from 0, of the largest volley that has at most so many packets. */
static __u32 index_of(__u32 packets)
{
	return 30 - __builtin_clz((packets < VOLLEY_MOST ? packets : VOLLEY_MOST) + 1);
}

static __u32 packets_of(__u32 index)
{
	return (2u << index) - 1;
}

/* A devmap with `entries` times the same device; `filling` is the program that the kernel runs for each copy. */
static int map_new(__u32 entries, __u32 ifindex, int filling)
{
	const struct bpf_devmap_val entry = {.ifindex = ifindex, .bpf_prog.fd = filling};
	int error = 0, map = bpf_map_create(BPF_MAP_TYPE_DEVMAP, "volley", sizeof(__u32), sizeof(entry), entries, NULL);

	if (map < 0)
		return -errno;
	for (__u32 i = 0; i < entries && !error; i++)
		error = bpf_map_update_elem(map, &i, &entry, 0) ? -errno : 0;
	if (!error)
		return map;
	close(map);
	return error;
}

static int volley_add(int maps, __u32 number, __u32 packets, int filling, __u32 ifindex)
{
	int error, map = map_new(packets + 1, ifindex, filling);

	if (map < 0)
		return map;
	error = bpf_map_update_elem(maps, &number, &map, BPF_NOEXIST) ? -errno : 0;
	close(map);
	return error;
}

int volleys_open(struct volleys **to, int maps, __u32 first, int filling, __u32 ifindex)
{
	struct volleys *volleys = malloc(sizeof(*volleys));
	int error;

	if (!volleys)
		return -ENOMEM;
	*volleys = (struct volleys){fcntl(maps, F_DUPFD_CLOEXEC, 3), first};
	error = volleys->maps < 0 ? -errno : 0;
	for (__u32 i = 0; i < VOLLEYS && !error; i++)
		error = volley_add(volleys->maps, first + i, packets_of(i), filling, ifindex);
	if (error)
		volleys_close(volleys);
	else
		*to = volleys;
	return error;
}

void volleys_close(struct volleys *volleys)
{
	if (!volleys)
		return;
	for (__u32 i = 0; i < VOLLEYS; i++) {
		const __u32 number = volleys->first + i;

		bpf_map_delete_elem(volleys->maps, &number);
	}
	if (volleys->maps >= 0)
		close(volleys->maps);
	free(volleys);
}

__u32 volley_size(__u32 packets)
{
	return packets_of(index_of(packets));
}

void volley_send(const struct volleys *volleys, int tap, __u32 size, void *frame, __u32 length)
{
	const __u32 number = volleys->first + index_of(size);
	ssize_t written;

	memcpy(frame, &number, sizeof(number));
	written = write(tap, frame, length);
	(void)written;
}
