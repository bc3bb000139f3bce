/* Follows Linux's routes by rtnetlink (follow.h). */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
#include "linux/attributes.h"
#include "routestructures.h"
#include "linux/follow.h"

#define SLICE 2000000ll		/* ns to read messages at a time, while packets wait */
#define LOOK 1000000000ll	/* ns between checks of the settings */
#define DATAGRAM (1 << 16)
#define KEPT_MOST (64ll << 20)	/* bytes; beyond that, request a new dump */

/* The value of a sysctl file. */
static __u32 setting(int file, __u32 otherwise)
{
	char text[16] = { 0 };

	return file >= 0 && pread(file, text, sizeof(text) - 1, 0) > 0 ? strtoul(text, NULL, 10) : otherwise;
}

void follow_look(struct routes *r, __s64 time)
{
	const __u32 others = r->family == AF_INET ? 0 : FIELD_PROTOCOL | FIELD_LABEL;

	switch (setting(r->settings[0], 0)) {
	case 1:
		r->stats->fields = FIELD_ADDRESSES | FIELD_PROTOCOL | FIELD_PORTS;
		break;
	case 3:
		r->stats->fields = setting(r->settings[1], FIELD_ADDRESSES | FIELD_PROTOCOL);
		break;
	default:
		r->stats->fields = FIELD_ADDRESSES | others;
	}
	routes_switch(r, !setting(r->settings[2], 1), time);
	r->look = time + LOOK;
}

static void ask_for(struct routes *r, int what)
{
	struct {
		struct nlmsghdr header;
		struct rtmsg message;	/* as long as the other types, which also begin with the family */
	} question = {
		.header = { .nlmsg_len = sizeof(question), .nlmsg_type = what, .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
		.message.rtm_family = what == RTM_GETLINK ? AF_UNSPEC : r->family,
	};
	struct {
		struct nlmsghdr header;
		struct ifinfomsg message;
	} links = { .header = { sizeof(links), what, NLM_F_REQUEST | NLM_F_DUMP, 0, 0 } };
	void *asked = what == RTM_GETLINK ? (void *)&links : (void *)&question;

	r->asking = what;
	links.header.nlmsg_seq = question.header.nlmsg_seq = ++r->sequence;
	if (send(r->dumps, asked, ((struct nlmsghdr *)asked)->nlmsg_len, 0) < 0)
		r->is_inconsistent = true;
}

void follow_ask(struct routes *r, __s64 time)
{
	if (r->asking)
		return;
	r->due = 0;
	if (!r->is_open && (cells_open(&r->cells, r->cell, r->chunks) || hops_open(&r->hops, r->hop, r->hop_capacity, r->bucket, r->groups))) {
		r->tell("no memory for routes");
		return;
	}
	r->is_open = true;
	if (rib_open(&r->next, r->stats->key)) {
		r->tell("no memory for routes");
		return;
	}
	routes_never(&r->next, r->family);
	r->asked = time;
	r->had_rules = r->is_inconsistent = false;
	r->stats->unmirrored = 0;
	ask_for(r, RTM_GETLINK);
}

/* Keep a notification that arrived during a dump. */
static void keep(struct routes *r, const struct nlmsghdr *header)
{
	const size_t length = NLMSG_ALIGN(header->nlmsg_len);

	if (r->kept_room - r->kept_length < length) {
		const size_t room = 2 * r->kept_room + DATAGRAM;
		char *more = room < KEPT_MOST ? realloc(r->kept, room) : NULL;

		if (!more) {
			r->is_inconsistent = true;
			return;
		}
		r->kept = more;
		r->kept_room = room;
	}
	memcpy(r->kept + r->kept_length, header, header->nlmsg_len);
	r->kept_length += length;
}

static void change_as_kept(struct routes *r, __s64 time)
{
	for (size_t i = 0; i < r->kept_length; i += NLMSG_ALIGN(((struct nlmsghdr *)(r->kept + i))->nlmsg_len))
		routes_change(r, (struct nlmsghdr *)(r->kept + i), time);
}

static void forget_kept(struct routes *r)
{
	free(r->kept);
	r->kept = NULL;
	r->kept_length = r->kept_room = 0;
}

static void answered(struct routes *r, __s64 time, __s64 (*clock)(void))
{
	if (r->asking == RTM_GETLINK) {
		ask_for(r, RTM_GETRULE);
		return;
	}
	if (r->asking == RTM_GETRULE) {
		ask_for(r, RTM_GETROUTE);
		return;
	}
	r->asking = 0;
	r->took = clock() - r->asked;
	if (!r->is_inconsistent) {
		routes_change_over(r, time);
		change_as_kept(r, time);
	} else {
		for (__u32 i = 1; i < r->next.used; i++)
			hops_put(&r->hops, r->next.route[i].hop, time);
		rib_close(&r->next);
		routes_stale(r, time);
	}
	forget_kept(r);
}

static void read_answer(struct routes *r, const struct nlmsghdr *header, __s64 time, __s64 (*clock)(void))
{
	if (header->nlmsg_seq != r->sequence)
		return;
	r->is_inconsistent |= header->nlmsg_flags & NLM_F_DUMP_INTR || header->nlmsg_type == NLMSG_ERROR;
	if (header->nlmsg_type == NLMSG_DONE || header->nlmsg_type == NLMSG_ERROR)
		answered(r, time, clock);
	else
		routes_take(r, header, time);
}

/* Read one datagram; false if there was none. */
static bool read_socket(struct routes *r, int socket, char *buffer, __s64 time, __s64 (*clock)(void))
{
	int length = recv(socket, buffer, DATAGRAM, MSG_DONTWAIT);
	bool is_some;

	if (length < 0 && errno == ENOBUFS) {
		r->stats->overruns++;
		r->is_inconsistent |= r->asking;
		routes_stale(r, time);
		return true;
	}
	is_some = length > 0;
	for (const struct nlmsghdr *header = (void *)buffer; mnl_nlmsg_ok(header, length); header = mnl_nlmsg_next(header, &length))
		if (socket == r->dumps) {
			read_answer(r, header, time, clock);
		} else {
			if (r->asking)
				keep(r, header);
			if (r->is_ready || !r->asking)
				routes_change(r, header, time);
		}
	return is_some;
}

void follow_read(struct routes *r, __s64 (*clock)(void))
{
	__s64 time = clock();
	const __s64 end = time + SLICE;
	char *buffer = malloc(DATAGRAM);
	bool more = buffer;

	for (; more && time < end; time = clock()) {
		more = read_socket(r, r->events, buffer, time, clock);
		if (r->asking)
			more |= read_socket(r, r->dumps, buffer, time, clock);
	}
	free(buffer);
}

void follow_close(struct routes *r)
{
	rib_close(&r->now);
	rib_close(&r->next);
	forget_kept(r);
	if (r->cells.resting)
		cells_close(&r->cells);
	if (r->hops.record)
		hops_close(&r->hops);
}
