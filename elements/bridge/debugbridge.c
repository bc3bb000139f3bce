#include <string.h>
#include <unistd.h>
#include "common/line.h"
#include "bridge/bpdu.h"

static void SELF(print_config)(struct line *line, const struct bpdu_wire *wire)
{
	struct bpdu m;

	bpdu_read(wire, &m);
	fprintf(line->to, "%s %3s %16llx:%04x: %3s %2s  %08x -> %16llx  a/m/h/d: %x/%x/%x/%x", cfg.label,
		wire->type == BPDU_CONFIG ? "CFG" : "???", m.bridge, m.port, m.flags & BPDU_TCA ? "TCA" : "tca",
		m.flags & BPDU_TC ? "TC" : "tc", m.cost, m.root, m.age, m.max_age, m.hello_time, m.forward_delay);
}

ELEMENT(DebugBridge)
{
	const struct bpdu_wire *wire = pkt_data(p, 0, sizeof(*wire));
	struct line line;

	if (!line_begin(&line, "", NULL))
		return OUTPUT(0);
	if (!wire)
		fprintf(line.to, "%s (%u bytes)", cfg.label, pkt_len(p));
	else if (wire->type == BPDU_CHANGE)
		fprintf(line.to, "%s TCM", cfg.label);
	else
		SELF(print_config)(&line, wire);
	line_end(&line, STDERR_FILENO);
	return OUTPUT(0);
}
