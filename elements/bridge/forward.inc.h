/* The kernel path of a switch: forwards packets from known sources. Included once for each instance, after switch.inc.h. */

/* The port for a packet; SWITCH_FLOOD; or SWITCH_PUNT if the runtime has to learn, forget, or make copies that the kernel can't
 * make.
 */
#define SWITCH_PUNT (-2)

static __always_inline int SELF(known_port)(const __u8 *header, const int input)
{
	const struct SELF(vars) *vars = var(vars);
	const __s64 lifetime = SELF(lifetime)(vars);
	struct switch_entry from, to;
	__u64 time;
	int port;

	if (!lifetime)
		return copies_made() ? SWITCH_FLOOD : SWITCH_PUNT;
	if (!SELF(find)(switch_address(header + ETH_ALEN), &from) || switch_port(from.word) != input)
		return SWITCH_PUNT;
	time = now_coarse() + vars->clock;
	port = SELF(port_of)(switch_address(header), time, lifetime, &to);
	if (port == SWITCH_FLOOD && (!copies_made() || to.host))
		return SWITCH_PUNT;
	SELF(refresh)(&from, time);
	return port;
}
