#include "chance/probability.h"

static __always_inline void SELF(change)(__u8 *byte, __u8 errors, __u8 kind)
{
	if (kind == SELF(CLEAR))
		*byte &= ~errors;
	else if (kind == SELF(SET))
		*byte |= errors;
	else
		*byte ^= errors;
}

ELEMENT(RandomBitErrors)
{
	const struct SELF(vars) *vars = var(vars);

	if (!vars->active || !vars->probability)
		return OUTPUT(0);
	if (!USERSPACE)
		return PUNT;
#if USERSPACE
	for (__u32 i = 0, errors = 0; i < pkt_len(p); i++, errors >>= 8) {
		if (i % 4 == 0)
			errors = random_bits(vars->probability);
		SELF(change)(p->data + i, errors, vars->kind);
	}
#endif
	return OUTPUT(0);
}
