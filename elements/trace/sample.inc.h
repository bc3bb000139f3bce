/* Whether a reader emits a packet, by its argument SAMPLE (_sampling.py); included once for each instance. */

static inline bool SELF(sampled)(void)
{
	return cfg.sample >= SELF(ALWAYS) || (random_u32() & (SELF(ALWAYS) - 1)) < cfg.sample;
}
