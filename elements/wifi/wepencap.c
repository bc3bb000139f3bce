#include "wifi/wep.h"

#define SECOND 8	/* the shift of the vector's second byte */
#define THIRD 16

/* A random vector. As in Click, some that make keys weak are avoided: those with 255 as second byte and 3 to 15 as third. */
static __u32 SELF(vector)(void)
{
	__u32 vector = random_u32() & 0xffffff;
	const __u8 third = vector >> THIRD;

	if ((vector >> SECOND & 0xff) == 0xff && third >= 3 && third < 16)
		vector += 1 << SECOND;
	return vector;
}

static bool SELF(concerns)(const struct wifi_header *wifi)
{
	const __u8 type = wifi->control & WIFI_TYPE;

	return type == WIFI_TYPE_DATA || (type == WIFI_TYPE_MANAGEMENT && (wifi->control & WIFI_SUBTYPE) == WIFI_AUTHENTICATION);
}

ELEMENT(WepEncap)
{
	const struct SELF(vars) *vars = var(vars);
	struct wifi_header header, *wifi = pkt_data(p, 0, sizeof(header));
	__u32 length, crc, vector;
	__u8 *start;
	struct rc4 rc4;

	if (!wifi || !vars->active || !SELF(concerns)(wifi))
		return OUTPUT(0);
	header = *wifi;
	header.flags |= WIFI_PROTECTED;
	length = pkt_len(p) - sizeof(header);
	crc = crc32_of((const __u8 *)(wifi + 1), length);
	if (!pkt_push(p, WEP_HEADER) || !pkt_put(p, WEP_CHECKSUM))
		return DROP(NO_MEMORY);
	start = pkt_data(p, 0, pkt_len(p));
	memcpy(start, &header, sizeof(header));
	start += sizeof(header);
	vector = SELF(vector)();
	memcpy(start, &vector, WEP_VECTOR);
	start[WEP_VECTOR] = vars->keyid;
	memcpy(start + WEP_HEADER + length, &crc, WEP_CHECKSUM);
	wep_start(&rc4, start, vars->key, vars->key_length);
	rc4_apply(&rc4, start + WEP_HEADER, length + WEP_CHECKSUM);
	return OUTPUT(0);
}
