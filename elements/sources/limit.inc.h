/* A limit of packets, none if negative: fields limit and count of the state `source`. Included once for each instance. */

static inline bool SELF(finished)(const struct SELF(source) *s)
{
	return s->limit >= 0 && s->count >= (__u64)s->limit;
}
