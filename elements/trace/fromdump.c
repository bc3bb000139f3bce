#include "dump.h"
#include "../devices/link.h"

enum SELF(found) { SELF(PACKET), SELF(SKIPPED), SELF(NOTHING) };

static void SELF(end)(struct SELF(reader) *r)
{
	if (r->ended)
		return;
	r->ended = true;
	if (cfg.stop)
		driver_stop();
	else if (cfg.calls)
		call_python(0);
	else if (r->has_last)
		r->active = false;
}

/* Times that are relative to the first packet's become absolute. */
static void SELF(start)(struct SELF(reader) *r, __u64 time)
{
	if (cfg.first_is_relative)
		r->first += time;
	if (cfg.last_is_relative)
		r->last += time;
	else if (cfg.last_is_interval)
		r->last += r->first;
	r->started = true;
}

/* Whether a packet of this time is to be emitted; at the end, `active` has been cleared. */
static enum SELF(found) SELF(check)(struct SELF(reader) *r, __u64 time)
{
	if (!r->started)
		SELF(start)(r, time);
	if (r->has_first && time < r->first)
		return SELF(SKIPPED);
	r->has_first = false;
	if (r->has_last && time >= r->last) {
		SELF(end)(r);
		return SELF(NOTHING);
	}
	if (cfg.sample < 1u << cfg.sampling_shift && (random_u32() & ((1u << cfg.sampling_shift) - 1)) >= cfg.sample)
		return SELF(SKIPPED);
	return SELF(PACKET);
}

/* The next packet of the file into r->waiting, unless it is one to skip. */
static enum SELF(found) SELF(read)(struct SELF(reader) *r)
{
	struct dump_frame frame;
	enum SELF(found) found;
	struct pkt *p;

	if (!dump_read(r->dump, &frame)) {
		SELF(end)(r);
		return SELF(NOTHING);
	}
	found = SELF(check)(r, frame.timestamp);
	if (found != SELF(PACKET))
		return found;
	p = pkt_copy_in(frame.bytes, frame.length);
	if (!p)
		return SELF(SKIPPED);
	p->timestamp = frame.timestamp;
	pkt_set_mac_header(p, 0);
	pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, frame.full_length - frame.length);
	if (cfg.force_ip && !mark_ip(p, link_ip_offset(p, r->link))) {
		emit(p, 1);
		return SELF(SKIPPED);
	}
	r->waiting = p;
	return SELF(PACKET);
}

/* Whether the time of the packet that waits has come; if not, the timer is set. */
static bool SELF(is_due)(struct SELF(reader) *r)
{
	struct pkt *p = r->waiting;
	__u64 time = now();

	if (!cfg.timing)
		return true;
	if (!r->timed) {
		r->offset = time - p->timestamp;
		r->timed = true;
	}
	if (time >= p->timestamp + r->offset)
		return true;
	timer_at(p->timestamp + r->offset);
	return false;
}

/* The next packet that is due; *more says whether to ask again at once when there is none. */
static struct pkt *SELF(next)(struct SELF(reader) *r, bool *more)
{
	struct pkt *p;

	*more = false;
	if (!r->active)
		return NULL;
	for (int tries = 0; !r->waiting; tries++) {
		enum SELF(found) found = SELF(read)(r);

		*more = found == SELF(SKIPPED);
		if (found == SELF(NOTHING) || (*more && tries == 15))
			return NULL;
	}
	*more = false;
	if (!SELF(is_due)(r))
		return NULL;
	p = r->waiting;
	r->waiting = NULL;
	r->count++;
	*more = true;
	return p;
}

static void SELF(go)(void)
{
	if (output_is_push(0))
		task_schedule();
	else
		wake_pullers();
}

TASK()
{
	bool more;
	struct pkt *p = SELF(next)(private(reader), &more);

	if (more)
		task_schedule();
	if (p)
		emit(p, 0);
	return p;
}

PULL()
{
	bool more;
	struct pkt *p = SELF(next)(private(reader), &more);

	(void)output;
	if (!p && more)
		wake_pullers();
	return p;
}

TIMER()
{
	SELF(go)();
}

INIT()
{
	struct SELF(reader) *r = private(reader);
	char complaint[DUMP_COMPLAINT];
	struct dump *dump;
	int error = dump_open(&dump, r->fd, complaint);

	r->fd = -1;
	if (error) {
		complain(complaint);
		return error;
	}
	r->dump = dump;
	r->link = dump_link_type(dump);
	SELF(go)();
	return 0;
}

CLEANUP()
{
	struct SELF(reader) *r = private(reader);

	if (r->waiting)
		pkt_free(r->waiting);
	dump_close(r->dump);
}

CONTROL()
{
	struct SELF(reader) *r = private(reader);

	(void)argument;
	if (op == 1)
		r->timed = false;
	if (r->active)
		r->ended = false;
	SELF(go)();
	return 0;
}
