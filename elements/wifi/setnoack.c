#include "wifi/extra.h"

ELEMENT(SetNoAck)
{
	wifi_extra(p)->flags |= WIFI_EXTRA_TX_NOACK;
	return OUTPUT(0);
}
