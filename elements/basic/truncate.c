ELEMENT(Truncate)
{
	const struct SELF(vars) *vars = var(vars);
	__u32 length = pkt_len(p), kept;

	if (!vars)
		return PUNT;
	kept = vars->nbytes;
	if (length <= kept)
		return OUTPUT(0);
	/* No frame of the kernel may be shorter. */
	if (!USERSPACE && kept < ETH_HLEN)
		return PUNT;
	if (!pkt_trim(p, kept))
		return DROP(MALFORMED);
	if (cfg.extra_length)
		pkt_set_anno_u32(p, EXTRA_LENGTH_ANNO, pkt_anno_u32(p, EXTRA_LENGTH_ANNO) + length - kept);
	return OUTPUT(0);
}
