#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "sockets/receive.inc.h"

#define ACCEPT_AFTER 100000000	/* ns to the next attempt, when the system is out of resources for connections */

static int SELF(target)(void)
{
	const struct SELF(socket) *s = private(socket);

	return cfg.datagrams && !s->peer_length ? -1 : s->active;
}

static __u32 SELF(interest)(void)
{
	return SELF(noutputs) || cfg.listens ? WATCH_READ : 0;
}

/* "opened connection 7 from 10.0.0.1:80" on standard error. */
static void SELF(report)(const char *what, int fd, const char *preposition, const __u8 *address)
{
	if (!cfg.verbose)
		return;
	if (address && address[0] == AF_INET)
		fprintf(stderr, "%s :: %s: %s %d %s %u.%u.%u.%u:%u\n", SELF(name), SELF(class), what, fd, preposition, address[4],
			address[5], address[6], address[7], address[2] << 8 | address[3]);
	else if (address)
		fprintf(stderr, "%s :: %s: %s %d %s %s\n", SELF(name), SELF(class), what, fd, preposition, (const char *)address + 2);
	else
		fprintf(stderr, "%s :: %s: %s %d\n", SELF(name), SELF(class), what, fd);
}

static void SELF(report_error)(int error)
{
	if (cfg.verbose)
		fprintf(stderr, "%s :: %s: %s\n", SELF(name), SELF(class), strerror(error));
}

/* End a connection. Python closes the socket opened at initialisation. */
static void SELF(disconnect)(struct SELF(socket) *s)
{
	int fd = s->active;

	if (fd < 0)
		return;
	watch(fd, 0);
	s->active = -1;
	SELF(report)("closed connection", fd, NULL, NULL);
	if (fd == s->fd) {
		shutdown(fd, SHUT_RDWR);
	} else {
		close(fd);
		watch(s->fd, WATCH_READ);
	}
}

/* Whether a peer may connect, by the tables ALLOW and DENY. */
static bool SELF(allowed)(const __u8 *address)
{
	return !cfg.choosy || address[0] != AF_INET || call_python(*(const __be32 *)(address + 4));
}

static void SELF(accept)(struct SELF(socket) *s)
{
	__u8 from[SELF(address_size) + 1] = {0};
	socklen_t length = SELF(address_size);
	int fd = accept(s->fd, (struct sockaddr *)from, &length);

	if (fd < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
		SELF(report_error)(errno);
		watch(s->fd, 0);	/* a waiting client would cause events all the time */
		timer_after(ACCEPT_AFTER);
	}
	if (fd < 0)
		return;
	if (!SELF(allowed)(from)) {
		SELF(report)("denied connection", fd, "from", from);
		close(fd);
		return;
	}
	SELF(report)("opened connection", fd, "from", from);
	fcntl(fd, F_SETFL, O_NONBLOCK);
	fcntl(fd, F_SETFD, FD_CLOEXEC);
	s->active = fd;
	watch(s->fd, 0);	/* one client at a time */
	watch(fd, WATCH_READ);
	if (SELF(ninputs) && !input_is_push(0))
		task_schedule();
}

/* The number of bytes received; 0 at the end of a stream; -1 on an error, or for a datagram from a host that isn't allowed. */
static ssize_t SELF(read)(struct SELF(socket) *s)
{
	__u8 from[SELF(address_size) + 1] = {0};
	socklen_t length = SELF(address_size);
	ssize_t got;

	if (!cfg.datagrams)
		return recv(s->active, SELF(buffer), sizeof(SELF(buffer)), 0);
	got = recvfrom(s->active, SELF(buffer), sizeof(SELF(buffer)), MSG_TRUNC, (struct sockaddr *)from, &length);
	if (got < 0 || cfg.client)
		return got;
	if (!SELF(allowed)(from)) {
		SELF(report)("dropped datagram on", s->active, "from", from);
		errno = EINTR;
		return -1;
	}
	memcpy(s->peer, from, sizeof(s->peer));
	s->peer_length = length;
	return got;
}

static void SELF(receive)(struct SELF(socket) *s)
{
	for (int i = 0; i < RECEIVE_BURST && s->active >= 0; i++) {
		ssize_t length = SELF(read)(s);
		struct pkt *p;

		if (length < 0 && errno == EINTR)
			continue;
		if (length < 0 && errno == EAGAIN)
			return;
		if (length < 0 || (length == 0 && !cfg.datagrams)) {
			if (length < 0)
				SELF(report_error)(errno);
			SELF(disconnect)(s);
			return;
		}
		p = SELF(noutputs) ? SELF(packet)(length) : NULL;
		if (p)
			emit(p, 0);
	}
}

static ssize_t SELF(write_once)(struct SELF(socket) *s, const struct pkt *p)
{
	if (!cfg.datagrams)
		return send(s->active, p->data, pkt_len(p), MSG_NOSIGNAL);
	if (cfg.anywhere)
		memcpy(s->peer + 4, p->anno + DST_IP_ANNO, sizeof(__be32));
	return sendto(s->active, p->data, pkt_len(p), 0, (struct sockaddr *)s->peer, s->peer_length);
}

static bool SELF(write)(struct pkt *p)
{
	struct SELF(socket) *s = private(socket);

	do {
		ssize_t sent = SELF(write_once)(s, p);

		if (sent < 0 && errno == EINTR)
			continue;
		if (sent < 0 && (errno == EAGAIN || errno == ENOBUFS))
			return false;
		if (sent < 0) {
			SELF(report_error)(errno);
			SELF(disconnect)(s);
			discard(p, DEVICE);
			return true;
		}
		pkt_pull(p, sent);
	} while (pkt_len(p));
	pkt_free(p);
	return true;
}

#include "sockets/send.inc.h"

ELEMENT(Socket)
{
	return SELF(send)(p);
}

EVENT()
{
	struct SELF(socket) *s = private(socket);

	SELF(room)();
	if (cfg.listens && s->active < 0)
		SELF(accept)(s);
	SELF(receive)(s);
}

TIMER()
{
	const struct SELF(socket) *s = private(socket);

	if (s->active < 0)
		watch(s->fd, WATCH_READ);
}

INIT()
{
	struct SELF(socket) *s = private(socket);

	s->active = cfg.listens ? -1 : s->fd;
	if (cfg.client || !cfg.datagrams) {
		memcpy(s->peer, SELF(remote), SELF(remote_length));
		s->peer_length = SELF(remote_length);
	}
	if (cfg.client && !cfg.datagrams)
		SELF(report)("opened connection", s->fd, "to", SELF(remote));
	if (SELF(ninputs) && !input_is_push(0))
		task_schedule();
	return SELF(interest)() ? watch(s->fd, WATCH_READ) : 0;
}

CLEANUP()
{
	struct SELF(socket) *s = private(socket);

	SELF(forget_waiting)();
	if (s->active >= 0 && s->active != s->fd)
		close(s->active);
}
