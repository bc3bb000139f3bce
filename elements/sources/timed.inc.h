/* Waiting for the time of the next packet: fields due and waiting of the state `source`. Included once for each instance. */

static inline void SELF(wait)(struct SELF(source) *s, __u64 due)
{
	s->due = due;
	s->waiting = true;
	timer_at(due);
}
