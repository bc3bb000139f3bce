#include "common/clock.h"
#include "wifi/manager.inc.h"

/* Forget beacons that are too old. They are in a ring, so the oldest are also overwritten when it is full. */
static void SELF(trim)(void)
{
	struct SELF(vars) *vars = var(vars);
	const __s64 earliest = (__s64)wall_clock() - (__s64)cfg.track * vars->interval * NS_PER_MS;

	while (vars->count && at(beacons, vars->first)->came_at < earliest) {
		vars->first = (vars->first + 1) % cfg.capacity;
		vars->count--;
	}
}

static void SELF(count_beacon)(__s64 time)
{
	struct SELF(vars) *vars = var(vars);

	if (vars->count == cfg.capacity) {
		vars->first = (vars->first + 1) % cfg.capacity;
		vars->count--;
	}
	at(beacons, (vars->first + vars->count) % cfg.capacity)->came_at = time;
	vars->count++;
}

ELEMENT(BeaconTracker)
{
	const struct wifi_info *info = SELF(network)();
	struct wifi_frame frame = wifi_frame_of(p);
	const __u8 subtype = frame.header.control & WIFI_SUBTYPE;
	char said[32];
	int wrong;

	snprintf(said, sizeof(said), "subtype %u", subtype);
	wrong = SELF(refuse)(&frame, subtype == WIFI_PROBE_RESPONSE ? subtype : WIFI_BEACON, said);
	if (wrong)
		return wrong;
	if (memcmp(frame.header.address[2], info->bssid, WIFI_ADDRESS))
		return DROP(FILTERED);
	SELF(count_beacon)(pkt_timestamp(p));
	var(vars)->interval = wifi_word(&frame, WIFI_BODY + 8);
	SELF(trim)();
	return OUTPUT(0);
}

INIT()
{
	var(vars)->start = wall_clock();
	return 0;
}

CONTROL()
{
	if (op == SELF(RESET)) {
		var(vars)->count = 0;
		var(vars)->start = wall_clock();
	} else {
		SELF(trim)();
		*(__u64 *)argument = wall_clock() - var(vars)->start;
	}
	return 0;
}
