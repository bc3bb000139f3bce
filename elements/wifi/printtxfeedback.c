#include "common/clock.h"
#include "common/line.h"
#include "wifi/extra.h"
#include "wifi/wifi.h"

static void SELF(print)(struct line *line, struct pkt *p, const __u8 *to)
{
	const __u64 time = pkt_timestamp(p), part = time % NS_PER_SECOND;
	const struct wifi_extra *extra = wifi_extra(p);

	fputs(*cfg.label ? cfg.label : "PrintTXFeedback", line->to);
	fprintf(line->to, part % 1000 ? "%s %llu.%09llu " : "%s %llu.%06llu ", *cfg.label ? ":" : "", time / NS_PER_SECOND,
		part % 1000 ? part : part / 1000);
	line_ether(line, to);
	fprintf(line->to, " flags %d rate %u max_retries %u alt_rate %u alt_retries %u retries %u virt_col %u", extra->flags, extra->rate[0],
		extra->max_tries[0], extra->rate[1], extra->max_tries[1], extra->retries, extra->virtual_collisions);
}

ELEMENT(PrintTXFeedback)
{
	static const __u8 nobody[WIFI_ADDRESS];
	const __u8 *to = pkt_data(p, cfg.offset, WIFI_ADDRESS);
	struct line line;

	if (line_begin(&line, "", NULL)) {
		SELF(print)(&line, p, to ? to : nobody);
		line_end(&line, 2);
	}
	return OUTPUT(0);
}
