#include <string.h>

ELEMENT(Resize)
{
	const struct SELF(change) *change = private(change);
	__u32 length;

	if (change->head > 0) {
		if (!pkt_push(p, change->head))
			return DROP(NO_MEMORY);
	} else {
		length = pkt_len(p);
		pkt_pull(p, -(__s64)change->head < length ? -change->head : length);
	}
	length = pkt_len(p);
	if (change->tail > 0) {
		if (!pkt_put(p, change->tail))
			return DROP(NO_MEMORY);
		memset(p->data + length, 0, change->tail);
	} else {
		pkt_trim(p, -(__s64)change->tail < length ? length + change->tail : 0);
	}
	return OUTPUT(0);
}
