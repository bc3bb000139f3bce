#include "wifi/extra.h"

#define USUAL_RATE 2

/* Whether the packet has the Ethernet type ETHTYPE, or all have. */
static __always_inline bool SELF(concerns)(struct pkt *p)
{
	const __be16 *type;

	if (!cfg.ethtype)
		return true;
	type = pkt_data(p, cfg.offset + offsetof(struct ethhdr, h_proto), sizeof(*type));
	return type && *type == htons(cfg.ethtype);
}

ELEMENT(SetTXRate)
{
	const struct SELF(vars) *vars = var(vars);
	struct wifi_extra *extra = wifi_extra(p);

	if (!SELF(concerns)(p))
		return OUTPUT(0);
	extra->magic = WIFI_EXTRA_MAGIC;
	extra->rate[0] = vars->rate ? vars->rate : USUAL_RATE;
	extra->max_tries[0] = vars->tries;
	return OUTPUT(0);
}
