/* Open system authentication frames (IEEE 802.11, 9.3.3.11 and 12.3.3.2): algorithm, transaction sequence number and status.
 * Included once for each instance, after manager.inc.h.
 */

/* 0 for an open system authentication frame, otherwise a drop. */
static int SELF(refuse_authentication)(const struct wifi_frame *frame)
{
	const int wrong = SELF(refuse)(frame, WIFI_AUTHENTICATION, "non-probe-req");
	const __u16 algorithm = wifi_word(frame, WIFI_BODY);
	const __u8 *from = frame->header.address[1];

	if (wrong || algorithm == WIFI_OPEN)
		return wrong;
	wifi_complain("auth %u from %02X-%02X-%02X-%02X-%02X-%02X not supported", algorithm, from[0], from[1], from[2], from[3], from[4], from[5]);
	return DROP(FILTERED);
}

static void SELF(say_authentication)(const struct wifi_frame *frame)
{
	struct line line;

	if (!var(vars)->debug || !SELF(begin)(&line))
		return;
	fprintf(line.to, "auth %u seq %u status %u", WIFI_OPEN, wifi_word(frame, WIFI_BODY + 2), wifi_word(frame, WIFI_BODY + 4));
	line_end(&line, 2);
}

static void SELF(put_step)(struct wifi_draft *draft, __u16 step)
{
	wifi_put_number(draft, WIFI_OPEN);
	wifi_put_number(draft, step);
	wifi_put_number(draft, 0);	/* success */
}
