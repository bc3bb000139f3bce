#include "ip/ip.h"
#include "wifi/wep.h"

#define COMPLAINTS 100

ELEMENT(WepDecap)
{
	const struct SELF(vars) *vars = var(vars);
	struct wifi_header header, *wifi = pkt_data(p, 0, sizeof(header) + WEP_HEADER + WEP_CHECKSUM);
	__u32 length, crc, said, vector;
	__u8 *start;
	struct rc4 rc4;

	if (!wifi || !(wifi->flags & WIFI_PROTECTED))
		return OUTPUT(0);
	start = (__u8 *)(wifi + 1);
	if (start[WEP_VECTOR] != vars->keyid)
		return OUTPUT(0);
	length = pkt_len(p) - sizeof(header) - WEP_HEADER - WEP_CHECKSUM;
	wep_start(&rc4, start, vars->key, vars->key_length);
	rc4_apply(&rc4, start + WEP_HEADER, length);
	crc = crc32_of(start + WEP_HEADER, length);
	memcpy(&said, start + WEP_HEADER + length, WEP_CHECKSUM);
	rc4_apply(&rc4, (__u8 *)&said, WEP_CHECKSUM);
	if (crc != said) {
		memcpy(&vector, start, sizeof(vector));
		warn(COMPLAINTS, "crc failed keyid %d iv %d %x wanted %x %x", vars->keyid, (int)vector, ~crc, ~said, said);
		return OUTPUT(0);
	}
	header = *wifi;
	header.flags &= ~WIFI_PROTECTED;
	memcpy((__u8 *)wifi + WEP_HEADER, &header, sizeof(header));
	pkt_trim(p, pkt_len(p) - WEP_CHECKSUM);
	pkt_pull(p, WEP_HEADER);
	return OUTPUT(0);
}
