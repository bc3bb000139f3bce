/* Stride scheduling among the ports of an instance, its state `clients` (_stride.py); included once for each instance. */

/* Whether a client comes before another one: it has advanced less, or equally far and arrived later. */
static __always_inline bool SELF(before)(const struct SELF(clients) *one, const struct SELF(clients) *other)
{
	return one->advanced != other->advanced ? one->advanced < other->advanced : one->turn > other->turn;
}
