/* Patches branches in a router's code: a five-byte no-op becomes a jump, and back. */
#define _GNU_SOURCE
#include "switch.h"
#include <errno.h>
#include <linux/membarrier.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SITE_SIZE 5

static const __u8 nothing[SITE_SIZE] = {0x0f, 0x1f, 0x44, 0x00, 0x00};

static int write_code(__u8 *at, const __u8 code[SITE_SIZE])
{
	const unsigned long page = sysconf(_SC_PAGESIZE);
	__u8 *start = (__u8 *)((unsigned long)at & ~(page - 1));
	const size_t length = at + SITE_SIZE - start;

	if (mprotect(start, length, PROT_READ | PROT_WRITE))
		return -errno;
	memcpy(at, code, SITE_SIZE);
	return mprotect(start, length, PROT_READ | PROT_EXEC) ? -errno : 0;
}

static int switch_site(const struct switch_site *site, bool on)
{
	__u8 *at = (__u8 *)&site->at + site->at, *to = (__u8 *)&site->to + site->to;
	const __s32 distance = to - (at + SITE_SIZE);
	__u8 jump[SITE_SIZE] = {0xe9};

	memcpy(jump + 1, &distance, sizeof(distance));
	if (memcmp(at, on ? nothing : jump, SITE_SIZE))
		return 0;	/* already in the wanted state */
	return write_code(at, on ? jump : nothing);
}

int switch_sites(const struct switch_sites *sites, bool on)
{
	int error = 0;

	if (sites->traced)
		*sites->traced = on;
	for (const struct switch_site *site = sites->first; site < sites->end && !error; site++)
		error = switch_site(site, on);
	if (error && on)
		switch_sites(sites, false);
	/* Make all CPUs discard prefetched instructions. */
	syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
	syscall(SYS_membarrier, MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE, 0, 0);
	return error;
}
