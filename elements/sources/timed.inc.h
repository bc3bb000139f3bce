/* Wait for the next packet's time: fields due and waiting of the state `source`. Included once for each instance. */

static inline void SELF(wait)(struct SELF(source) *s, __u64 due)
{
	s->due = due;
	s->waiting = true;
	timer_at(due);
}
