#include "common/line.h"
#include "wifi/abilities.h"
#include "wifi/extra.h"
#include "wifi/frame.h"
#include "wifi/wifi.h"

static const char *const SELF(reasons)[] = {
	[1] = "unspecified", "auth_expire", "auth_leave", "assoc_expire/inactive", "assoc_toomany", "not_authed", "not_assoced",
	"assoc_leave", "assoc_not_authed",
};

static const char *const SELF(statuses)[] = {
	[0] = "success", "unspecified",
	[10] = "capinfo", "not_assoced", "other", "alg", "seq", "challenge", "timeout",
	[18] = "basic_rates",
	[22] = "too_many_stations", "rates",
	[25] = "shortslot_required",
};

#define HOW_MANY(names) (sizeof(names) / sizeof(*(names)))

static void SELF(name_of)(struct line *line, const char *what, const char *const *names, __u32 count, __u32 number)
{
	if (number < count && names[number])
		fputs(names[number], line->to);
	else
		fprintf(line->to, "unknown %s %u", what, number);
}

/* Print the names of a capability field's bits, between `before` and `after`. */
static void SELF(print_abilities)(struct line *line, __u16 field, const char *before, const char *after)
{
	fputs(before, line->to);
	fprintf(line->to, "%s]", wifi_print_abilities(line->to, field) ? after : "");
}

/* Print the basic or the other rates of one or two information elements (0 for none), from at most the first `most` of each. */
static void SELF(print_rates_of)(struct line *line, const struct wifi_frame *frame, const __u32 *elements, __u32 most, bool basic)
{
	const char *gap = "";

	for (int i = 0; i < 2; i++) {
		__u32 count = elements[i] ? wifi_byte(frame, elements[i] + 1) : 0;

		for (__u32 k = 0; k < count && k < most; k++) {
			__u8 rate = wifi_byte(frame, elements[i] + 2 + k);

			if (!(rate & WIFI_BASIC) == basic)
				continue;
			fprintf(line->to, "%s%u", gap, rate & ~WIFI_BASIC);
			gap = " ";
		}
	}
}

static void SELF(print_rates)(struct line *line, const struct wifi_frame *frame, __u32 most, __u32 first, __u32 second)
{
	const __u32 elements[2] = {first, second};

	fputs("({", line->to);
	SELF(print_rates_of)(line, frame, elements, most, true);
	fputs("} ", line->to);
	SELF(print_rates_of)(line, frame, elements, most, false);
	fputc(')', line->to);
}

static void SELF(print_beacon)(struct line *line, const struct wifi_frame *frame)
{
	const __u32 first = WIFI_BODY + 12;
	__u32 name = wifi_element(frame, first, WIFI_SSID), channel = wifi_element(frame, first, WIFI_CHANNEL);

	line_ether(line, frame->header.address[2]);
	fputc(' ', line->to);
	if (name && wifi_byte(frame, name + 1))
		wifi_print_named(line->to, frame, name);
	else
		fputs("(none)", line->to);
	fprintf(line->to, " chan %u b_int %u ", channel ? wifi_byte(frame, channel + 2) : 0, wifi_word(frame, WIFI_BODY + 8));
	SELF(print_abilities)(line, wifi_word(frame, WIFI_BODY + 10), "[ ", " ");
	fputc(' ', line->to);
	SELF(print_rates)(line, frame, WIFI_RATES_EACH, wifi_element(frame, first, WIFI_RATES), wifi_element(frame, first, WIFI_MORE_RATES));
}

/* Print the name in a request, which has to be the first element. Returns the offset of the next one, taken for the rates. */
static __u32 SELF(print_asked)(struct line *line, const struct wifi_frame *frame, __u32 at)
{
	if (wifi_byte(frame, at))
		fputs("(invalid ssid)", line->to);
	else
		wifi_print_named(line->to, frame, at);
	return at + 2 + wifi_byte(frame, at + 1);
}

static void SELF(print_request)(struct line *line, const struct wifi_frame *frame)
{
	__u32 rates;

	fprintf(line->to, "assoc_req listen_int %u ", wifi_word(frame, WIFI_BODY + 2));
	SELF(print_abilities)(line, wifi_word(frame, WIFI_BODY), "[", "");
	fputs(" ssid ", line->to);
	rates = SELF(print_asked)(line, frame, WIFI_BODY + 4);
	fputs(" rates ", line->to);
	SELF(print_rates)(line, frame, WIFI_MOST_RATES, rates, 0);
	fputc(' ', line->to);
}

static void SELF(print_response)(struct line *line, const struct wifi_frame *frame)
{
	__u16 status = wifi_word(frame, WIFI_BODY + 2);

	fputs("assoc_resp ", line->to);
	SELF(print_abilities)(line, wifi_word(frame, WIFI_BODY), "[", "");
	fprintf(line->to, " status %u ", status);
	SELF(name_of)(line, "status", SELF(statuses), HOW_MANY(SELF(statuses)), status);
	fprintf(line->to, " associd %u ", wifi_word(frame, WIFI_BODY + 4));
}

static void SELF(print_probe)(struct line *line, const struct wifi_frame *frame)
{
	__u32 rates;

	fputs("probe_req ssid ", line->to);
	rates = SELF(print_asked)(line, frame, WIFI_BODY);
	fputc(' ', line->to);
	SELF(print_rates)(line, frame, WIFI_MOST_RATES, rates, 0);
	fputc(' ', line->to);
}

static void SELF(print_authentication)(struct line *line, const struct wifi_frame *frame)
{
	fprintf(line->to, "auth alg %u auth_seq %u status ", wifi_word(frame, WIFI_BODY), wifi_word(frame, WIFI_BODY + 2));
	SELF(name_of)(line, "status", SELF(statuses), HOW_MANY(SELF(statuses)), wifi_word(frame, WIFI_BODY + 4));
	fputc(' ', line->to);
}

static void SELF(print_management)(struct line *line, const struct wifi_frame *frame, __u8 subtype)
{
	fputs("mgmt ", line->to);
	switch (subtype) {
	case WIFI_ASSOCIATION_REQUEST:
		return SELF(print_request)(line, frame);
	case WIFI_ASSOCIATION_RESPONSE:
		return SELF(print_response)(line, frame);
	case WIFI_PROBE_REQUEST:
		return SELF(print_probe)(line, frame);
	case WIFI_PROBE_RESPONSE:
	case WIFI_BEACON:
		fputs(subtype == WIFI_BEACON ? "beacon " : "probe_resp ", line->to);
		return SELF(print_beacon)(line, frame);
	case WIFI_DISASSOCIATION:
		fputs("disassoc ", line->to);
		SELF(name_of)(line, "reason", SELF(reasons), HOW_MANY(SELF(reasons)), wifi_word(frame, WIFI_BODY));
		fputc(' ', line->to);
		return;
	case WIFI_AUTHENTICATION:
		return SELF(print_authentication)(line, frame);
	case WIFI_REASSOCIATION_REQUEST:
		fputs("reassoc_req ", line->to);
		return;
	case WIFI_REASSOCIATION_RESPONSE:
		fputs("reassoc_resp ", line->to);
		return;
	case WIFI_ATIM:
		fputs("atim ", line->to);
		return;
	case WIFI_DEAUTHENTICATION:
		fputs("deauth ", line->to);
		return;
	}
	fprintf(line->to, "unknown-subtype-%u ", subtype);
}

static void SELF(print_control)(struct line *line, const struct wifi_frame *frame, __u8 subtype)
{
	static const char *const names[] = {"psp ", "rts ", "cts ", "ack ", "cfe ", "cfea"};

	if (subtype < WIFI_FIRST_CONTROL)
		fprintf(line->to, "cntl unknown-subtype-%u ", subtype);
	else
		fprintf(line->to, "cntl %s ", names[(subtype - WIFI_FIRST_CONTROL) >> 4]);
	if (subtype == WIFI_ACKNOWLEDGEMENT)
		fprintf(line->to, "%u ", wifi_word(frame, 2));
}

static void SELF(print_kind)(struct line *line, const struct wifi_frame *frame, __u8 subtype)
{
	static const char *const ways[] = {"nods", "tods", "frds", "dsds"};

	switch (frame->header.control & WIFI_TYPE) {
	case WIFI_TYPE_MANAGEMENT:
		return SELF(print_management)(line, frame, subtype);
	case WIFI_TYPE_CONTROL:
		return SELF(print_control)(line, frame, subtype);
	case WIFI_TYPE_DATA:
		fprintf(line->to, "data %s ", ways[frame->header.flags & WIFI_WAY]);
		return;
	}
	fprintf(line->to, "unknown-type-%u ", frame->header.control & WIFI_TYPE);
}

static void SELF(print_flags)(struct line *line, const struct wifi_frame *frame, const struct wifi_extra *extra)
{
	static const char *const said[] = {" tx", " fail", " alt_rate", " err", " more"};

	fputc('[', line->to);
	for (__u32 i = 0; i < HOW_MANY(said); i++)
		fputs(extra->flags >> i & 1 ? said[i] : "", line->to);
	fprintf(line->to, "%s%s ] ", frame->header.flags & WIFI_RETRY ? " retry" : "", frame->header.flags & WIFI_PROTECTED ? " wep" : "");
	if (extra->flags & WIFI_EXTRA_TX)
		fprintf(line->to, " retries %u", extra->retries);
}

/* Print the addresses and the sequence number, as far as present. */
static void SELF(print_header)(struct line *line, const struct wifi_frame *frame)
{
	__u16 sequence = wifi_word(frame, offsetof(struct wifi_header, sequence));

	line_ether(line, frame->header.address[0]);
	for (int i = 1; i < 3; i++) {
		if (frame->length < (i == 1 ? 16 : 23))
			continue;
		fputc(' ', line->to);
		line_ether(line, frame->header.address[i]);
	}
	fputc(' ', line->to);
	if (frame->length < sizeof(struct wifi_header))
		return;
	fprintf(line->to, "seq %u", sequence >> WIFI_FRAGMENT_BITS);
	if (sequence & WIFI_FRAGMENT || frame->header.flags & WIFI_FRAGMENTED)
		fprintf(line->to, " frag %u", sequence & WIFI_FRAGMENT);
	fputc(' ', line->to);
}

static void SELF(print)(struct line *line, struct pkt *p)
{
	const struct wifi_extra *extra = wifi_extra(p);
	struct wifi_frame frame = wifi_frame_of(p);
	__u8 subtype = frame.header.control & WIFI_SUBTYPE;

	fprintf(line->to, "%4u | ", frame.length);
	if (extra->rate[0] == WIFI_RATE_5_5)
		fputs(" 5.5", line->to);
	else
		fprintf(line->to, "%2u", extra->rate[0] / 2);
	fprintf(line->to, "Mb +%2u/%2u | ", extra->rssi, extra->silence);
	SELF(print_kind)(line, &frame, subtype);
	if (subtype != WIFI_BEACON && subtype != WIFI_PROBE_RESPONSE) {
		SELF(print_header)(line, &frame);
		SELF(print_flags)(line, &frame, extra);
	}
}

ELEMENT(PrintWifi)
{
	struct line line;

	if (var(vars)->active && line_begin(&line, cfg.label, cfg.timestamp ? p : NULL)) {
		SELF(print)(&line, p);
		line_end(&line, private(printer)->fd);
	}
	return OUTPUT(0);
}
