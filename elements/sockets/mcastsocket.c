#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include "sockets/receive.inc.h"

static int SELF(target)(void)
{
	return private(socket)->out;
}

static __u32 SELF(interest)(void)
{
	return 0;
}

static void SELF(fail)(int error)
{
	struct SELF(socket) *s = private(socket);

	fprintf(stderr, "%s :: McastSocket: %s\n", SELF(name), strerror(error));
	watch(s->receiver, 0);
	watch(s->out, 0);
	s->receiver = s->out = -1;
}

/* Whether the element sent a datagram itself: whether it comes from its own address. */
static bool SELF(is_own)(const struct SELF(socket) *s, const __u8 *from)
{
	return s->own_address && !memcmp(from + 2, &s->own_port, 2) && !memcmp(from + 4, &s->own_address, 4);
}

static bool SELF(write)(struct pkt *p)
{
	int fd = private(socket)->out;

	while (sendto(fd, p->data, pkt_len(p), 0, (const struct sockaddr *)SELF(group), SELF(group_length)) < 0) {
		if (errno == EINTR)
			continue;
		if (errno == EAGAIN || errno == ENOBUFS)
			return false;
		SELF(fail)(errno);
		discard(p, DEVICE);
		return true;
	}
	pkt_free(p);
	return true;
}

#include "sockets/send.inc.h"

ELEMENT(McastSocket)
{
	return SELF(send)(p);
}

EVENT()
{
	struct SELF(socket) *s = private(socket);

	SELF(room)();
	for (int i = 0; i < RECEIVE_BURST && s->receiver >= 0 && SELF(noutputs); i++) {
		__u8 from[16] = {0};
		socklen_t from_length = sizeof(from);
		ssize_t length = recvfrom(s->receiver, SELF(buffer), sizeof(SELF(buffer)), MSG_TRUNC, (struct sockaddr *)from, &from_length);
		struct pkt *p;

		if (length < 0 && errno == EINTR)
			continue;
		if (length < 0) {
			if (errno != EAGAIN)
				SELF(fail)(errno);
			return;
		}
		p = SELF(is_own)(s, from) ? NULL : SELF(packet)(length);
		if (p)
			emit(p, 0);
	}
}

INIT()
{
	if (SELF(ninputs) && !input_is_push(0))
		task_schedule();
	return SELF(noutputs) ? watch(private(socket)->receiver, WATCH_READ) : 0;
}

CLEANUP()
{
	SELF(forget_waiting)();
}
