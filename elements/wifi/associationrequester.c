#include "wifi/manager.inc.h"

#define RESPONSE_RATES (WIFI_BODY + 6)

static void SELF(say_response)(struct pkt *p, const struct wifi_frame *frame, const struct wifi_rates *rates)
{
	struct line line;

	if (!var(vars)->debug || !SELF(begin)(&line))
		return;
	fputs("response ", line.to);
	line_ether(&line, frame->header.address[2]);
	fprintf(line.to, " +%u ", wifi_extra(p)->rssi);
	SELF(say_abilities)(&line, wifi_word(frame, WIFI_BODY));
	fprintf(line.to, "status %u associd %u ", wifi_word(frame, WIFI_BODY + 2), wifi_word(frame, WIFI_BODY + 4));
	SELF(say_rates)(&line, rates);
	line_end(&line, 2);
}

/* As in Click, the information element that comes first has the rates. */
static void SELF(process_response)(struct pkt *p, const struct wifi_frame *frame)
{
	struct wifi_rates rates = {0}, plain;

	wifi_read_rates(frame, RESPONSE_RATES, WIFI_MOST_RATES, &rates);
	SELF(say_response)(p, frame, &rates);
	plain = wifi_plain_rates(&rates);
	SELF(learn)(frame->header.address[2], &plain);
	if (frame->length >= RESPONSE_RATES && !wifi_word(frame, WIFI_BODY + 2))
		var(vars)->associated = true;
}

static void SELF(process_end)(const struct wifi_frame *frame)
{
	const __u8 *from = frame->header.address[2];
	const struct wifi_info *info = SELF(info)();
	const bool is_ours = info && !memcmp(info->bssid, from, WIFI_ADDRESS);

	warn(WIFI_COMPLAINTS, "%s %sdisassociation from %02X-%02X-%02X-%02X-%02X-%02X reason %u", cfg.declaration, is_ours ? "" : "BAD ",
	     from[0], from[1], from[2], from[3], from[4], from[5], wifi_word(frame, WIFI_BODY));
	if (is_ours)
		var(vars)->associated = false;
}

ELEMENT(AssociationRequester)
{
	struct wifi_frame frame = wifi_frame_of(p);

	if (frame.length >= sizeof(frame.header) && (frame.header.control & (WIFI_TYPE | WIFI_SUBTYPE)) == WIFI_DISASSOCIATION) {
		SELF(process_end)(&frame);
	} else {
		const int wrong = SELF(refuse)(&frame, WIFI_ASSOCIATION_RESPONSE, "non-assoc response");

		if (wrong)
			return wrong;
		SELF(process_response)(p, &frame);
	}
	pkt_free(p);
	return STOLEN;
}

/* Send a request. */
CONTROL()
{
	const struct wifi_info *info = SELF(network)();
	const __u8 *at = info->bssid;
	struct wifi_rates rates;
	struct wifi_draft draft;

	SELF(rates)(at, &rates);
	if (!rates.count)
		wifi_complain("couldn't lookup rates for %02X-%02X-%02X-%02X-%02X-%02X", at[0], at[1], at[2], at[3], at[4], at[5]);
	wifi_draft(&draft, WIFI_ASSOCIATION_REQUEST, at, var(vars)->eth, at);
	wifi_put_number(&draft, WIFI_ESS | (info->wep ? WIFI_PRIVACY : 0));
	wifi_put_number(&draft, info->interval);
	wifi_put_name(&draft, info);
	wifi_put_first_rates(&draft, &rates, info->channel);
	wifi_put_more_rates(&draft, &rates, info->channel);
	var(vars)->associated = false;
	SELF(send)(&draft);
	return 0;
}
