#include "tunnel/gre.h"

ELEMENT(StripGREHeader)
{
	const struct gre_header *gre = pkt_data(p, 0, sizeof(*gre));

	if (!gre || !pkt_pull(p, gre_length(ntohs(gre->flags))))
		return DROP(MALFORMED);
	return OUTPUT(0);
}
