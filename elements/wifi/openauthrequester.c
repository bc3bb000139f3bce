#include "wifi/manager.inc.h"
#include "wifi/authentication.inc.h"

ELEMENT(OpenAuthRequester)
{
	struct wifi_frame frame = wifi_frame_of(p);
	int wrong = SELF(refuse_authentication)(&frame);

	if (wrong)
		return wrong;
	SELF(say_authentication)(&frame);
	pkt_free(p);
	return STOLEN;
}

/* Send a request. */
CONTROL()
{
	const struct wifi_info *info = SELF(network)();
	struct wifi_draft draft;

	wifi_draft(&draft, WIFI_AUTHENTICATION, info->bssid, var(vars)->eth, info->bssid);
	SELF(put_step)(&draft, WIFI_OPEN_REQUEST);
	SELF(send)(&draft);
	return 0;
}
