#include "dump.h"

static void SELF(write)(struct pkt *p)
{
	struct SELF(writer) *w = private(writer);
	__u32 length = pkt_len(p);
	struct dump_frame frame = {
		.bytes = p->data,
		.length = cfg.snaplen && length > cfg.snaplen ? cfg.snaplen : length,
		.full_length = length + (cfg.extra_length ? pkt_anno_u32(p, EXTRA_LENGTH_ANNO) : 0),
		.timestamp = p->timestamp ?: wall_clock(),
	};

	if (!w->active)
		return;
	if (dump_write(w->dump, &frame) || (cfg.unbuffered && dump_flush(w->dump)))
		w->active = false;	/* on a full disk or a closed pipe, the rest of the router continues */
	else
		w->count++;
}

#include "trace/recording.inc.h"

ELEMENT(ToDump)
{
	return SELF(record)(p);
}

/* Pull packets and write them. */
static int SELF(go)(void)
{
	if (!SELF(noutputs) && !input_is_push(0))
		task_schedule();
	return 0;
}

static int SELF(open)(struct SELF(writer) *w)
{
	char complaint[DUMP_COMPLAINT];
	struct dump *dump;
	int error = dump_create(&dump, w->fd, w->link, cfg.snaplen ?: ~0U, cfg.format, cfg.nano, complaint);

	w->fd = -1;
	if (error) {
		complain(complaint);
		return error;
	}
	w->dump = dump;
	w->active = true;
	return SELF(go)();
}

static int SELF(close)(struct SELF(writer) *w)
{
	w->active = false;
	if (w->dump)
		dump_close(w->dump);
	w->dump = NULL;
	return 0;
}

/* Open the file, once its link type is known; take over the file of a replaced router; close the file. */
CONTROL()
{
	struct SELF(writer) *w = private(writer);

	switch (op) {
	case SELF(OPEN):
		return SELF(open)(w);
	case SELF(GO):
		return SELF(go)();
	}
	return SELF(close)(w);
}

CLEANUP()
{
	SELF(close)(private(writer));
}
