/* Mapping BPF ring buffers (ringbuf.h). */
#include "ringbuf.h"
#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

int ringbuf_open(struct ringbuf *ring, int fd, __u32 size)
{
	const long page = sysconf(_SC_PAGESIZE);
	__u8 *pages = mmap(NULL, 2 * page + 2 * (size_t)size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (pages == MAP_FAILED)
		return -errno;
	*ring = (struct ringbuf){.pages = pages, .size = size, .data = pages + 2 * page};
	if (mmap(pages, page, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, fd, 0) == MAP_FAILED ||
	    mmap(pages + page, page + 2 * (size_t)size, PROT_READ, MAP_SHARED | MAP_FIXED, fd, page) == MAP_FAILED)
		return -errno;
	ring->consumer = (_Atomic __u64 *)pages;
	ring->producer = (const _Atomic __u64 *)(pages + page);
	return 0;
}

void ringbuf_close(struct ringbuf *ring)
{
	if (ring->pages)
		munmap(ring->pages, 2 * sysconf(_SC_PAGESIZE) + 2 * (size_t)ring->size);
}
