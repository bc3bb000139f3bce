/* Packets from an input to a descriptor: pushed, when each waits until it can be written, or pulled as fast as they can be.
 * Included once for each instance.
 *
 * The file that includes this has before it the state `sender` = Private(waiting=ptr), a packet that couldn't be written when
 * it was pulled, and
 *
 *	int SELF(target)(void)			the descriptor, -1 if there is none now
 *	bool SELF(write)(struct pkt *p)		false if it can't be written now; else p is gone
 *	__u32 SELF(interest)(void)		what else the descriptor is watched for
 */
#define SEND_BURST 32	/* packets to pull per run */

static inline int SELF(send)(struct pkt *p)
{
	while (SELF(target)() >= 0) {
		if (SELF(write)(p))
			return STOLEN;
		if (!poll_writable(SELF(target)()))
			break;
	}
	return DROP(DEVICE);
}

/* Hold a packet until an event reports room in the descriptor. */
static void SELF(wait_for_room)(struct pkt *p)
{
	private(sender)->waiting = p;
	watch(SELF(target)(), SELF(interest)() | WATCH_WRITE);
}

/* Call on an event. */
static inline void SELF(room)(void)
{
	if (!private(sender)->waiting || SELF(target)() < 0)
		return;
	watch(SELF(target)(), SELF(interest)());
	task_schedule();
}

TASK()
{
	__u32 sent = 0;

	for (; sent < SEND_BURST && SELF(target)() >= 0; sent++) {
		struct pkt *p = private(sender)->waiting ?: pull(0);

		private(sender)->waiting = NULL;
		if (!p)
			return sent > 0;
		if (!SELF(write)(p)) {
			SELF(wait_for_room)(p);
			return sent > 0;
		}
	}
	if (sent)
		task_schedule();
	return sent > 0;
}

static void SELF(forget_waiting)(void)
{
	struct pkt *p = private(sender)->waiting;

	private(sender)->waiting = NULL;
	if (p)
		pkt_free(p);
}
