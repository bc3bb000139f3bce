ELEMENT(HashSwitch)
{
	const __u8 *bytes = pkt_data(p, cfg.offset, cfg.length);
	__u32 sum = 0;

	if (!bytes)
		return OUTPUT(0);
	for (__u32 i = 0; i < cfg.length; i++)
		sum += bytes[i];
	if (cfg.noutputs == 2 || cfg.noutputs == 4 || cfg.noutputs == 8)
		return OUTPUT((sum ^ sum >> 4) & (cfg.noutputs - 1));
	return OUTPUT(sum % (__u32)cfg.noutputs);
}
