#define EVERY_OUTPUT 255

ELEMENT(PaintSwitch)
{
	__u8 color = pkt_anno_u8(p, cfg.anno);

	if (color != EVERY_OUTPUT)
		return color < SELF(noutputs) ? OUTPUT(color) : DROP(DISCARDED);
	if (!SELF(noutputs))
		return DROP(DISCARDED);
	if (!USERSPACE)
		return copies_made() ? COPIES(0) : PUNT;
	for (int port = 0; port < SELF(noutputs) - 1; port++)
		emit_copy(p, port);
	return OUTPUT(SELF(noutputs) - 1);
}
