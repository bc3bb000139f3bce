#include <stdio.h>
#include "editing/crc.inc.h"

ELEMENT(CheckCRC32)
{
	__u32 length = pkt_len(p), crc;

	if (length >= sizeof(crc)) {
		memcpy(&crc, p->tail - sizeof(crc), sizeof(crc));
		if (crc == SELF(crc)(p->data, length - sizeof(crc))) {
			pkt_trim(p, length - sizeof(crc));
			return OUTPUT(0);
		}
	}
	fprintf(stderr, "CRC32 failed, len %u\n", length);
	return DROP(BAD_CHECKSUM);
}
