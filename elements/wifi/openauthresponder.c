#include "wifi/manager.inc.h"
#include "wifi/authentication.inc.h"

ELEMENT(OpenAuthResponder)
{
	const struct wifi_info *info = SELF(network)();
	struct wifi_frame frame = wifi_frame_of(p);
	struct wifi_draft draft;
	__u16 step = wifi_word(&frame, WIFI_BODY + 2);
	int wrong = SELF(refuse_authentication)(&frame);

	if (wrong)
		return wrong;
	if (step != WIFI_OPEN_REQUEST) {
		wifi_complain("auth %u weird sequence number %u", WIFI_OPEN, step);
		return DROP(FILTERED);
	}
	SELF(say_authentication)(&frame);
	wifi_draft(&draft, WIFI_AUTHENTICATION, frame.header.address[1], info->bssid, info->bssid);
	SELF(put_step)(&draft, WIFI_OPEN_RESPONSE);
	return SELF(answer)(p, &draft);
}
