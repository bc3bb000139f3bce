#if USERSPACE

#define RETRY_AFTER 50000	/* ns before another attempt if the device has no room */

static void SELF(failed)(struct pkt *p)
{
	count(counters, drops, 1);
	if (SELF(noutputs) > 1)
		emit(p, 1);
	else
		discard(p, DEVICE);
}

/* Send a packet, or drop it; false if the device has no room now. */
static bool SELF(transmit)(struct pkt *p)
{
	struct pkt *copy = SELF(noutputs) > 0 ? pkt_clone(p) : NULL;
	int error = device_send(self_device(), SIDE_WIRE, p);

	if (!error) {
		count(counters, count, 1);
		if (copy)
			emit(copy, 0);
		return true;
	}
	if (copy)
		pkt_free(copy);
	if (error == DEVICE_BUSY)
		return false;
	SELF(failed)(p);
	return true;
}

/* A packet handed over between the Queue and this element: it overtakes those in the Queue. */
ELEMENT(ToDevice)
{
	if (!SELF(transmit)(p))
		SELF(failed)(p);
	device_flush(self_device(), SIDE_WIRE);
	return STOLEN;
}

TASK()
{
	struct SELF(output) *output = private(output);
	__u32 sent = 0;

	while (sent < cfg.burst) {
		struct pkt *p = output->waiting ?: pull(0);

		output->waiting = NULL;
		if (!p)
			break;
		if (!SELF(transmit)(p)) {
			output->waiting = p;
			timer_after(RETRY_AFTER);
			break;
		}
		sent++;
	}
	device_flush(self_device(), SIDE_WIRE);
	if (sent == cfg.burst)
		task_schedule();
	return sent > 0;
}

/* For ToNetmapDevice, whose input may be push. */
INIT()
{
	if (!input_is_push(0))
		task_schedule();
	return 0;
}

CLEANUP()
{
	struct SELF(output) *output = private(output);

	if (output->waiting)
		pkt_free(output->waiting);
	output->waiting = NULL;
}

#else

/* The runtime then sends or refuses the packet. */
GIVES_UP()
{
	return !pkt_can_leave_by(p, self_device());
}

ELEMENT(ToDevice)
{
	if (SELF(gives_up)(p, input))
		return PUNT;
	count(counters, count, pkt_packets(p));
	return SEND;
}

#endif
