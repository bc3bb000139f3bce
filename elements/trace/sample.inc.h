/* Whether a reader emits a packet, by its argument SAMPLE (_sampling.py). Included once for each instance. */

static inline bool SELF(sampled)(void)
{
	return cfg.sample >= SELF(EVERY_PACKET) || (random_u32() & (SELF(EVERY_PACKET) - 1)) < cfg.sample;
}
