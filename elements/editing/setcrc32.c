#include "editing/crc.inc.h"

ELEMENT(SetCRC32)
{
	__u32 length = pkt_len(p), crc = SELF(crc)(p->data, length);

	if (!pkt_put(p, sizeof(crc)))
		return DROP(NO_MEMORY);
	memcpy(p->data + length, &crc, sizeof(crc));
	return OUTPUT(0);
}
