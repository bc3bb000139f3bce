#include "wifi/manager.inc.h"

/* Send a request. */
CONTROL()
{
	const struct wifi_info *info = SELF(network)();
	struct wifi_rates rates;
	struct wifi_draft draft;

	SELF(rates)(var(vars)->eth, &rates);
	wifi_draft(&draft, WIFI_PROBE_REQUEST, wifi_everybody, var(vars)->eth, wifi_everybody);
	wifi_put_name(&draft, info);
	wifi_put_first_rates(&draft, &rates, info->channel);
	wifi_put_more_rates(&draft, &rates, info->channel);
	SELF(send)(&draft);
	return 0;
}
