#include "ip/ip.h"

static __always_inline bool SELF(is_right)(struct pkt *p)
{
	const int length = pkt_len(p);
	const __u8 *at;

	if ((cfg.exact >= 0 && length != cfg.exact) || length < cfg.least || (cfg.most >= 0 && length > cfg.most))
		return false;
	if (cfg.size < 0)
		return true;
	if (length != (int)cfg.data_offset + cfg.size)
		return false;
	at = pkt_data(p, cfg.data_offset, cfg.size);
	return at && !SELF(differs)(at);
}

#if USERSPACE
#define COMPLAIN(format, ...) warn(ALWAYS, "%s :: CheckPacket: " format, SELF(name), ##__VA_ARGS__)

static void SELF(complain)(struct pkt *p)
{
	const int length = pkt_len(p), end = cfg.data_offset + cfg.size;

	if (cfg.exact >= 0 && length != cfg.exact)
		COMPLAIN("bad length %d (wanted %d)", length, cfg.exact);
	else if (length < cfg.least)
		COMPLAIN("bad length %d (wanted > %d)", length, cfg.least - 1);
	else if (cfg.most >= 0 && length > cfg.most)
		COMPLAIN("bad length %d (wanted < %d)", length, cfg.most + 1);
	if (cfg.size < 0)
		return;
	if (length < end)
		COMPLAIN("data too short (%d bytes, wanted %d)", length, end);
	else if (length > end)
		COMPLAIN("data too long (%d bytes, wanted %d)", length, end);
	else if (SELF(differs)(pkt_data(p, cfg.data_offset, cfg.size)))
		COMPLAIN("bad data (does not match)");
}

#undef COMPLAIN
#endif

ELEMENT(CheckPacket)
{
	if (SELF(is_right)(p))
		return OUTPUT(0);
	if (!USERSPACE)
		return PUNT;
#if USERSPACE
	SELF(complain)(p);
#endif
	return OUTPUT(0);
}
