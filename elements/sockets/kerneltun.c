#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "common/link.h"

#define LINK_HEADERS 18	/* most bytes of link headers, not counted in the MTU: Ethernet and a VLAN tag */

static __u8 SELF(buffer)[LINK_HEADERS + 65535] SCRATCH;

static void SELF(report)(const char *what)
{
	fprintf(stderr, "%s(%s): %s\n", cfg.tap ? "KernelTap" : "KernelTun", private(device)->name, what);
}

/* Report an error; with IGNORE_QUEUE_OVERFLOWS, a full queue only once. */
static void SELF(tell_once)(__u8 *told)
{
	if (errno != ENOBUFS || !cfg.ignore_queue_overflows || !*told)
		SELF(report)(strerror(errno));
	*told = true;
}

/* Receive one packet; false if there is none. */
static bool SELF(receive)(struct SELF(device) *device)
{
	ssize_t length = read(device->fd, SELF(buffer), sizeof(SELF(buffer)));
	struct pkt *p;

	if (length <= 0) {
		if (length < 0 && errno != EAGAIN && errno != EINTR)
			SELF(tell_once)(&device->told_read);
		return false;
	}
	device->packets++;
	p = pkt_copy_in(SELF(buffer), length);
	if (!p)
		return true;
	p->timestamp = wall_clock();
	emit(p, cfg.tap || mark_ip(p, 0) ? 0 : 1);
	return true;
}

EVENT()
{
	struct SELF(device) *device = private(device);

	device->selected_calls++;
	for (__u32 i = 0; i < cfg.burst && SELF(receive)(device); i++)
		;
}

/* Check a packet for Linux: the error, or NULL. Also strips a tun's packet down to its IP header. */
static const char *SELF(check)(struct pkt *p)
{
	const struct iphdr *ip;
	int offset;

	if (cfg.tap)
		return pkt_len(p) < ETH_HLEN ? "packet too small" : NULL;
	ip = pkt_network_header(p, sizeof(*ip));
	if (!ip)
		return "no network header";
	if (ip->version != 4 && ip->version != 6)
		return "unknown IP version";
	offset = pkt_network_offset(p);
	if (offset < 0)
		pkt_push(p, -offset);
	else
		pkt_pull(p, offset);
	return NULL;
}

static void SELF(give)(struct pkt *p)
{
	struct SELF(device) *device = private(device);
	const char *wrong = SELF(check)(p);

	if (!wrong && pkt_len(p) - (cfg.tap ? ETH_HLEN : 0) > cfg.mtu)
		wrong = "packet larger than MTU";
	if (wrong) {
		SELF(report)(wrong);
		discard(p, MALFORMED);
	} else if (write(device->fd, p->data, pkt_len(p)) < 0) {
		SELF(tell_once)(&device->told_write);
		discard(p, DEVICE);
	} else {
		pkt_free(p);
	}
}

ELEMENT(KernelTun)
{
	SELF(give)(p);
	return STOLEN;
}

TASK()
{
	struct pkt *p = pull(0);

	if (!p)
		return false;
	SELF(give)(p);
	task_schedule();
	return true;
}

INIT()
{
	if (SELF(ninputs) && !input_is_push(0))
		task_schedule();
	return watch(private(device)->fd, WATCH_READ);
}
