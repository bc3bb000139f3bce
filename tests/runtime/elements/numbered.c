TASK()
{
	struct SELF(numbered) *n = private(numbered);

	for (int i = 0; i < 8 && n->count < cfg.limit; i++) {
		struct pkt *p = downstream_full() ? NULL : pkt_new(PKT_HEADROOM, 8);

		if (!p)
			return i > 0;
		n->count++;
		__builtin_memcpy(p->data, &n->count, 8);
		emit(p, 0);
	}
	if (n->count < cfg.limit)
		task_schedule();
	return true;
}

INIT()
{
	task_schedule();
	return 0;
}
