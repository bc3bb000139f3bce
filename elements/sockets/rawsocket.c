#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include "common/link.h"
#include "sockets/receive.inc.h"

static int SELF(target)(void)
{
	return private(socket)->fd;
}

static __u32 SELF(interest)(void)
{
	return SELF(noutputs) ? WATCH_READ : 0;
}

static void SELF(receive)(void)
{
	for (int i = 0; i < RECEIVE_BURST; i++) {
		ssize_t length = recv(private(socket)->fd, SELF(buffer), sizeof(SELF(buffer)), MSG_TRUNC);
		struct pkt *p;

		if (length < 0 && errno == EINTR)
			continue;
		if (length < 0) {
			if (errno != EAGAIN)
				fprintf(stderr, "recv: %s\n", strerror(errno));
			return;
		}
		p = SELF(packet)(length);
		if (p && mark_ip(p, 0))
			emit(p, 0);
		else if (p)
			discard(p, MALFORMED);
	}
}

/* A raw socket isn't connected: the destination is the header's. */
static bool SELF(write)(struct pkt *p)
{
	const struct iphdr *ip = pkt_data(p, 0, sizeof(*ip));
	__u8 to[16] = {AF_INET};

	if (!ip) {
		fprintf(stderr, "runt IP packet (%u bytes)\n", pkt_len(p));
		discard(p, MALFORMED);
		return true;
	}
	memcpy(to + 4, &ip->daddr, sizeof(ip->daddr));
	while (sendto(private(socket)->fd, p->data, pkt_len(p), 0, (const struct sockaddr *)to, sizeof(to)) < 0) {
		if (errno == EINTR)
			continue;
		if (errno == EAGAIN || errno == ENOBUFS)
			return false;
		fprintf(stderr, "sendto: %s\n", strerror(errno));
		discard(p, DEVICE);
		return true;
	}
	pkt_free(p);
	return true;
}

#include "sockets/send.inc.h"

ELEMENT(RawSocket)
{
	return SELF(send)(p);
}

EVENT()
{
	SELF(room)();
	if (SELF(noutputs))
		SELF(receive)();
}

INIT()
{
	if (SELF(ninputs))
		task_schedule();
	return SELF(noutputs) ? watch(private(socket)->fd, WATCH_READ) : 0;
}

CLEANUP()
{
	SELF(forget_waiting)();
}
