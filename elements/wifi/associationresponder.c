#include "wifi/manager.inc.h"

#define ASSOCIATION 0xc000	/* the highest bits of each number */

/* Report a request. Click always does, but anybody can send many: limit it. */
static void SELF(say_request)(const struct wifi_frame *frame)
{
	struct wifi_rates rates = {0};
	struct line line;

	if ((!var(vars)->debug && private(associations)->reported++ >= WIFI_COMPLAINTS) || !SELF(begin)(&line))
		return;
	wifi_read_rates(frame, wifi_element(frame, WIFI_BODY + 4, WIFI_RATES), WIFI_MOST_RATES, &rates);
	fputs("request src ", line.to);
	line_ether(&line, frame->header.address[1]);
	fputs(" dst ", line.to);
	line_ether(&line, frame->header.address[0]);
	fputs(" bssid ", line.to);
	line_ether(&line, frame->header.address[2]);
	SELF(say_abilities)(&line, wifi_word(frame, WIFI_BODY));
	fprintf(line.to, " listen_int %u ", wifi_word(frame, WIFI_BODY + 2));
	SELF(say_rates)(&line, &rates);
	line_end(&line, 2);
}

static void SELF(say_association)(const struct wifi_frame *frame, __u16 number)
{
	struct line line;

	if (!var(vars)->debug || !SELF(begin)(&line))
		return;
	fputs("association ", line.to);
	line_ether(&line, frame->header.address[1]);
	fprintf(line.to, " associd %u", number);
	line_end(&line, 2);
}

ELEMENT(AssociationResponder)
{
	const struct wifi_info *info = SELF(network)();
	struct wifi_frame frame = wifi_frame_of(p);
	struct wifi_rates rates;
	struct wifi_draft draft;
	__u16 number;
	__u32 name;
	int wrong = SELF(refuse)(&frame, WIFI_ASSOCIATION_REQUEST, "non-association-req");

	if (wrong)
		return wrong;
	name = wifi_element(&frame, WIFI_BODY + 4, WIFI_SSID);
	if (!wifi_asks_for(&frame, name, info->ssid, info->ssid_length))
		return SELF(other)(&frame, name, info->ssid, info->ssid_length);
	SELF(say_request)(&frame);
	number = ASSOCIATION | private(associations)->next++;
	SELF(say_association)(&frame, number);
	SELF(rates)(info->bssid, &rates);
	wifi_draft(&draft, WIFI_ASSOCIATION_RESPONSE, frame.header.address[1], info->bssid, info->bssid);
	wifi_put_number(&draft, WIFI_ESS);
	wifi_put_number(&draft, 0);	/* success */
	wifi_put_number(&draft, number);
	wifi_put_first_rates(&draft, &rates, 0);
	wifi_put_more_rates(&draft, &rates, 0);
	return SELF(answer)(p, &draft);
}
