/* Stride scheduling among the ports of an instance, its state `clients` (_stride.py); included once for each instance. */

/* The order of clients: by `advanced`; of equals, the one queued later comes first. */
static __always_inline bool SELF(before)(const struct SELF(clients) *one, const struct SELF(clients) *other)
{
	return one->advanced != other->advanced ? one->advanced < other->advanced : one->turn > other->turn;
}
