#include <errno.h>
#include <stdio.h>
#include "dump.h"
#include "trace/link.h"
#include "trace/sample.inc.h"

enum SELF(found) { SELF(PACKET), SELF(SKIPPED), SELF(NOTHING) };

/* The end of the file or of the time has been reached. END_CALL's handler may move the end. */
static void SELF(end)(struct SELF(reader) *r)
{
	if (r->ended)
		return;
	r->ended = true;
	if (cfg.calls)
		call_python(0);
	else if (cfg.stop || cfg.has_end)
		r->active = false;
	if (cfg.stop)
		driver_stop();
}

/* At the first packet, make times relative to it absolute. */
static void SELF(start)(struct SELF(reader) *r, __u64 time)
{
	if (cfg.first_is_relative && !r->absolute)
		r->first += time;
	if (cfg.last_is_relative && !r->absolute)
		r->last += time;
	else if (cfg.last_is_interval && !r->absolute)
		r->last += r->first;
	r->offset = now() - time;
	r->started = true;
}

static struct pkt *SELF(packet)(struct SELF(reader) *r, const struct dump_frame *frame)
{
	struct pkt *p = pkt_copy_in(frame->bytes, frame->length);

	if (!p)
		return NULL;
	p->timestamp = frame->timestamp;
	pkt_set_mac_header(p, 0);
	pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, frame->full_length - frame->length);
	if (cfg.cells != CELLS_NONE)
		pkt_set_anno_u8(p, PAINT_ANNO, frame->interface);
	/* A cell with IP options has no room for the fields of interest. */
	if ((r->forces_ip && !mark_ip(p, link_ip_offset(p, r->link))) ||
	    (cfg.cells != CELLS_NONE && *(const __u8 *)frame->bytes != 0x45)) {
		emit(p, 1);
		return NULL;
	}
	return p;
}

/* Whether a packet is at or after the end. END_CALL's handler may have moved the end. */
static bool SELF(is_late)(struct SELF(reader) *r, __u64 time)
{
	while (r->has_last && time >= r->last) {
		r->has_last = r->ended = false;
		SELF(end)(r);
		if (!r->active || !cfg.calls)
			return true;
		r->ended = false;
	}
	return false;
}

/* Read the next packet of the file into r->waiting, unless it is to be skipped. */
static enum SELF(found) SELF(read)(struct SELF(reader) *r)
{
	struct dump_frame frame;
	int found;

	r->packet_position = dump_position(r->dump);
	found = dump_read(r->dump, &frame);
	if (found != 1) {
		if (found < 0 && !r->ended)
			fprintf(stderr, "%s: bad packet header; giving up\n", cfg.name);
		SELF(end)(r);
		return SELF(NOTHING);
	}
	r->position = dump_position(r->dump);
	if (!r->started)
		SELF(start)(r, frame.timestamp);
	if (r->has_first && frame.timestamp < r->first)
		return SELF(SKIPPED);
	r->has_first = false;
	if (SELF(is_late)(r, frame.timestamp))
		return SELF(NOTHING);
	if (SELF(sampled)())
		r->waiting = SELF(packet)(r, &frame);
	return r->waiting ? SELF(PACKET) : SELF(SKIPPED);
}

/* Whether the waiting packet is due; if not, set the timer. */
static bool SELF(is_due)(struct SELF(reader) *r)
{
	struct pkt *p = r->waiting;

	if (!cfg.timing || now() >= p->timestamp + r->offset)
		return true;
	timer_at(p->timestamp + r->offset);
	return false;
}

/* The next packet that is due. If there is none, *more says whether to call again at once. */
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

#include "trace/reading.inc.h"

static int SELF(refuse)(int link)
{
	char complaint[DUMP_COMPLAINT];

	snprintf(complaint, sizeof(complaint), "unknown linktype %d; can't force IP packets", link);
	complain(complaint);
	return -EINVAL;
}

INIT()
{
	struct SELF(reader) *r = private(reader);
	char complaint[DUMP_COMPLAINT];
	struct dump *dump;
	int error;

	if (r->fd < 0)
		return 0;	/* another router's file is continued */
	error = cfg.cells == CELLS_NONE ? dump_open(&dump, r->fd, complaint) : dump_open_cells(&dump, r->fd, cfg.cells, complaint);
	r->fd = -1;
	if (error) {
		complain(complaint);
		return error;
	}
	r->dump = dump;
	r->link = dump_link_type(dump);
	if (cfg.force_ip && !link_is_known(r->link))
		return SELF(refuse)(r->link);
	r->forces_ip = cfg.force_ip || r->link == LINK_RAW;
	if (cfg.filepos)
		dump_seek(dump, cfg.filepos);
	r->position = dump_position(dump);
	SELF(go)();
	return 0;
}

CLEANUP()
{
	struct SELF(reader) *r = private(reader);

	if (r->waiting)
		pkt_free(r->waiting);
	if (r->dump)
		dump_close(r->dump);
}

/* The operations of fromdump.py, or a write to `active`. */
CONTROL()
{
	struct SELF(reader) *r = private(reader);
	int error = 0;

	switch (op) {
	case SELF(RESET_TIMING):
		r->started = false;
		r->absolute = true;
		break;
	case SELF(SEEK):
		error = dump_seek(r->dump, argument);
		r->position = dump_position(r->dump);
		r->ended = false;
		break;
	default:
		if (r->active)
			r->ended = false;
	}
	SELF(go)();
	return error;
}
