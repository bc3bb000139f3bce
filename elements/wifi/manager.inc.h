/* Elements that send and answer management frames, and report them. Included once for each instance. */
#include "wifi/info.inc.h"
#include "wifi/management.h"

#define wifi_complain(format, ...) warn(WIFI_COMPLAINTS, "%s: " format, cfg.declaration, ##__VA_ARGS__)

#ifdef OTHER_rt
static __attribute__((unused)) void OTHER(rt, find)(const void *address, struct wifi_rates *rates);
static __attribute__((unused)) void OTHER(rt, learn)(const void *address, const struct wifi_rates *rates);
#endif

/* Look up a station's rates in the AvailableRates that the argument RT names; none without one. */
static __attribute__((unused)) void SELF(rates)(const void *address UNUSED, struct wifi_rates *rates)
{
#ifdef OTHER_rt
	OTHER(rt, find)(address, rates);
#else
	rates->count = 0;
#endif
}

/* Enter them there. */
static __attribute__((unused)) void SELF(learn)(const void *address UNUSED, const struct wifi_rates *rates UNUSED)
{
#ifdef OTHER_rt
	OTHER(rt, learn)(address, rates);
#endif
}

/* The WirelessInfo's description, or the default one. */
static __attribute__((unused)) const struct wifi_info *SELF(network)(void)
{
	static const struct wifi_info none = {.channel = -1, .interval = 1};
	const struct wifi_info *info = SELF(info)();

	return info ? info : &none;
}

/* 0 for a management frame of a subtype; otherwise a drop, with `what` in the report. */
static __attribute__((unused)) int SELF(refuse)(const struct wifi_frame *frame, __u8 subtype, const char *what)
{
	if (frame->length < sizeof(frame->header)) {
		wifi_complain("packet too small: %u vs %zu", frame->length, sizeof(frame->header));
		return DROP(MALFORMED);
	}
	if ((frame->header.control & WIFI_TYPE) != WIFI_TYPE_MANAGEMENT) {
		wifi_complain("received non-management packet");
		return DROP(FILTERED);
	}
	if ((frame->header.control & WIFI_SUBTYPE) != subtype) {
		wifi_complain("received %s packet", what);
		return DROP(FILTERED);
	}
	return 0;
}

/* Begin a message, which line_end() ends. */
static __attribute__((unused)) bool SELF(begin)(struct line *line)
{
	return line_begin(line, cfg.declaration, NULL);
}

static __attribute__((unused)) void SELF(say_abilities)(struct line *line, __u16 field)
{
	fputs("[ ", line->to);
	fputs(wifi_print_abilities(line->to, field) ? " ] " : "] ", line->to);
}

/* The basic rates in braces, and the others. */
static __attribute__((unused)) void SELF(say_rates)(struct line *line, const struct wifi_rates *rates)
{
	fputs("( { ", line->to);
	for (int others = 0; others < 2; others++) {
		for (__u32 i = 0; i < rates->count; i++) {
			if ((rates->rate[i] & WIFI_BASIC) == (others ? 0 : WIFI_BASIC))
				fprintf(line->to, "%u ", rates->rate[i] & ~WIFI_BASIC);
		}
		fputs(others ? ")" : "} ", line->to);
	}
}

/* Drop a frame for another network, named by the information element at `at`. */
static __attribute__((unused)) int SELF(other)(const struct wifi_frame *frame, __u32 at, const __u8 *name, __u32 length)
{
	struct line line;

	if (var(vars)->debug && SELF(begin)(&line)) {
		fputs("other ssid ", line.to);
		wifi_print_named(line.to, frame, at);
		fputs(" wanted ", line.to);
		wifi_print_name(line.to, name, length);
		line_end(&line, 2);
	}
	return DROP(FILTERED);
}

/* Report a probe request, with its information elements. */
static __attribute__((unused)) void SELF(say_probe)(const struct wifi_frame *frame, __u32 name, __u32 elements)
{
	struct wifi_rates rates = {0};
	struct line line;

	if (!var(vars)->debug || !SELF(begin)(&line))
		return;
	wifi_read_rates(frame, elements, WIFI_MOST_RATES, &rates);
	fputs("ProbeReq: ", line.to);
	line_ether(&line, frame->header.address[1]);
	fputs(" ssid ", line.to);
	wifi_print_named(line.to, frame, name);
	fputs(" rates {", line.to);
	for (__u32 i = 0; i < rates.count; i++)
		fprintf(line.to, "%s%u", rates.rate[i] & WIFI_BASIC ? " * " : " ", rates.rate[i] & ~WIFI_BASIC);
	fputs(" }", line.to);
	line_end(&line, 2);
}

/* 0 for a probe request for a network with this name, or for any; otherwise a drop. */
static __attribute__((unused)) int SELF(refuse_probe)(const struct wifi_frame *frame, const __u8 *name, __u32 length)
{
	const __u32 asked = wifi_element(frame, WIFI_BODY, WIFI_SSID);
	const int wrong = SELF(refuse)(frame, WIFI_PROBE_REQUEST, "non-probe-req");

	if (wrong)
		return wrong;
	if (!wifi_asks_for(frame, asked, name, length))
		return SELF(other)(frame, asked, name, length);
	SELF(say_probe)(frame, asked, wifi_element(frame, WIFI_BODY, WIFI_RATES));
	return 0;
}

/* Send a frame as the answer to a packet, and free the packet. */
static __attribute__((unused)) int SELF(answer)(struct pkt *p, const struct wifi_draft *draft)
{
	struct pkt *made = wifi_packet(draft);

	if (!made)
		return DROP(NO_MEMORY);
	pkt_free(p);
	emit(made, 0);
	return STOLEN;
}

/* Send a frame that isn't an answer. */
static __attribute__((unused)) void SELF(send)(const struct wifi_draft *draft)
{
	struct pkt *made = wifi_packet(draft);

	if (made)
		emit(made, 0);
}
