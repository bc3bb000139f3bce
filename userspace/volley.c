/* Programs that send many XDP frames at once: each redirects a frame to all entries of a devmap, which are the same device.
 *
 * Each test run has a single frame, so it never waits. (For more, the kernel adds the program to its XDP dispatcher, under a mutex
 * that it holds for 25 to 50 ms whenever anybody attaches an XDP program.) Nor do test runs hold on to pages: the receiver frees
 * those of the copies. The kernel skips a device that is down or takes no frames, without making copies.
 */
#include "volley.h"
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <bpf/bpf.h>
#include <linux/bpf.h>

#define LENGTH(array) (sizeof(array) / sizeof(*(array)))

static const __u32 sizes[VOLLEYS] = {VOLLEY_FEWEST, 48, 64, 96, VOLLEY_MOST};

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

/* return bpf_redirect_map(map, 0, BPF_F_BROADCAST) */
static int program_new(int map)
{
	const struct bpf_insn code[] = {
		{.code = BPF_LD | BPF_IMM | BPF_DW, .dst_reg = BPF_REG_1, .src_reg = BPF_PSEUDO_MAP_FD, .imm = map},
		{},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_2, .imm = 0},
		{.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = BPF_REG_3, .imm = BPF_F_BROADCAST},
		{.code = BPF_JMP | BPF_CALL, .imm = BPF_FUNC_redirect_map},
		{.code = BPF_JMP | BPF_EXIT},
	};
	int program = bpf_prog_load(BPF_PROG_TYPE_XDP, "volley", "GPL", code, LENGTH(code), NULL);

	return program < 0 ? -errno : program;
}

int volleys_open(struct volleys **to, int filling, __u32 ifindex)
{
	struct volleys *volleys = malloc(sizeof(*volleys));
	int error = 0;

	if (!volleys)
		return -ENOMEM;
	for (__u32 i = 0; i < VOLLEYS; i++)
		volleys->program[i] = -1;
	for (__u32 i = 0; i < VOLLEYS && error >= 0; i++) {
		int map = map_new(sizes[i], ifindex, filling);

		error = volleys->program[i] = map < 0 ? map : program_new(map);
		if (map >= 0)
			close(map);	/* the program keeps a reference */
	}
	if (error >= 0) {
		*to = volleys;
		return 0;
	}
	volleys_close(volleys);
	return error;
}

void volleys_close(struct volleys *volleys)
{
	for (__u32 i = 0; volleys && i < VOLLEYS; i++)
		if (volleys->program[i] >= 0)
			close(volleys->program[i]);
	free(volleys);
}

__u32 volley_size(__u32 packets)
{
	__u32 i = VOLLEYS;

	while (i && sizes[i - 1] > packets)
		i--;
	return i ? sizes[i - 1] : 0;
}

int volley_send(const struct volleys *volleys, __u32 size, const void *frame, __u32 length)
{
	LIBBPF_OPTS(bpf_test_run_opts, options, .data_in = frame, .data_size_in = length, .repeat = 1,
		    .flags = BPF_F_TEST_XDP_LIVE_FRAMES, .batch_size = 1);

	for (__u32 i = 0; i < VOLLEYS; i++)
		if (sizes[i] == size)
			return bpf_prog_test_run_opts(volleys->program[i], &options);
	return -EINVAL;
}
