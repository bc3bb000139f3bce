ELEMENT(HashSwitch)
{
	const __u8 *bytes = pkt_data(p, cfg.offset, cfg.length);
	__u32 sum = 0;

	if (!bytes)
		return OUTPUT(0);
	for (__u32 i = 0; i < cfg.length; i++)
		sum += bytes[i];
	if (SELF(noutputs) == 2 || SELF(noutputs) == 4 || SELF(noutputs) == 8)
		return OUTPUT((sum ^ sum >> 4) & (SELF(noutputs) - 1));
	return OUTPUT(sum % (__u32)SELF(noutputs));
}
