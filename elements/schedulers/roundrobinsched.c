PULL()
{
	struct SELF(turn) *turn = private(turn);
	__u32 port = turn->next;

	for (__u32 i = 0; i < SELF(ninputs); i++) {
		struct pkt *p = pull(port);

		if (++port == SELF(ninputs))
			port = 0;
		if (p) {
			turn->next = port;
			return p;
		}
	}
	return NULL;
}
